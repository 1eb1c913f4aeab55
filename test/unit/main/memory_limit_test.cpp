// The memory limit, seen from outside: what a process of its own takes at most while it makes and reads a
// table that is much larger.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scaup/scaup.hpp"

namespace scaup {

namespace {

/// Peak of the memory that this process had.
size_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

class OwnDirectory {
 public:
  OwnDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_limit_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~OwnDirectory() { std::filesystem::remove_all(path_); }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Report {
  std::vector<std::string> lines;  // The first value of each statement's result, or its error.
  size_t peak_bytes = 0;
};

/// Runs this program's test "statements of a child" in a process of its own.
Report RunInChild(const OwnDirectory& directory, const std::string& limit, int threads,
                  const std::string& statements) {
  const std::string output = directory.File("report");
  std::ofstream(directory.File("statements")) << statements;
  const pid_t child = fork();
  if (child == 0) {
    setenv("SCAUP_CHILD_DIRECTORY", directory.File("").c_str(), 1);
    setenv("SCAUP_CHILD_LIMIT", limit.c_str(), 1);
    setenv("SCAUP_CHILD_THREADS", std::to_string(threads).c_str(), 1);
    std::freopen("/dev/null", "w", stdout);
    execl("/proc/self/exe", "unit_main", "statements of a child", static_cast<char*>(nullptr));
    _exit(127);
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  Report report;
  std::ifstream input(output);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("peak ")) {
      report.peak_bytes = std::stoull(line.substr(5));
    } else {
      report.lines.push_back(line);
    }
  }
  return report;
}

}  // namespace

TEST_CASE("statements of a child", "[.]") {
  const char* directory = std::getenv("SCAUP_CHILD_DIRECTORY");
  if (directory == nullptr) return;
  std::ofstream report(std::string(directory) + "report");
  {
    const Database database(std::string(directory) + "database",
                            {{"threads", std::getenv("SCAUP_CHILD_THREADS")},
                             {"memory_limit", std::getenv("SCAUP_CHILD_LIMIT")}});
    Connection connection(database);
    std::ifstream statements(std::string(directory) + "statements");
    for (std::string sql; std::getline(statements, sql);) {
      try {
        const QueryResult result = connection.Query(sql);
        if (result.row_count() != 0) report << result.GetValue(0, 0).ToString() << '\n';
      } catch (const Error& error) {
        report << error.sqlstate() << ' ' << error.what() << '\n';
      }
      if (std::getenv("SCAUP_CHILD_VERBOSE") != nullptr)
        std::fprintf(stderr, "peak %zu MiB after %s\n", PeakBytes() >> 20, sql.c_str());
    }
  }
  report << "peak " << PeakBytes() << '\n';
}

// Sanitizers take memory of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST_CASE("A table of 300 MB is made, read and sorted within a limit of 40 MiB", "[memory_limit]") {
  const OwnDirectory directory;
  // What the program takes without any data, and what is not worth an account.
  constexpr size_t kAllowedBytes = size_t{40 + 45} << 20;
  const Report made =
      RunInChild(directory, "40MiB", 2,
                 "CREATE TABLE t AS SELECT i, ((i*1900556083)%2147483647) * 2147483647 + i AS a, "
                 "((i*1680700123)%2147483647)::DOUBLE / 1234567.89 AS d, ((i*1402024253)%2147483399) AS b, "
                 "((i*1900556083)%2147483647) || '-' || ((i * 1741137697) % 2147483647) AS s, i % 10 AS g "
                 "FROM generate_series(1::bigint, 4000000) AS r(i)\n");
  CHECK(made.lines.empty());
  CHECK(made.peak_bytes > 0);
  CHECK(made.peak_bytes < kAllowedBytes);
  CHECK(std::filesystem::file_size(directory.File("database")) > (size_t{90} << 20));

  const std::string sums = "SELECT sum(a) + sum(b) + count(*) + min(a) + sum(length(s)) FROM t\n";
  const Report read =
      RunInChild(directory, "40MiB", 2,
                 sums + "SELECT max(c) FROM (SELECT g, sum(b) AS c FROM t GROUP BY g) AS groups\n" + sums);
  REQUIRE(read.lines.size() == 3);
  CHECK(read.lines[0] == read.lines[2]);
  for (const std::string& line : read.lines) CHECK(line.find(' ') == std::string::npos);  // No errors.
  CHECK(read.peak_bytes < kAllowedBytes);

  const std::string sorted = "SELECT s FROM t ORDER BY s DESC LIMIT 2 OFFSET 2500000\n";
  const Report spilled = RunInChild(directory, "40MiB", 2, sorted);
  CHECK(spilled.peak_bytes < kAllowedBytes);
  const Report in_memory = RunInChild(directory, "4GiB", 1, sorted);
  REQUIRE(in_memory.lines.size() == 1);
  CHECK(in_memory.lines[0].find(' ') == std::string::npos);
  CHECK(spilled.lines == in_memory.lines);
  // Nothing but the database, the report and the statements.
  for (const auto& entry : std::filesystem::directory_iterator(directory.File(""))) {
    const std::string name = entry.path().filename().string();
    CHECK((name == "database" || name == "report" || name == "statements"));
  }
}

#endif

}  // namespace scaup
