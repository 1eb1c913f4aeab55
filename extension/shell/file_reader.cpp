// File reader: reads lines of a file or pipe.
#include <cstdlib>

#include "line_reader.hpp"

namespace scaup::shell {

namespace {

class FileReader : public LineReader {
 public:
  explicit FileReader(std::FILE* file) : file_(file) {}
  ~FileReader() override { std::free(buffer_); }

  LineEvent ReadLine(const char*, std::string& line) override {
    ssize_t length = getline(&buffer_, &capacity_, file_);
    if (length < 0) return LineEvent::kEnd;
    if (length > 0 && buffer_[length - 1] == '\n') --length;
    if (length > 0 && buffer_[length - 1] == '\r') --length;
    line.assign(buffer_, static_cast<size_t>(length));
    // A byte order mark would become part of the first name.
    if (first_ && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
    first_ = false;
    return LineEvent::kLine;
  }

  void AddHistory(const std::string&) override {}

 private:
  std::FILE* file_;
  char* buffer_ = nullptr;
  size_t capacity_ = 0;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<LineReader> MakeFileReader(std::FILE* file) { return std::make_unique<FileReader>(file); }

}  // namespace scaup::shell
