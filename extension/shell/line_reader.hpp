// Where the shell's input lines come from: a terminal with line editing, or a file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "signal_watcher.hpp"

namespace scaup::shell {

/// What a call of ReadLine found.
enum class LineEvent { kLine, kEnd, kInterrupted };

/// A source of lines. One thread.
class LineReader {
 public:
  virtual ~LineReader() = default;
  /// The next line without its line feed in `line`. `kInterrupted`: Ctrl-C, the line was given up.
  virtual LineEvent ReadLine(const char* prompt, std::string& line) = 0;
  /// Keeps an entry for the arrow keys and for the next start.
  virtual void AddHistory(const std::string& entry) = 0;
};

/// Reads a file; the caller keeps it open and closes it.
std::unique_ptr<LineReader> MakeFileReader(std::FILE* file);

/// Edits lines on the terminal by libedit. History comes from and goes to $SCAUP_HISTORY or ~/.scaup_history.
/// Borrows the watcher, which tells it of Ctrl-C and of changes of the window.
std::unique_ptr<LineReader> MakeTerminalReader(SignalWatcher& watcher);

}  // namespace scaup::shell
