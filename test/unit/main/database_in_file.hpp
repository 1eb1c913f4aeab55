// Opening databases in files for tests: errors as values, and statements in processes of their own.
#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "scaup/scaup.hpp"
#include "scratch_directory.hpp"

namespace scaup::test {

inline Config OneThread(Config config = {}) {
  config["threads"] = "1";
  return config;
}

inline std::string Ask(Connection& connection, const std::string& sql) {
  return connection.Query(sql).GetValue(0, 0).ToString();
}

/// What `body` throws; nothing if it throws nothing.
inline std::optional<Error> ErrorOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

inline std::optional<Error> OpenError(const std::string& path, const Config& config = {}) {
  return ErrorOf([&] { const Database database(path, OneThread(config)); });
}

inline void Execute(const std::string& path, const std::vector<std::string>& statements,
                    const Config& config = {}) {
  const Database database(path, OneThread(config));
  Connection connection(database);
  for (const std::string& statement : statements) connection.Query(statement);
}

/// The exit status of `body` in a process of its own, or 128 and the signal that ended it; 99 if it throws.
/// REQUIRES: this process has one thread.
inline int RunInProcess(const std::function<int()>& body) {
  const pid_t child = fork();
  REQUIRE(child != -1);
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      static_cast<void>(!write(STDERR_FILENO, error.what(), std::char_traits<char>::length(error.what())));
    }
    _exit(status);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Executes statements and leaves the database as a process that is killed does: its log stays.
inline void ExecuteAndBeKilled(const std::string& path, const std::vector<std::string>& statements) {
  const int status = RunInProcess([&] {
    const Database database(path, OneThread());
    Connection connection(database);
    for (const std::string& statement : statements) connection.Query(statement);
    raise(SIGKILL);
    return 0;
  });
  REQUIRE(status == 128 + SIGKILL);
}

}  // namespace scaup::test
