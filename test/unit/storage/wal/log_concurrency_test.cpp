// A log that is read while another process appends to it: what is read is whole, and never taken for damage.
#include <functional>

#include "log_fixture.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/wal/log_format.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

const std::string kPath = "x.wal";

// A file that lets others act before each of its calls.
class ObservedFile final : public File {
 public:
  ObservedFile(std::unique_ptr<File> file, std::function<void()> before)
      : file_(std::move(file)), before_(std::move(before)) {}
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    before_();
    return file_->Read(offset, buffer, size_bytes);
  }
  uint64_t Size() override {
    before_();
    return file_->Size();
  }
  void Write(uint64_t, const void*, size_t) override { FAIL("a reader writes"); }
  void Truncate(uint64_t) override { FAIL("a reader cuts"); }
  void Sync() override { FAIL("a reader syncs"); }
  bool TryLock(const FileRange& range, bool exclusive) override { return file_->TryLock(range, exclusive); }
  void Unlock(const FileRange& range) override { file_->Unlock(range); }
  std::optional<FileRange> FindLock(const FileRange& range) override { return file_->FindLock(range); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<File> file_;
  std::function<void()> before_;
};

class ObservedFileSystem final : public FileSystem {
 public:
  ObservedFileSystem(FileSystem& files, std::function<void()> before)
      : files_(files), before_(std::move(before)) {}
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    REQUIRE(mode == OpenMode::kRead);
    return std::make_unique<ObservedFile>(files_.Open(path, mode), before_);
  }
  bool Exists(const std::string& path) override { return files_.Exists(path); }
  void Remove(const std::string&) override { FAIL("a reader removes"); }
  void Rename(const std::string&, const std::string&) override { FAIL("a reader renames"); }
  void SyncDirectory(const std::string&) override { FAIL("a reader syncs"); }
  void CreateDirectory(const std::string&) override { FAIL("a reader creates"); }
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    return files_.OpenTemporary(directory);
  }
  std::vector<std::string> Glob(const std::string& pattern) override { return files_.Glob(pattern); }

 private:
  FileSystem& files_;
  std::function<void()> before_;
};

}  // namespace

TEST_CASE("reading beside a writer", "[storage][wal]") {
  // The log grows by any piece that its writer writes: parts of frames, of slots, in their order.
  std::mt19937 random(4);
  std::vector<Bytes> payloads;
  SimulatedFileSystem recorded;
  {
    const auto log = WriteAheadLog::Create(recorded, kPath, kIdentity);
    for (int i = 0; i < 30; i++) {
      payloads.push_back(RandomPayload(random, random() % 5 == 0 ? 20000 : random() % 400));
      AppendGroup(*log, {payloads.back()}, i % 3 != 0);
    }
  }
  const Bytes whole = FileBytes(recorded, kPath);
  for (unsigned seed = 0; seed < 300; seed++) {
    CAPTURE(seed);
    random.seed(seed);
    SimulatedFileSystem files;
    const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
    const auto file = files.Open(kPath, OpenMode::kReadWrite);
    size_t written_count = 0;
    // Before some call the writer is in the middle of a frame, which it completes before the next one.
    bool is_torn = false;
    const auto write_on = [&] {
      if (written_count == payloads.size()) return;
      if (!is_torn && random() % 2 == 0) {
        const uint64_t offset = log->size_bytes();
        const uint64_t size = sizeof(FrameHeader) + payloads[written_count].size();
        const uint64_t part = random() % size;
        file->Write(offset, whole.data() + offset, part);
        is_torn = true;
      } else if (random() % 3 != 0) {
        AppendGroup(*log, {payloads[written_count]}, written_count % 3 != 0);
        written_count++;
        is_torn = false;
      }
    };
    for (size_t i = random() % 20; i > 0; i--) {
      AppendGroup(*log, {payloads[written_count]}, written_count % 3 != 0);
      written_count++;
    }
    const size_t count_before = written_count;
    ObservedFileSystem observed(files, write_on);
    const auto reader = LogReader::Open(observed, kPath, LogReader::Mode::kStrict, false);
    const std::vector<Bytes> found = ReadAll(*reader);
    REQUIRE(found.size() >= count_before);
    REQUIRE(found.size() <= written_count);
    REQUIRE(std::equal(found.begin(), found.end(), payloads.begin()));
    log->Sync();
  }
}

