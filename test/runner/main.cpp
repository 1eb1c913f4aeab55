// scaup_test_runner: runs SQL tests. See README.md.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "file_runner.hpp"

namespace scaup::test {
namespace {

struct CommandLine {
  Options options;
  std::vector<std::string> patterns;
  size_t jobs = 1;
  size_t seed_count = 1;  // of shortages of memory
  bool list = false;
  bool self_test = false;
  bool help = false;
};

constexpr const char* kUsage =
    "usage: scaup_test_runner [options] [file | folder | pattern ...]\n"
    "  Runs the .test files below test/sql; with patterns (* and ? allowed), those whose path contains one.\n"
    "  --threads N           threads of every database\n"
    "  --setting name=value  setting of every database; may be repeated\n"
    "  --file                every database in a file of its own, not in memory\n"
    "  --stream              statements as streams, fetched in parts of 1, 7 or 1024 rows\n"
    "  --export              every database is exported and imported at its file's end, and compared\n"
    "  --shortage SEED       memory seems to be short now and then, by the seed; statements may end for it\n"
    "                        and run again (SCAUP_SHORTAGE_SEEDS, SCAUP_SHORTAGE_FIRST_SEED: how many, and "
    "the first)\n"
    "  --light               without the files that take long: those with `require heavy`\n"
    "  --jobs N              files that run at once\n"
    "  --timeout SECONDS     for each record, 60 if not given (300 with a sanitizer)\n"
    "  --data-dir FOLDER     what ${DATA_DIR} stands for, test/data if not given\n"
    "  --update              rewrite expected results in the files\n"
    "  --list                print the files and end\n"
    "  --verbose             name each record before it runs\n"
    "  --self-test           each file says in a line '# expect: P passed, F failed' how it must end\n";

/// The file that this thread runs, for the message when the process crashes.
thread_local char current_file[512];

void ReportCrash(int signal_number) {
  const char message[] = "\ncrashed while running ";
  ssize_t ignored = write(STDERR_FILENO, message, sizeof(message) - 1);
  ignored = write(STDERR_FILENO, current_file, std::strlen(current_file));
  ignored = write(STDERR_FILENO, "\n", 1);
  static_cast<void>(ignored);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

std::optional<size_t> ParseCount(const std::string& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

std::optional<size_t> FromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::nullopt : ParseCount(text);
}

/// An error message, or nullopt.
std::optional<std::string> ParseCommandLine(int count, char** words, CommandLine& command) {
  command.options.data_directory = SCAUP_TEST_ROOT "/data";
  command.jobs = std::max(1U, std::thread::hardware_concurrency());
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    if (word == "--list")
      command.list = true;
    else if (word == "--update")
      command.options.update = true;
    else if (word == "--verbose")
      command.options.verbose = true;
    else if (word == "--self-test")
      command.self_test = true;
    else if (word == "--help")
      command.help = true;
    else if (word == "--file")
      command.options.on_files = true;
    else if (word == "--stream")
      command.options.streams = true;
    else if (word == "--export")
      command.options.check_exports = true;
    else if (word == "--light")
      command.options.light = true;
    else if (!word.starts_with("--"))
      command.patterns.push_back(word);
    else if (i + 1 == count)
      return word + " wants a value, or is unknown";
    else {
      const std::string value = words[++i];
      const std::optional<size_t> number = ParseCount(value);
      if (word == "--data-dir") {
        command.options.data_directory = value;
      } else if (word == "--setting") {
        const size_t equals = value.find('=');
        if (equals == std::string::npos) return "--setting wants name=value, not " + value;
        command.options.config[value.substr(0, equals)] = value.substr(equals + 1);
      } else if (!number) {
        return "not a positive number after " + word + ": " + value;
      } else if (word == "--threads") {
        command.options.config["threads"] = value;
      } else if (word == "--jobs") {
        command.jobs = *number;
      } else if (word == "--shortage") {
        command.options.shortage_seed = FromEnvironment("SCAUP_SHORTAGE_FIRST_SEED").value_or(*number);
        command.seed_count = FromEnvironment("SCAUP_SHORTAGE_SEEDS").value_or(1);
      } else if (word == "--timeout") {
        command.options.timeout_seconds = *number;
      } else {
        return "unknown option " + word;
      }
    }
  }
  return std::nullopt;
}

/// Does `pattern` of characters, * and ? match all of `text`?
bool Matches(const std::string& pattern, const std::string& text) {
  size_t p = 0, t = 0, star = std::string::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      p++;
      t++;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') p++;
  return p == pattern.size();
}

void AddFolder(const std::filesystem::path& folder, std::vector<std::string>& files) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".test")
      files.push_back(entry.path().string());
  }
}

