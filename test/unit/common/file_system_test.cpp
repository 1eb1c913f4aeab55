// What every file system does, the system's and its twin in memory: modes, offsets, errors, locks, patterns.
#include "common/file/file_system.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include <unistd.h>

#include "common/file/path_pattern.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"

using namespace scaup;

namespace {

// A file system with a directory of this test alone, removed with all in it: the system's, or the twin.
class Place {
 public:
  explicit Place(bool is_simulated) {
    if (is_simulated) {
      files_ = std::make_unique<test::SimulatedFileSystem>();
      path_ = "/place";
      files_->CreateDirectory(path_);
      return;
    }
    files_ = MakePosixFileSystem();
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_files_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = remove_path_ = pattern;
  }
  ~Place() {
    if (!remove_path_.empty()) std::filesystem::remove_all(remove_path_);
  }
  FileSystem* operator->() const { return files_.get(); }
  const std::string& directory() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::unique_ptr<FileSystem> files_;
  std::string path_, remove_path_;
};

std::string SqlstateOf(const std::function<void()>& action, const std::string& path) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kIo);
    CHECK(error.message().find(path) != std::string::npos);
    return error.sqlstate();
  }
  return "no error";
}

}  // namespace

TEST_CASE("files are written and read at offsets", "[common][files]") {
  const Place files(GENERATE(false, true));
  const std::string path = files / "a";
  {
    const auto file = files->Open(path, OpenMode::kCreateNew);
    CHECK(file->path() == path);
    file->Write(5, "world", 5);
    file->Write(0, "hello", 5);
    CHECK(file->Size() == 10);
    file->Sync();
    char buffer[20] = {};
    CHECK(file->Read(3, buffer, 4) == 4);
    CHECK(std::string(buffer) == "lowo");
    CHECK(file->Read(8, buffer, 10) == 2);
    CHECK(file->Read(100, buffer, 10) == 0);
    file->Truncate(3);
    CHECK(file->Size() == 3);
    file->Truncate(6);
    CHECK(file->Read(0, buffer, 20) == 6);
    CHECK(std::string(buffer, 6) == std::string("hel\0\0\0", 6));
  }
  CHECK(files->Open(path, OpenMode::kReadWrite)->Size() == 6);
  CHECK(files->Open(path, OpenMode::kTruncate)->Size() == 0);
}

TEST_CASE("errors name the path and the reason", "[common][files]") {
  const Place files(GENERATE(false, true));
  const std::string missing = files / "missing", present = files / "present";
  CHECK(SqlstateOf([&] { files->Open(missing, OpenMode::kRead); }, missing) == "58P01");
  CHECK(SqlstateOf([&] { files->Remove(missing); }, missing) == "58P01");
  CHECK(SqlstateOf([&] { files->Rename(missing, present); }, missing) == "58P01");
  files->Open(present, OpenMode::kReadWrite);
  CHECK(SqlstateOf([&] { files->Open(present, OpenMode::kCreateNew); }, present) == "58030");
  CHECK(SqlstateOf([&] { files->Open(files / "", OpenMode::kRead); }, files / "") == "58030");
  const auto read_only = files->Open(present, OpenMode::kRead);
  CHECK(SqlstateOf([&] { read_only->Write(0, "x", 1); }, present) == "58030");
}

TEST_CASE("files are renamed and removed", "[common][files]") {
  const Place files(GENERATE(false, true));
  files->Open(files / "a", OpenMode::kTruncate)->Write(0, "new", 3);
  files->Open(files / "b", OpenMode::kTruncate)->Write(0, "older", 5);
  files->Rename(files / "a", files / "b");
  CHECK_FALSE(files->Exists(files / "a"));
  CHECK(files->Open(files / "b", OpenMode::kRead)->Size() == 3);
  files->Remove(files / "b");
  CHECK_FALSE(files->Exists(files / "b"));
}

