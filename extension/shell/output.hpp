// Where results go: standard output or the file of `.output`.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace scaup::shell {

/// Buffers what is written. Standard output is borrowed, a file is owned. One thread.
class Output {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Writes to the file from now on; to standard output when the path is empty. False (and nothing changes)
  /// when the file cannot be opened; errno says why.
  bool Redirect(const std::string& path);
  void Write(std::string_view text);
  /// False when not all could be written.
  bool Flush();
  /// True when what is written appears on a terminal.
  bool IsTerminal() const;
  bool IsRedirected() const { return file_ != stdout; }

 private:
  std::FILE* file_ = stdout;
  std::string buffer_;
};

}  // namespace scaup::shell
