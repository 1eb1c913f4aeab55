// Output: writes results to standard output, or to the file of `.output`.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace scaup::shell {

/// A buffered output. Borrows standard output, owns a file. Used by one thread.
class Output {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Redirects the output to a file, or to standard output if the path is empty. If the file cannot be
  /// opened, returns false with the reason in errno, and changes nothing.
  bool Redirect(const std::string& path);
  void Write(std::string_view text);
  /// Writes the buffer. Returns false if not all could be written.
  bool Flush();
  /// Returns whether the output is a terminal.
  bool IsTerminal() const;
  bool IsRedirected() const { return file_ != stdout; }

 private:
  std::FILE* file_ = stdout;
  std::string buffer_;
};

}  // namespace scaup::shell