TEST_CASE("directories are made once, and their names synced", "[common][files]") {
  const Place files(GENERATE(false, true));
  const std::string inner = files / "inner";
  CHECK_FALSE(files->Exists(inner));
  CHECK(SqlstateOf([&] { files->Open(inner + "/a", OpenMode::kReadWrite); }, inner + "/a") == "58P01");
  CHECK(SqlstateOf([&] { files->CreateDirectory(inner + "/deep"); }, inner + "/deep") == "58P01");
  files->CreateDirectory(inner);
  files->CreateDirectory(inner);
  CHECK(files->Exists(inner));
  CHECK(files->Exists(inner + "/"));
  files->Open(inner + "/a", OpenMode::kCreateNew)->Write(0, "x", 1);
  files->SyncDirectory(inner);
  CHECK(files->Open(inner + "//a", OpenMode::kRead)->Size() == 1);
  CHECK(SqlstateOf([&] { files->SyncDirectory(files / "missing"); }, files / "missing") == "58P01");
  CHECK(SqlstateOf([&] { files->SyncDirectory(inner + "/a"); }, inner + "/a") == "58030");
}

TEST_CASE("a removed file lives as long as it is open", "[common][files]") {
  const Place files(GENERATE(false, true));
  const auto file = files->Open(files / "a", OpenMode::kCreateNew);
  file->Write(0, "abc", 3);
  files->Remove(files / "a");
  files->Open(files / "a", OpenMode::kCreateNew)->Write(0, "x", 1);
  char buffer[4] = {};
  CHECK(file->Read(0, buffer, 4) == 3);
  CHECK(std::string(buffer) == "abc");
  CHECK(files->Open(files / "a", OpenMode::kRead)->Size() == 1);
}

TEST_CASE("locks of two open files exclude each other, within one process too", "[common][files]") {
  const Place files(GENERATE(false, true));
  const auto open = [&] { return files->Open(files / "a", OpenMode::kReadWrite); };
  constexpr FileRange kFar{uint64_t{1} << 62, 1};
  auto first = open();
  const auto second = open(), third = open();
  CHECK(first->TryLock(kFar, true));
  CHECK(first->TryLock(kFar, true));
  CHECK_FALSE(second->TryLock(kFar, true));
  CHECK_FALSE(second->TryLock(kFar, false));
  CHECK(second->TryLock({kFar.end(), 1}, true));  // Other bytes.
  second->Unlock({kFar.end(), 1});
  CHECK(files->Open(files / "other", OpenMode::kReadWrite)->TryLock(kFar, true));
  first.reset();  // A lock ends with its open file.
  CHECK(second->TryLock(kFar, false));
  CHECK(third->TryLock(kFar, false));
  first = open();
  CHECK_FALSE(first->TryLock(kFar, true));
  CHECK(first->TryLock(kFar, false));
  // Alone, a reader may become the writer; with others it may not, and keeps what it had.
  CHECK_FALSE(first->TryLock(kFar, true));
  second->Unlock(kFar);
  third->Unlock(kFar);
  CHECK(first->TryLock(kFar, true));
  CHECK_FALSE(third->TryLock(kFar, false));
  // The lock is the file's, not the name's.
  files->Rename(files / "a", files / "b");
  CHECK(open()->TryLock(kFar, true));
  CHECK_FALSE(files->Open(files / "b", OpenMode::kRead)->TryLock(kFar, false));
}

TEST_CASE("locks of others can be found", "[common][files]") {
  const Place files(GENERATE(false, true));
  files->Open(files / "a", OpenMode::kReadWrite)->Write(0, "abc", 3);
  const auto first = files->Open(files / "a", OpenMode::kRead),
             second = files->Open(files / "a", OpenMode::kReadWrite);
  CHECK(first->TryLock({100, 1}, false));   // Who only reads may take a shared lock.
  CHECK_FALSE(first->FindLock({0, 1000}));  // Its own are no locks of others.
  CHECK(second->FindLock({0, 1000}) == FileRange{100, 1});
  CHECK(second->FindLock({100, 1}) == FileRange{100, 1});
  CHECK_FALSE(second->FindLock({0, 100}));
  CHECK_FALSE(second->FindLock({101, 1000}));
  CHECK(second->TryLock({200, 10}, true));
  CHECK(first->FindLock({205, 1}) == FileRange{200, 10});
  second->Unlock({203, 4});
  CHECK_FALSE(first->FindLock({203, 4}));
  CHECK(first->FindLock({200, 3}) == FileRange{200, 3});
  CHECK(first->FindLock({207, 30}) == FileRange{207, 3});
}

