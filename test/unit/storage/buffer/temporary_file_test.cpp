// TemporaryStorage: what is written comes back or is found damaged; space is used again and bounded.
#include "storage/buffer/temporary_file.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <stdlib.h>

#include "common/hash.hpp"
#include "scaup/error.hpp"

using namespace scaup;

namespace {

// A directory of this test alone, removed with all in it.
class OwnDirectory {
 public:
  OwnDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_spill_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~OwnDirectory() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<std::byte> Bytes(size_t size_bytes, uint64_t seed) {
  std::vector<std::byte> bytes(size_bytes);
  for (std::byte& byte : bytes) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    byte = static_cast<std::byte>(seed >> 56);
  }
  return bytes;
}

std::vector<std::byte> ReadBack(TemporaryStorage& storage, const TemporarySlot& slot) {
  std::vector<std::byte> bytes(slot.size_bytes());
  storage.Read(slot, bytes);
  return bytes;
}

// Hands out a real temporary file, and keeps hold of it to disturb it; fails writes on demand.
class DisturbedFiles final : public FileSystem {
 public:
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    return real_->Open(path, mode);
  }
  bool Exists(const std::string& path) override { return real_->Exists(path); }
  void Remove(const std::string& path) override { real_->Remove(path); }
  void Rename(const std::string& from, const std::string& to) override { real_->Rename(from, to); }
  void SyncDirectory(const std::string& directory) override { real_->SyncDirectory(directory); }
  void CreateDirectory(const std::string& path) override { real_->CreateDirectory(path); }
  std::vector<std::string> Glob(const std::string& pattern) override { return real_->Glob(pattern); }
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    file = real_->OpenTemporary(directory);
    return std::make_unique<Borrowed>(*this);
  }

  std::shared_ptr<File> file;
  bool fail_writes = false;

 private:
  class Borrowed final : public File {
   public:
    explicit Borrowed(DisturbedFiles& files) : files_(files), file_(files.file) {}
    size_t Read(uint64_t offset, void* buffer, size_t size) override {
      return file_->Read(offset, buffer, size);
    }
    void Write(uint64_t offset, const void* buffer, size_t size) override {
      if (files_.fail_writes) throw Error(ErrorKind::kIo, "58030", "disk full");
      file_->Write(offset, buffer, size);
    }
    uint64_t Size() override { return file_->Size(); }
    void Truncate(uint64_t size) override { file_->Truncate(size); }
    void Sync() override { file_->Sync(); }
    bool TryLock(const FileRange& range, bool exclusive) override { return file_->TryLock(range, exclusive); }
    void Unlock(const FileRange& range) override { file_->Unlock(range); }
    std::optional<FileRange> FindLock(const FileRange& range) override { return file_->FindLock(range); }
    const std::string& path() const override { return file_->path(); }

   private:
    DisturbedFiles& files_;
    std::shared_ptr<File> file_;
  };

  std::unique_ptr<FileSystem> real_ = MakePosixFileSystem();
};

}  // namespace

TEST_CASE("spilled bytes come back, and the directory stays empty", "[storage][temporary]") {
  OwnDirectory directory;
  DisturbedFiles files;
  TemporaryStorage storage(files, directory.path() + "/not_there_yet", 0);
  CHECK_FALSE(std::filesystem::exists(directory.path() + "/not_there_yet"));  // Made by the first write.
  CHECK(files.file == nullptr);
  std::vector<TemporarySlot> slots;
  for (const size_t size : {1, 4096, 4097, 300'000}) slots.push_back(storage.Write(Bytes(size, size)));
  for (const TemporarySlot& slot : slots)
    CHECK(ReadBack(storage, slot) == Bytes(slot.size_bytes(), slot.size_bytes()));
  CHECK(std::filesystem::is_empty(directory.path() + "/not_there_yet"));
  CHECK(storage.used_bytes() == 4096 + 4096 + 8192 + 74 * 4096);
  const TemporarySlot empty = storage.Write({});
  CHECK(empty.size_bytes() == 0);
  CHECK(ReadBack(storage, empty).empty());
}

TEST_CASE("freed places are used again and joined", "[storage][temporary]") {
  OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, directory.path(), 0);
  std::vector<TemporarySlot> slots;
  for (uint64_t i = 0; i < 6; i++) slots.push_back(storage.Write(Bytes(4096, i)));
  slots[4].Reset();
  slots[1].Reset();
  slots[2].Reset();
  CHECK(storage.used_bytes() == 3 * 4096);
  // The smallest place that fits: 4; then 1 and 2, which are one place now.
  const TemporarySlot small = storage.Write(Bytes(100, 10));
  CHECK(small.offset() == 4 * 4096);
  const TemporarySlot large = storage.Write(Bytes(8192, 11));
  CHECK(large.offset() == 4096);
  CHECK(storage.file_bytes() == 6 * 4096);
  for (const uint64_t i : {0, 3, 5}) CHECK(ReadBack(storage, slots[i]) == Bytes(4096, i));
  CHECK(ReadBack(storage, large) == Bytes(8192, 11));
  // Moving keeps the place, assigning over gives it up.
  TemporarySlot moved = std::move(slots[0]);
  CHECK(slots[0].size_bytes() == 0);
  CHECK(ReadBack(storage, moved) == Bytes(4096, 0));
  moved = std::move(slots[3]);
  CHECK(storage.used_bytes() == 2 * 4096 + 4096 + 8192);
  CHECK(ReadBack(storage, moved) == Bytes(4096, 3));
}

TEST_CASE("parts of a slot are read and checked by themselves", "[storage][temporary]") {
  const OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, directory.path(), 0);
  const std::vector<std::byte> bytes = Bytes(10000, 1);
  const TemporarySlot slot = storage.Write(bytes);
  std::vector<std::byte> part(321);
  const uint64_t checksum = HashBytes(&bytes[4321], part.size());
  storage.ReadPart(slot, 4321, checksum, part);
  CHECK(std::equal(part.begin(), part.end(), bytes.begin() + 4321));
  try {
    storage.ReadPart(slot, 4320, checksum, part);
    FAIL("other bytes have the same checksum");
  } catch (const Error& error) {
    CHECK(std::string(error.sqlstate()) == "XX001");
  }
}

