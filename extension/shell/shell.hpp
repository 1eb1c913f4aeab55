// The shell itself: reads lines, runs statements and commands, prints results.
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

/// One session with one open database. One thread; the watcher outlives it.
class Shell {
 public:
  /// Throws Error when the database cannot be opened.
  Shell(const Options& options, SignalWatcher& watcher);

  /// Runs all that the command line asks for; the process's exit status: 1 if a statement failed and nobody
  /// was there to see it.
  int Run(const Options& options);

  /// Runs statements and dot commands until the reader ends or something asks to stop.
  void RunLines(LineReader& reader, bool interactive);
  /// Runs text as a script of its own. Statements that fail are reported.
  void RunText(const std::string& text);
  /// Runs a file as a script. False if it cannot be opened.
  bool RunFile(const std::string& path);
  /// Runs one statement and prints its result or error. False if it failed.
  bool RunStatement(const std::string& sql, size_t first_line = 0);

  /// The result of a statement of the shell's own, not printed; nothing if it failed, which is reported.
  std::optional<QueryResult> TryQuery(const std::string& sql);

  /// Opens another database, or begins a new session of this one; the one before stays when that throws.
  void Open(const std::string& path);
  void Leave(int status);
  /// Remembers that something failed; with -bail, nothing more is run.
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
  std::string path_;
  Database database_;
  Connection connection_;
  bool failed_ = false;
  bool leave_ = false;
  int leave_status_ = 0;
  size_t script_depth_ = 0;
};

}  // namespace scaup::shell
