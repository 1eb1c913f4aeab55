// Opens, reads and writes text files.
#include "format/text/text_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "common/throw.hpp"
#include "type/number/number_text.hpp"

namespace scaup {

namespace {

constexpr size_t kMostBufferBytes = (size_t{1} << 32) - 4096;

}  // namespace

TextFile LookAtTextFile(FileSystem& files, const std::string& path, TextCompression compression) {
  const auto file = files.Open(path, OpenMode::kRead);
  TextFile result;
  result.path = path;
  result.size_bytes = file->Size();
  unsigned char magic[2] = {};
  const bool has_magic = file->Read(0, magic, 2) == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
  result.is_gzip =
      compression == TextCompression::kGzip || (compression == TextCompression::kAuto && has_magic);
  return result;
}

uint64_t LineNumberAt(FileSystem& files, const TextFile& file, uint64_t offset, char newline) {
  const auto source = files.Open(file.path, OpenMode::kRead);
  std::unique_ptr<GzipReader> gzip;
  if (file.is_gzip) gzip = std::make_unique<GzipReader>(*source);
  std::vector<char> buffer(1 << 20);
  uint64_t line = 1, position = 0;
  while (position < offset) {
    const size_t wanted = std::min<uint64_t>(buffer.size(), offset - position);
    const size_t got =
        gzip != nullptr ? gzip->Read(buffer.data(), wanted) : source->Read(position, buffer.data(), wanted);
    line += static_cast<uint64_t>(std::count(buffer.data(), buffer.data() + got, newline));
    position += got;
    if (got < wanted) break;
  }
  return line;
}

std::string ReadTextHead(FileSystem& files, const std::string& path, bool is_gzip, size_t size_bytes) {
  const auto source = files.Open(path, OpenMode::kRead);
  if (!is_gzip) size_bytes = std::min<uint64_t>(size_bytes, source->Size());
  std::string head(size_bytes, '\0');
  head.resize(is_gzip ? GzipReader(*source).Read(head.data(), size_bytes)
                      : source->Read(0, head.data(), size_bytes));
  return head;
}

bool PathEndsWith(std::string_view path, std::string_view lower_ending) {
  return path.size() >= lower_ending.size() &&
         EqualsIgnoringCase(path.substr(path.size() - lower_ending.size()), lower_ending);
}

void TextBuffer::Grow(size_t size_bytes) {
  if (size_bytes <= capacity_) return;
  if (size_bytes > kMostBufferBytes) {
    ThrowError(ErrorKind::kIo, sqlstate::kProgramLimitExceeded,
               "a row or document of a file is longer than 4 GiB");
  }
  MemoryReservation grown(memory_);
  grown.Resize(size_bytes + kTextPadding);
  std::unique_ptr<char[]> data(new char[size_bytes + kTextPadding]);  // not zeroed
  if (size != 0) std::memcpy(data.get(), data_.get(), size);
  data_ = std::move(data);
  capacity_ = size_bytes;
  reservation_ = std::move(grown);
}

TextFileWriter::TextFileWriter(FileSystem& files, NewFilePath path, TextCompression compression)
    : file_(files, std::move(path)) {
  if (compression == TextCompression::kGzip ||
      (compression == TextCompression::kAuto && PathEndsWith(file_.path(), ".gz")))
    gzip_ = std::make_unique<GzipWriter>(file_.file());
}

TextFileWriter::~TextFileWriter() = default;

void TextFileWriter::Write(std::string_view text) {
  size_bytes_ += text.size();
  if (gzip_ != nullptr) {
    gzip_->Write(text);
  } else {
    file_.Append(text.data(), text.size());
  }
}

void TextFileWriter::Finish() {
  if (gzip_ != nullptr) gzip_->Finish();
  gzip_.reset();
  file_.Finish();
}

}  // namespace scaup