TEST_CASE("a freed place of the best size is used", "[storage][temporary]") {
  const OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, directory.path(), 0);
  constexpr size_t kUnit = TemporaryStorage::kUnitBytes;
  std::vector<TemporarySlot> slots;
  for (const size_t units : {9, 1, 3, 1, 5, 1, 3, 1})
    slots.push_back(storage.Write(Bytes(units * kUnit, units)));
  const uint64_t nine = slots[0].offset(), three = slots[2].offset(), five = slots[4].offset();
  for (const size_t place : {4, 0, 2}) slots[place].Reset();
  const TemporarySlot first = storage.Write(Bytes(2 * kUnit, 2));
  CHECK(first.offset() == three);
  const TemporarySlot second = storage.Write(Bytes(4 * kUnit, 4));
  CHECK(second.offset() == five);
  const TemporarySlot third = storage.Write(Bytes(6 * kUnit, 6));
  CHECK(third.offset() == nine);
  // The rests of these places have 1, 1 and 3 units.
  const TemporarySlot fourth = storage.Write(Bytes(kUnit, 1));
  CHECK(fourth.offset() == std::min(three + 2 * kUnit, five + 4 * kUnit));
  CHECK(storage.file_bytes() == 24 * kUnit);
}

TEST_CASE("the file shrinks when its tail is free", "[storage][temporary]") {
  OwnDirectory directory;
  DisturbedFiles files;
  TemporaryStorage storage(files, directory.path(), 0);
  std::vector<TemporarySlot> slots;
  for (uint64_t i = 0; i < 24; i++) slots.push_back(storage.Write(Bytes(1 << 20, i)));
  CHECK(files.file->Size() == 24 << 20);
  slots.resize(3);
  CHECK(files.file->Size() < 10 << 20);
  for (uint64_t i = 0; i < 3; i++) CHECK(ReadBack(storage, slots[i]) == Bytes(1 << 20, i));
  slots.clear();
  CHECK(storage.used_bytes() == 0);
  CHECK(storage.Write(Bytes(10, 0)).offset() == 0);
}

