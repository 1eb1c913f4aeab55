// What cannot be opened as a database: a clear error, and no byte of any file is changed.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "common/checksum.hpp"
#include "database_in_file.hpp"
#include "storage/file/file_header.hpp"
#include "storage/wal/log_format.hpp"

namespace scaup::test {

namespace {

/// Opening fails so in every mode, with a message that names the file, and leaves the directory as it is.
void CheckRefused(const ScratchDirectory& directory, const std::string& name, const std::string& sqlstate,
                  const std::string& fragment) {
  const auto before = directory.Contents();
  for (const char* mode : {"automatic", "read_write", "read_only"}) {
    INFO(name << ", access_mode " << mode);
    const auto error = OpenError(directory / name, {{"access_mode", mode}});
    REQUIRE(error);
    CHECK(error->sqlstate() == sqlstate);
    CHECK_THAT(error->message(), Catch::Contains(fragment) && Catch::Contains(directory / name));
    CHECK((directory.Contents() == before));
  }
}

std::string Repeat(const std::string& text, size_t size_bytes) {
  std::string result;
  while (result.size() < size_bytes) result += text;
  return result;
}

/// Writes another format version into the copies of a file's header, as a newer version would.
std::string WithVersion(std::string bytes, uint32_t version, size_t first_copy, size_t last_copy) {
  for (size_t copy = first_copy; copy <= last_copy; copy++) {
    char* header = bytes.data() + copy * kFileBlockBytes;
    std::memcpy(header + 8, &version, sizeof(version));
    const uint64_t checksum =
        Checksum(std::as_bytes(std::span(static_cast<const char*>(header), kHeaderBytes - 8)));
    std::memcpy(header + kHeaderBytes - 8, &checksum, sizeof(checksum));
  }
  return bytes;
}

const std::vector<std::string> kSomeTables = {
    "CREATE TABLE t AS SELECT i, 'text ' || (i * 7919 % 100003) AS s FROM range(150000) AS r(i)",
    "CREATE TABLE u AS SELECT i FROM range(10) AS r(i)"};

}  // namespace

TEST_CASE("files of others are no databases", "[file]") {
  const ScratchDirectory directory;
  directory.Write("text", "These are notes.\nThey matter to somebody.\n");
  directory.Write("long", Repeat("These are notes.\n", 700'000));
  directory.Write("sqlite", std::string("SQLite format 3\0", 16) + std::string(8176, '\x01'));
  directory.Write("png", "\x89PNG\r\n\x1a\n" + std::string(300'000, '\x7f'));
  directory.Write("zeros", std::string(600'000, '\0'));
  directory.Write("magic", "SCAUPDB\n");
  for (const char* name : {"text", "long", "sqlite", "png", "zeros", "magic"}) {
    CheckRefused(directory, name, "XX001", "is not a Scaup database");
  }
}

TEST_CASE("an empty file becomes a database", "[file]") {
  const ScratchDirectory directory;
  directory.Write("empty", "");
  Execute(directory / "empty", kSomeTables);
  CHECK_FALSE(OpenError(directory / "empty", {{"access_mode", "read_only"}}));
}

TEST_CASE("a file that is cut off is found out", "[file]") {
  const ScratchDirectory directory;
  Execute(directory / "whole.scaup", kSomeTables);
  const std::string whole = directory.Read("whole.scaup");
  std::vector<size_t> lengths = {1, 7, 8, 47, 48, 4095, 4096, 4097, 100'000, whole.size() - 1};
  for (size_t end = kFileBlockBytes; end < whole.size(); end += kFileBlockBytes) {
    lengths.insert(lengths.end(), {end - 1, end, end + 1, end + 4096});
  }
  REQUIRE(lengths.size() > 20);
  size_t refused = 0;
  for (const size_t length : lengths) {
    if (length >= whole.size()) continue;
    INFO("cut off at " << length << " of " << whole.size());
    directory.Write("cut.scaup", whole.substr(0, length));
    const auto before = directory.Contents();
    for (const char* mode : {"automatic", "read_only"}) {
      const auto open_error = OpenError(directory / "cut.scaup", {{"access_mode", mode}});
      const auto error = open_error ? open_error : ErrorOf([&] {
        Execute(directory / "cut.scaup", {"SELECT max(i), max(s) FROM t", "SELECT max(i) FROM u"},
                {{"access_mode", mode}});
      });
      refused += open_error ? 1 : 0;
      REQUIRE(error);
      CHECK(error->kind() == ErrorKind::kIo);
      CHECK(error->sqlstate() == std::string("XX001"));
      CHECK_THAT(error->message(), Catch::Contains(directory / "cut.scaup"));
    }
    CHECK((directory.Contents() == before));
  }
  CHECK(refused > lengths.size());  // Two modes: nearly all of them are found out when opening.
}

TEST_CASE("a file of a newer version is left to that version", "[file]") {
  const ScratchDirectory directory;
  Execute(directory / "old.scaup", kSomeTables);
  const std::string bytes = directory.Read("old.scaup");
  directory.Write("both.scaup", WithVersion(bytes, kFileFormatVersion + 1, 0, 1));
  directory.Write("first.scaup", WithVersion(bytes, kFileFormatVersion + 1, 0, 0));
  directory.Write("second.scaup", WithVersion(bytes, kFileFormatVersion + 7, 1, 1));
  const std::string next = "has format " + std::to_string(kFileFormatVersion + 1);
  CheckRefused(directory, "both.scaup", "0A000", next);
  CheckRefused(directory, "first.scaup", "0A000", next);
  CheckRefused(directory, "second.scaup", "0A000", "has format " + std::to_string(kFileFormatVersion + 7));
  directory.Write("older.scaup", WithVersion(bytes, kFileFormatVersion - 1, 0, 1));
  CheckRefused(directory, "older.scaup", "0A000", "open it with an older version");
  // What this wrote is a file of ours but for the version.
  directory.Write("same.scaup", WithVersion(bytes, kFileFormatVersion, 0, 1));
  CHECK((directory.Read("same.scaup") == bytes));
  CHECK_FALSE(OpenError(directory / "same.scaup"));
}

TEST_CASE("directories, missing directories and forbidden files", "[file]") {
  const ScratchDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  const auto is_directory = OpenError(directory / "folder");
  REQUIRE(is_directory);
  CHECK(is_directory->sqlstate() == std::string("58030"));
  CHECK_THAT(is_directory->message(), Catch::Contains("Is a directory"));

  const auto no_parent = OpenError(directory / "nowhere/x.scaup");
  REQUIRE(no_parent);
  CHECK(no_parent->sqlstate() == std::string("58P01"));
  CHECK_THAT(no_parent->message(),
             Catch::Contains(directory / "nowhere/x.scaup") && !Catch::Contains(".new"));

  const auto missing = OpenError(directory / "missing.scaup", {{"access_mode", "read_only"}});
  REQUIRE(missing);
  CHECK(missing->sqlstate() == std::string("58P01"));
  CHECK(std::filesystem::is_empty(directory / "folder"));
  CHECK(directory.Contents().empty());

  directory.Write("notes", "not a directory");
  CHECK(OpenError(directory / "notes/x.scaup"));
}

TEST_CASE("files that may not be read or written", "[file]") {
  const ScratchDirectory directory;
  const std::string path = directory / "locked.scaup";
  Execute(path, {"CREATE TABLE t (i INTEGER)"});
  chmod(directory.path().c_str(), 0755);
  const auto before = directory.Contents();
  // The superuser may do everything; so this is done by somebody else.
  const auto open_as_nobody = [&](mode_t mode, const Config& config) {
    chmod(path.c_str(), mode);
    return RunInProcess([&] {
      if (geteuid() == 0 && setuid(65534) != 0) return 1;
      const auto error = OpenError(path, config);
      if (!error) return 0;
      const bool is_clear = error->sqlstate() == std::string("58030") &&
                            error->message().find("Permission denied") != std::string::npos &&
                            error->message().find(path) != std::string::npos;
      return is_clear ? 58 : 2;
    });
  };
  const Config read_only = {{"access_mode", "read_only"}};
  CHECK(open_as_nobody(0, {}) == 58);
  CHECK(open_as_nobody(0, read_only) == 58);
  CHECK(open_as_nobody(0444, {}) == 58);
  CHECK(open_as_nobody(0444, read_only) == 0);
  chmod(path.c_str(), 0600);
  CHECK((directory.Contents() == before));
}

TEST_CASE("a log that does not belong to the file is no reason to lose either", "[file]") {
  const ScratchDirectory directory;
  Execute(directory / "a.scaup", kSomeTables);
  directory.Write("a.scaup.wal", "These are notes.\n");
  CheckRefused(directory, "a.scaup", "XX001", "a.scaup.wal");

  // Of another database.
  ExecuteAndBeKilled(directory / "b.scaup", {"CREATE TABLE b (i INTEGER)", "INSERT INTO b VALUES (1)"});
  const std::string log_of_b = directory.Read("b.scaup.wal");
  directory.Write("a.scaup.wal", log_of_b);
  CheckRefused(directory, "a.scaup", "XX001", "is the log of another database");

  // Of a newer version.
  std::string newer = log_of_b;
  const uint32_t version = kLogFormatVersion + 1;
  std::memcpy(newer.data() + offsetof(LogHeader, format_version), &version, sizeof(version));
  LogHeader header;
  std::memcpy(&header, newer.data(), sizeof(header));
  header.checksum = HeaderChecksum(header);
  std::memcpy(newer.data(), &header, sizeof(header));
  directory.Write("b.scaup.wal", newer);
  CheckRefused(directory, "b.scaup", "0A000", "b.scaup.wal");

  // Of a later state of the file: the file was replaced by an old copy.
  directory.Write("b.scaup.wal", log_of_b);
  const std::string old_file = directory.Read("b.scaup");
  Execute(directory / "b.scaup", {"INSERT INTO b VALUES (2)"});
  ExecuteAndBeKilled(directory / "b.scaup", {"INSERT INTO b VALUES (3)"});
  directory.Write("b.scaup", old_file);
  CheckRefused(directory, "b.scaup", "XX001", "is older than its log");
}

TEST_CASE("a log of a former checkpoint is no matter", "[file]") {
  const ScratchDirectory directory;
  ExecuteAndBeKilled(directory / "a.scaup", {"CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1)"});
  const std::string old_log = directory.Read("a.scaup.wal");
  Execute(directory / "a.scaup", {"INSERT INTO t VALUES (2)"});
  REQUIRE(directory.Contents().size() == 1);
  directory.Write("a.scaup.wal", old_log);
  directory.Write("a.scaup.wal.new", "what a killed process left");
  const auto before = directory.Contents();
  Execute(directory / "a.scaup", {"SELECT * FROM t"}, {{"access_mode", "read_only"}});
  CHECK((directory.Contents() == before));
  Execute(directory / "a.scaup", {"SELECT * FROM t"});
  CHECK(directory.Contents().size() == 1);
  directory.Write("a.scaup.wal", old_log);
  {
    const Database database(directory / "a.scaup", OneThread());
    Connection connection(database);
    CHECK(Ask(connection, "SELECT sum(i) FROM t") == "3");
    connection.Query("INSERT INTO t VALUES (4)");
  }
  CHECK(directory.Contents().size() == 1);
  const Database database(directory / "a.scaup", OneThread());
  Connection connection(database);
  CHECK(Ask(connection, "SELECT sum(i) FROM t") == "7");
}

}  // namespace scaup::test