TEST_CASE("temporary files have no name and go when they are closed", "[common][files]") {
  const Place files(GENERATE(false, true));
  const auto file = files->OpenTemporary(files.directory());
  const auto other = files->OpenTemporary(files.directory());
  file->Write(100, "abc", 3);
  CHECK(file->Size() == 103);
  CHECK(other->Size() == 0);
  char buffer[4] = {};
  CHECK(file->Read(100, buffer, 3) == 3);
  CHECK(std::string(buffer) == "abc");
  CHECK(file->path().starts_with(files.directory()));
  CHECK(files->Glob(files / "*").empty());
  CHECK(files->Glob(files / ".*").empty());
  CHECK(SqlstateOf([&] { files->OpenTemporary(files / "missing"); }, files / "missing") == "58P01");
}

TEST_CASE("a full disk has its own code", "[common][files]") {
  // A device of Linux that is always full.
  const auto files = MakePosixFileSystem();
  if (!files->Exists("/dev/full")) return;
  const auto file = files->Open("/dev/full", OpenMode::kReadWrite);
  CHECK(SqlstateOf([&] { file->Write(0, "x", 1); }, "/dev/full") == "53100");
}

TEST_CASE("patterns list what matches, sorted", "[common][files]") {
  const Place files(GENERATE(false, true));
  files->CreateDirectory(files / "x1");
  files->CreateDirectory(files / "x2");
  for (const char* name : {"b.csv", "a.csv", ".hidden.csv", "a.txt", "x1/p.csv", "x2/p.csv", "x2/q.csv"}) {
    files->Open(files / name, OpenMode::kTruncate);
  }
  using Paths = std::vector<std::string>;
  CHECK(files->Glob(files / "*.csv") == Paths{files / "a.csv", files / "b.csv"});
  CHECK(files->Glob(files / "a.???") == Paths{files / "a.csv", files / "a.txt"});
  CHECK(files->Glob(files / "x?/p.csv") == Paths{files / "x1/p.csv", files / "x2/p.csv"});
  CHECK(files->Glob(files / "x*/*") == Paths{files / "x1/p.csv", files / "x2/p.csv", files / "x2/q.csv"});
  CHECK(files->Glob(files / "none*").empty());
  files->CreateDirectory(files / "x1/deep");
  files->CreateDirectory(files / ".hidden");
  for (const char* name : {"x1/deep/p.csv", ".hidden/p.csv"}) files->Open(files / name, OpenMode::kTruncate);
  CHECK(files->Glob(files / "**/p.csv") ==
        Paths{files / "x1/deep/p.csv", files / "x1/p.csv", files / "x2/p.csv"});
  CHECK(files->Glob(files / "x1/**") == Paths{files / "x1/deep/p.csv", files / "x1/p.csv"});
  CHECK(files->Glob(files / "**/x?/**/q.csv") == Paths{files / "x2/q.csv"});
  CHECK(files->Glob(files / "missing") == Paths{files / "missing"});
}

TEST_CASE("names match patterns", "[common][files]") {
  CHECK(MatchesName("*", "abc"));
  CHECK(MatchesName("a*c", "abbc"));
  CHECK(MatchesName("a*b*c", "aXbYbZc"));
  CHECK(MatchesName("*.*", "a.b"));
  CHECK_FALSE(MatchesName("a?c", "ac"));
  CHECK_FALSE(MatchesName("*b", "abc"));
  CHECK_FALSE(MatchesName("*", ".hidden"));
  CHECK(MatchesName(".*", ".hidden"));
  std::string stars(50, '*');
  stars += 'b';
  CHECK_FALSE(MatchesName(stars, std::string(10'000, 'a')));
}

TEST_CASE("one file serves several threads", "[common][files]") {
  const Place files(GENERATE(false, true));
  const auto file = files->Open(files / "shared", OpenMode::kTruncate);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      const std::string block(1000, static_cast<char>('a' + t));
      for (uint64_t i = 0; i < 50; i++)
        file->Write((i * 4 + static_cast<uint64_t>(t)) * 1000, block.data(), block.size());
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(file->Size() == 200'000);
  std::string all(200'000, '\0');
  CHECK(file->Read(0, all.data(), all.size()) == all.size());
  for (size_t i = 0; i < 200; i++)
    REQUIRE(all.substr(i * 1000, 1000) == std::string(1000, static_cast<char>('a' + i % 4)));
}
