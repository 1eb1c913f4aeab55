// Shell: reads lines, runs statements and commands, and prints results.
#pragma once

#include <optional>
#include <string>

#include "line_reader.hpp"
#include "options.hpp"
#include "output.hpp"
#include "scaup/connection.hpp"
#include "shell_settings.hpp"
#include "signal_watcher.hpp"
#include "statement_buffer.hpp"

namespace scaup::shell {

/// A shell with one session of one open database. Used by one thread. Borrows the watcher.
class Shell {
 public:
  /// Opens the database. Throws Error if that fails.
  Shell(const Options& options, SignalWatcher& watcher);

  /// Runs everything that the command line asks for. Returns the exit status of the process, which is 1 if a
  /// statement failed, unless the shell is interactive.
  int Run(const Options& options);

  /// Runs statements and dot commands until the input ends or the shell is to stop.
  void RunLines(LineReader& reader, bool interactive);
  /// Runs text as a script. Prints the errors of statements that fail.
  void RunText(const std::string& text);
  /// Runs a file as a script. Returns false, with the reason in errno, if it cannot be opened.
  bool RunFile(const std::string& path);
  /// Runs one statement and prints its result or error. Returns false if it failed.
  bool RunStatement(const std::string& sql, size_t first_line = 0);

  /// Runs a statement of the shell's own, and returns its result without printing it. If it fails, prints the
  /// error and returns nullopt.
  std::optional<QueryResult> TryQuery(const std::string& sql);

  /// Opens another database, or begins a new session of the present one. If it throws, nothing changes.
  void Open(const std::string& path);
  /// Makes the shell end with an exit status once the present line is done.
  void Leave(int status);
  /// Records a failure. With -bail, a script ends then.
  void CountError();

  ShellSettings& settings() { return settings_; }
  Output& output() { return output_; }

 private:
  void HandleLine(LineReader& reader, bool interactive, StatementBuffer& buffer, const std::string& line);
  void Execute(const std::string& sql);
  void ExecuteStreaming(const std::string& sql);
  bool stopping() const { return leave_ || (settings_.bail && failed_ && !settings_.interactive); }

  SignalWatcher& watcher_;
  ShellSettings settings_;
  Output output_;
  Config config_;  ///< for all databases, also those that .open opens
  std::string path_;
  Database database_;
  Connection connection_;
  bool reads_input_ = false;  ///< statements come from the standard input
  bool failed_ = false;
  bool leave_ = false;
  int leave_status_ = 0;
  size_t script_depth_ = 0;
};

}  // namespace scaup::shell