TEST_CASE("the limit of the temporary file holds, and its error says what to do", "[storage][temporary]") {
  OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, directory.path(), 10 * 4096);
  TemporarySlot first = storage.Write(Bytes(6 * 4096, 1));
  try {
    storage.Write(Bytes(4 * 4096 + 1, 2));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kIo);
    CHECK(std::string(error.sqlstate()) == "53400");
    CHECK(error.message().find("SET max_temp_directory_size") != std::string::npos);
    CHECK(error.message().find(directory.path()) != std::string::npos);
  }
  CHECK(storage.used_bytes() == 6 * 4096);
  TemporarySlot second = storage.Write(Bytes(4 * 4096, 2));
  first.Reset();
  first = storage.Write(Bytes(6 * 4096, 3));
  CHECK_THROWS_AS(storage.Write(Bytes(1, 4)), Error);
  storage.SetMaxBytes(0);
  CHECK(ReadBack(storage, storage.Write(Bytes(50'000, 5))) == Bytes(50'000, 5));
  CHECK(ReadBack(storage, first) == Bytes(6 * 4096, 3));
}

TEST_CASE("damage and failures of the temporary file are found", "[storage][temporary]") {
  OwnDirectory directory;
  DisturbedFiles files;
  TemporaryStorage storage(files, directory.path(), 0);
  const TemporarySlot whole = storage.Write(Bytes(10'000, 1));
  const TemporarySlot other = storage.Write(Bytes(10'000, 2));
  const auto check_damaged = [&](const TemporarySlot& slot) {
    try {
      ReadBack(storage, slot);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kIo);
      CHECK(std::string(error.sqlstate()) == "XX001");
      CHECK(error.message().find(directory.path()) != std::string::npos);
    }
  };
  SECTION("a flipped bit") {
    char byte = 0;
    files.file->Read(other.offset() + 9'999, &byte, 1);
    byte ^= 4;
    files.file->Write(other.offset() + 9'999, &byte, 1);
    check_damaged(other);
  }
  SECTION("a file cut short") {
    files.file->Truncate(other.offset() + 5'000);
    check_damaged(other);
  }
  SECTION("a refused write leaves its place free") {
    files.fail_writes = true;
    const uint64_t used = storage.used_bytes();
    CHECK_THROWS_AS(storage.Write(Bytes(5'000, 3)), Error);
    CHECK(storage.used_bytes() == used);
    files.fail_writes = false;
    CHECK(ReadBack(storage, other) == Bytes(10'000, 2));
  }
  CHECK(ReadBack(storage, whole) == Bytes(10'000, 1));
}

TEST_CASE("threads write, read and free at once", "[storage][temporary]") {
  OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  TemporaryStorage storage(*files, directory.path(), 0);
  std::atomic<size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      std::vector<std::pair<TemporarySlot, uint64_t>> slots;
      for (uint64_t i = 0; i < 200; i++) {
        const uint64_t seed = t * 1000 + i;
        slots.emplace_back(storage.Write(Bytes(seed * 7919 % 40'000 + 1, seed)), seed);
        auto& [slot, slot_seed] = slots[seed * 31 % slots.size()];
        if (ReadBack(storage, slot) != Bytes(slot.size_bytes(), slot_seed)) wrong++;
        if (slots.size() > 10)
          slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(seed * 17 % slots.size()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(storage.used_bytes() == 0);
  CHECK(storage.file_bytes() < uint64_t{8} << 20);  // 44 slots of at most 40 KB at any time.
}

TEST_CASE("where the temporary file goes", "[storage][temporary]") {
  CHECK(TemporaryDirectory("/fast", "/data/x.scaup") == "/fast");
  CHECK(TemporaryDirectory("", "/data/x.scaup") == "/data");
  CHECK(TemporaryDirectory("", "/x.scaup") == "/");
  CHECK(TemporaryDirectory("", "x.scaup") == ".");
  CHECK(TemporaryDirectory("", "") == "/tmp");
}

TEST_CASE("mapped storage is memory that counts as used, and outlives the storage", "[storage][temporary]") {
  OwnDirectory directory;
  const auto files = MakePosixFileSystem();
  std::unique_ptr<TemporaryMapping> kept;
  {
    TemporaryStorage storage(*files, directory.path() + "/not_there_yet", 10 << 20);
    {
      const auto mapping = storage.Map(5000);
      CHECK(mapping->bytes().size() == 8192);
      CHECK(storage.used_bytes() == 8192);
      CHECK(storage.file_bytes() == 8192);
      CHECK(std::all_of(mapping->bytes().begin(), mapping->bytes().end(),
                        [](std::byte byte) { return byte == std::byte{0}; }));
    }
    CHECK(storage.used_bytes() == 0);
    const TemporarySlot slot = storage.Write(Bytes(1 << 20, 1));
    kept = storage.Map(8 << 20);
    try {
      storage.Map(2 << 20);
      FAIL("more than the limit was mapped");
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == "53400");
    }
    CHECK_THROWS_AS(storage.Write(Bytes(2 << 20, 1)), Error);
    CHECK(storage.used_bytes() == 9 << 20);
    CHECK(std::filesystem::is_empty(directory.path() + "/not_there_yet"));
  }
  const std::vector<std::byte> bytes = Bytes(8 << 20, 2);
  for (size_t i = 0; i < bytes.size(); i += 4096) {
    std::memcpy(kept->bytes().data() + i, bytes.data() + i, 4096);
    kept->NoteWritten(4096);
  }
  CHECK(std::memcmp(kept->bytes().data(), bytes.data(), bytes.size()) == 0);
}

TEST_CASE("a file system that cannot map files leaves nothing counted", "[storage][temporary]") {
  OwnDirectory directory;
  DisturbedFiles files;
  TemporaryStorage storage(files, directory.path(), 0);
  try {
    storage.Map(5000);
    FAIL("mapped");
  } catch (const Error& error) {
    CHECK(std::string(error.sqlstate()) == "53200");
  }
  CHECK(storage.used_bytes() == 0);
}
