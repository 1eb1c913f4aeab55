// Output: buffers results and writes them.
#include "output.hpp"

#include <unistd.h>

namespace scaup::shell {

namespace {

constexpr size_t kBufferBytes = 1 << 16;

}  // namespace

Output::~Output() {
  Flush();
  if (file_ != stdout) std::fclose(file_);
}

bool Output::Redirect(const std::string& path) {
  std::FILE* next = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (next == nullptr) return false;
  Flush();
  if (file_ != stdout) std::fclose(file_);
  file_ = next;
  return true;
}

void Output::Write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() < kBufferBytes) return;
  // An error is reported by the next Flush, which asks ferror.
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  buffer_.clear();
}

bool Output::Flush() {
  const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_) == buffer_.size();
  buffer_.clear();
  return std::fflush(file_) == 0 && written && std::ferror(file_) == 0;
}

bool Output::IsTerminal() const { return isatty(fileno(file_)) != 0; }

}  // namespace scaup::shell
