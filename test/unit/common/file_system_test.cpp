// The POSIX file system: modes, offsets, errors with path and code, and patterns.
#include "common/file_system.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include <unistd.h>

#include "common/path_pattern.hpp"
#include "scaup/error.hpp"

using namespace scaup;

namespace {

// A directory of this test alone, removed with all in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_files_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
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
  const TemporaryDirectory directory;
  const auto files = MakePosixFileSystem();
  const std::string path = directory / "a";
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
  const TemporaryDirectory directory;
  const auto files = MakePosixFileSystem();
  const std::string missing = directory / "missing", present = directory / "present";
  CHECK(SqlstateOf([&] { files->Open(missing, OpenMode::kRead); }, missing) == "58P01");
  CHECK(SqlstateOf([&] { files->Remove(missing); }, missing) == "58P01");
  CHECK(SqlstateOf([&] { files->Rename(missing, present); }, missing) == "58P01");
  files->Open(present, OpenMode::kReadWrite);
  CHECK(SqlstateOf([&] { files->Open(present, OpenMode::kCreateNew); }, present) == "58030");
  CHECK(SqlstateOf([&] { files->Open(directory / "", OpenMode::kRead); }, directory / "") == "58030");
  const auto read_only = files->Open(present, OpenMode::kRead);
  CHECK(SqlstateOf([&] { read_only->Write(0, "x", 1); }, present) == "58030");
}

TEST_CASE("files are renamed and removed", "[common][files]") {
  const TemporaryDirectory directory;
  const auto files = MakePosixFileSystem();
  files->Open(directory / "a", OpenMode::kTruncate)->Write(0, "new", 3);
  files->Open(directory / "b", OpenMode::kTruncate)->Write(0, "older", 5);
  files->Rename(directory / "a", directory / "b");
  CHECK_FALSE(files->Exists(directory / "a"));
  CHECK(files->Open(directory / "b", OpenMode::kRead)->Size() == 3);
  files->Remove(directory / "b");
  CHECK_FALSE(files->Exists(directory / "b"));
}

TEST_CASE("patterns list what matches, sorted", "[common][files]") {
  const TemporaryDirectory directory;
  const auto files = MakePosixFileSystem();
  std::filesystem::create_directories(directory / "x1");
  std::filesystem::create_directories(directory / "x2");
  for (const char* name : {"b.csv", "a.csv", ".hidden.csv", "a.txt", "x1/p.csv", "x2/p.csv", "x2/q.csv"}) {
    files->Open(directory / name, OpenMode::kTruncate);
  }
  using Paths = std::vector<std::string>;
  CHECK(files->Glob(directory / "*.csv") == Paths{directory / "a.csv", directory / "b.csv"});
  CHECK(files->Glob(directory / "a.???") == Paths{directory / "a.csv", directory / "a.txt"});
  CHECK(files->Glob(directory / "x?/p.csv") == Paths{directory / "x1/p.csv", directory / "x2/p.csv"});
  CHECK(files->Glob(directory / "x*/*") ==
        Paths{directory / "x1/p.csv", directory / "x2/p.csv", directory / "x2/q.csv"});
  CHECK(files->Glob(directory / "none*").empty());
  CHECK(files->Glob(directory / "missing") == Paths{directory / "missing"});
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
  CHECK_FALSE(MatchesName(std::string(50, '*') + "b", std::string(10'000, 'a')));
}

TEST_CASE("one file serves several threads", "[common][files]") {
  const TemporaryDirectory directory;
  const auto file = MakePosixFileSystem()->Open(directory / "shared", OpenMode::kTruncate);
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