TEST_CASE("following a writer", "[storage][wal]") {
  for (unsigned seed = 0; seed < 300; seed++) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    SimulatedFileSystem files;
    const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
    std::vector<Bytes> acknowledged, found;
    size_t synced = 0;
    // Groups of one or more frames; of some only a part gets to the file, since the disk is full.
    const auto write_on = [&] {
      std::vector<Bytes> group;
      for (size_t i = 1 + random() % 3; i > 0; i--)
        group.push_back(RandomPayload(random, random() % 5 == 0 ? 20000 : random() % 400));
      // A sync that fails would take unsynced commits along, which another test looks at.
      const bool sync = random() % 2 == 0 && acknowledged.size() == synced;
      if (random() % 5 == 0) {
        files.FailNext(sync ? CallKind::kSync : CallKind::kWrite,
                       sync ? FaultKind::kError : FaultKind::kPartialError);
      }
      try {
        AppendGroup(*log, group, sync);
        for (const Bytes& payload : group) acknowledged.push_back(payload);
        files.ClearFaults();
        if (!sync && random() % 2 == 0) log->Sync();
        if (sync || random() % 2 == 0) {
          log->Sync();
          synced = acknowledged.size();
        }
      } catch (const Error&) {
      }
      files.ClearFaults();
    };
    const auto reader = [&] {
      ObservedFileSystem observed(files, [&] {
        if (random() % 3 == 0) write_on();
      });
      return LogReader::Open(observed, kPath, LogReader::Mode::kFollow, false);
    }();
    for (int turn = 0; turn < 20; turn++) {
      const size_t before = acknowledged.size();
      REQUIRE(reader->Extend([] { return true; }));
      for (Bytes& payload : ReadAll(*reader)) found.push_back(std::move(payload));
      REQUIRE(found.size() >= before);
      REQUIRE(found.size() <= acknowledged.size());
      REQUIRE(std::equal(found.begin(), found.end(), acknowledged.begin()));
      if (random() % 2 == 0) write_on();
    }
  }
}

TEST_CASE("who follows a log learns that frames were lost", "[storage][wal]") {
  SimulatedFileSystem files;
  const auto log = WriteAheadLog::Create(files, kPath, kIdentity);
  const auto reader = LogReader::Open(files, kPath, LogReader::Mode::kFollow, false);
  AppendGroup(*log, {BytesOf("one")}, true);
  AppendGroup(*log, {BytesOf("two")}, false);
  REQUIRE(reader->Extend([] { return true; }));
  CHECK((ReadAll(*reader) == std::vector<Bytes>{BytesOf("one"), BytesOf("two")}));
  files.FailNext(CallKind::kSync, FaultKind::kSyncLost);
  CHECK_THROWS_AS(AppendGroup(*log, {BytesOf("three")}, true), Error);
  // The writer takes no more commits. The next one notes its first.
  const auto recovery = LogReader::Open(files, kPath, LogReader::Mode::kStrict, true);
  CHECK(ReadAll(*recovery).size() == 1);
  AppendGroup(*recovery->Continue(), {BytesOf("four")}, true);
  CHECK_FALSE(reader->Extend([] { return true; }));
  const auto again = LogReader::Open(files, kPath, LogReader::Mode::kFollow, false);
  REQUIRE(again->Extend([] { return true; }));
  CHECK((ReadAll(*again) == std::vector<Bytes>{BytesOf("one"), BytesOf("four")}));
}

TEST_CASE("what a dead writer left is read as recovery would", "[storage][wal]") {
  SimulatedFileSystem files;
  const auto process = files.Share();
  const auto log = WriteAheadLog::Create(*process, kPath, kIdentity);
  AppendGroup(*log, {BytesOf("one")}, true);
  // Killed before it could note that the second is on disk.
  files.FailNext(CallKind::kSync, FaultKind::kKill);
  CHECK_THROWS_AS(AppendGroup(*log, {BytesOf("two"), BytesOf("three")}, true), SimulatedCrash);
  const auto reader = LogReader::Open(files, kPath, LogReader::Mode::kFollow, false);
  SECTION("there is no writer") {
    REQUIRE(reader->Extend([] { return false; }));
    CHECK((ReadAll(*reader) == std::vector<Bytes>{BytesOf("one"), BytesOf("two"), BytesOf("three")}));
  }
  SECTION("another writer comes while the log is looked at") {
    int asked = 0;
    REQUIRE(reader->Extend([&] { return asked++ != 0; }));
    CHECK((ReadAll(*reader) == std::vector<Bytes>{BytesOf("one")}));
    // It has made sure that they are on disk.
    const auto recovery = LogReader::Open(files, kPath, LogReader::Mode::kStrict, true);
    CHECK(ReadAll(*recovery).size() == 3);
    const auto continued = recovery->Continue();
    REQUIRE(reader->Extend([] { return true; }));
    CHECK((ReadAll(*reader) == std::vector<Bytes>{BytesOf("two"), BytesOf("three")}));
    AppendGroup(*continued, {BytesOf("four")}, true);
    REQUIRE(reader->Extend([] { return true; }));
    CHECK((ReadAll(*reader) == std::vector<Bytes>{BytesOf("four")}));
  }
}
