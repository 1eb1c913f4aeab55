// The memory limit, seen from outside: what a process of its own takes at most while it makes and reads a table
// that is much larger.
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

}  // namespace scaup
