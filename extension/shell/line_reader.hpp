// Line reader: reads the shell's input from a terminal with line editing, or from a file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "signal_watcher.hpp"

namespace scaup::shell {

/// The result of a call of ReadLine.
enum class LineEvent { kLine, kEnd, kInterrupted };

/// A source of lines. Used by one thread.
class LineReader {
 public:
  virtual ~LineReader() = default;
  /// Reads the next line, without its line feed, into `line`. Returns kInterrupted if Ctrl-C dropped the
  /// line.
  virtual LineEvent ReadLine(const char* prompt, std::string& line) = 0;
  /// Adds an entry to the history, which a terminal saves for the next start.
  virtual void AddHistory(const std::string& entry) = 0;
};

/// Returns a reader of a file. Borrows the file, which the caller closes.
std::unique_ptr<LineReader> MakeFileReader(std::FILE* file);

/// Returns a reader with line editing by libedit. The history is in $SCAUP_HISTORY or ~/.scaup_history.
/// Borrows the watcher, from which it learns of Ctrl-C and of changes of the window's size.
std::unique_ptr<LineReader> MakeTerminalReader(SignalWatcher& watcher);

}  // namespace scaup::shell