std::vector<std::string> FindFiles(const CommandLine& command) {
  std::vector<std::string> files, all;
  const std::filesystem::path root = SCAUP_TEST_ROOT "/sql";
  if (std::filesystem::is_directory(root)) AddFolder(root, all);
  if (command.patterns.empty()) files = all;
  for (const std::string& pattern : command.patterns) {
    if (std::filesystem::is_directory(pattern)) {
      AddFolder(pattern, files);
    } else if (std::filesystem::is_regular_file(pattern)) {
      files.push_back(pattern);
    } else {
      for (const std::string& file : all) {
        if (Matches("*" + pattern + "*", file)) files.push_back(file);
      }
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

/// With --self-test: turns a report into one check, whether the counts are what the file says.
void CheckSelfTest(const std::string& path, FileReport& report) {
  const std::string got =
      "# expect: " + std::to_string(report.passed) + " passed, " + std::to_string(report.failed) + " failed";
  std::string expected;
  std::vector<std::string> fragments;
  FILE* file = std::fopen(path.c_str(), "r");
  for (char line[1024]; file != nullptr && std::fgets(line, sizeof(line), file) != nullptr;) {
    std::string text = line;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.starts_with("# expect: ")) expected = text;
    if (text.starts_with("# says: ")) fragments.push_back(text.substr(8));
  }
  if (file != nullptr) std::fclose(file);
  std::string missing;
  for (const std::string& fragment : fragments) {
    if (report.text.find(fragment) == std::string::npos)
      missing += path + ": does not say: " + fragment + "\n";
  }
  const bool good = got == expected && missing.empty();
  report.passed = good ? 1 : 0;
  report.failed = good ? 0 : 1;
  report.text = good ? "" : path + ":\n  want " + expected + "\n  got  " + got + "\n" + missing + report.text;
}

int RunAll(const CommandLine& command, const std::vector<std::string>& files) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  size_t passed = 0, failed = 0, lacked = 0, skipped_files = 0;
  const auto work = [&] {
    Watchdog watchdog(std::chrono::seconds(command.options.timeout_seconds));
    Options options = command.options;
    for (size_t i = next++; i < files.size() * command.seed_count; i = next++) {
      const std::string& file = files[i % files.size()];
      if (options.shortage_seed != 0)
        options.shortage_seed = command.options.shortage_seed + i / files.size();
      std::snprintf(current_file, sizeof(current_file), "%s --shortage %zu", file.c_str(),
                    static_cast<size_t>(options.shortage_seed));
      FileReport report = FileRunner(options, watchdog, file).Run();
      if (command.self_test) CheckSelfTest(file, report);
      std::lock_guard lock(mutex);
      passed += report.passed;
      failed += report.failed;
      lacked += report.lacked;
      if (!report.skipped.empty()) {
        skipped_files++;
        std::printf("%s: rest skipped: %s\n", file.c_str(), report.skipped.c_str());
      }
      std::fputs(report.text.c_str(), stdout);
      std::fflush(stdout);
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(command.jobs, files.size()); i++) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (command.options.shortage_seed != 0) std::printf("%zu statements lacked memory at first\n", lacked);
  std::printf("%zu files, %zu of them skipped in part\n%zu passed, %zu failed\n",
              files.size() * command.seed_count, skipped_files, passed, failed);
  return failed == 0 ? 0 : 1;
}

int Main(int count, char** words) {
  CommandLine command;
  if (const std::optional<std::string> error = ParseCommandLine(count, words, command)) {
    std::fprintf(stderr, "%s\n%s", error->c_str(), kUsage);
    return 2;
  }
  if (command.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  const std::vector<std::string> files = FindFiles(command);
  if (command.list) {
    for (const std::string& file : files) std::printf("%s\n", file.c_str());
    return 0;
  }
  if (files.empty()) {
    std::fprintf(stderr, "no test files match\n");
    return 2;
  }
  for (const int signal_number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) signal(signal_number, ReportCrash);
  return RunAll(command, files);
}

}  // namespace
}  // namespace scaup::test

int main(int count, char** words) { return scaup::test::Main(count, words); }
