// Tests directories that appear whole: names, what becomes of files that are there, failures.
#include "format/files/new_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

#include "../csv/csv_test_context.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

class DirectoryTest : public TableFunctionTest {
 public:
  using Paths = std::vector<std::string>;

  ~DirectoryTest() { std::filesystem::remove_all(own_); }
  std::string At(const std::string& name) const { return own_ + "/" + name; }
  void Put(const std::string& path, const std::string& text) {
    context.files.Open(path, OpenMode::kTruncate)->Write(0, text.data(), text.size());
  }
  std::string Text(const std::string& path) {
    const auto file = context.files.Open(path, OpenMode::kRead);
    std::string text(file->Size(), '\0');
    file->Read(0, text.data(), text.size());
    return text;
  }
  Paths Files(const std::string& directory) {
    Paths paths = context.files.Glob(directory + "/**");
    for (std::string& path : paths) path = path.substr(directory.size() + 1);
    return paths;
  }
  void Make(const std::string& path, ExistingFiles existing, const std::string& pattern,
            const std::string& text) {
    NewDirectory directory(context.files, path, existing);
    uint64_t number = 0;
    Put(directory.AddFile("a=1", pattern, number), text);
    directory.Commit();
  }

 private:
  static std::string MakeOwn() {
    char pattern[] = "/tmp/scaup_directory_XXXXXX";
    return mkdtemp(pattern);
  }
  const std::string own_ = MakeOwn();
};

}  // namespace

TEST_CASE("a directory appears when it is committed", "[format][files]") {
  DirectoryTest test;
  const std::string path = test.At("new");
  {
    NewDirectory directory(test.context.files, path + "/", ExistingFiles::kRefuse);
    uint64_t number = 0;
    test.Put(directory.AddFile("a=1/b=2", "data_{i}", number), "x");
    test.Put(directory.AddFile("a=1/b=2", "data_{i}", number), "y");
    test.Put(directory.AddFile("", "z", number), "z");
    CHECK_FALSE(test.context.files.Exists(path));
    directory.Commit();
  }
  CHECK(test.Files(path) == DirectoryTest::Paths{"a=1/b=2/data_0", "a=1/b=2/data_1", "z"});
  CHECK(test.context.files.Glob(path + ".*").empty());
}

TEST_CASE("a directory that is not committed leaves nothing", "[format][files]") {
  DirectoryTest test;
  const std::string path = test.At("gone");
  {
    NewDirectory directory(test.context.files, path, ExistingFiles::kRefuse);
    uint64_t number = 0;
    test.Put(directory.AddFile("a=1", "data_{i}", number), "x");
    test.Put(directory.AddFile("a=1", "data_{i}", number) + ".hidden", "x");
  }
  CHECK_FALSE(test.context.files.Exists(path));
  CHECK(test.context.files.Glob(path + ".*").empty());
}

TEST_CASE("files that are there stay, or go, as is wanted", "[format][files]") {
  DirectoryTest test;
  const std::string path = test.At("old");
  test.Make(path, ExistingFiles::kRefuse, "f_{i}", "first");
  CHECK_THROWS_AS(test.Make(path, ExistingFiles::kRefuse, "f_{i}", ""), Error);
  test.Make(path, ExistingFiles::kKeep, "f_{i}", "second");
  CHECK(test.Files(path) == DirectoryTest::Paths{"a=1/f_0", "a=1/f_1"});
  CHECK(test.Text(path + "/a=1/f_0") == "first");
  test.Make(path, ExistingFiles::kOverwrite, "f_{i}", "third");
  CHECK(test.Files(path) == DirectoryTest::Paths{"a=1/f_0", "a=1/f_1"});
  CHECK(test.Text(path + "/a=1/f_0") == "third");
  CHECK_THROWS_AS(test.Make(path, ExistingFiles::kKeep, "f_0", ""), Error);
  test.Make(path, ExistingFiles::kReplace, "g", "fourth");
  CHECK(test.Files(path) == DirectoryTest::Paths{"a=1/g"});
  CHECK(test.context.files.Glob(path + ".*").empty());
  CHECK_THROWS_AS(test.Make(path + "/a=1/g", ExistingFiles::kReplace, "x", ""), Error);
}

TEST_CASE("identifiers in names differ from file to file", "[format][files]") {
  DirectoryTest test;
  const std::string path = test.At("uuid");
  NewDirectory directory(test.context.files, path, ExistingFiles::kRefuse);
  uint64_t number = 0;
  for (const char* pattern : {"{uuid}", "{uuidv4}", "{uuidv7}"}) {
    const std::string first = directory.AddFile("", pattern, number);
    CHECK(first.size() == directory.AddFile("", pattern, number).size());
    CHECK(first.find('{') == std::string::npos);
  }
}
