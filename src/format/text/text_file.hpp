// Text files, plain or gzipped, that several threads read in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/file/file_system.hpp"
#include "common/file/new_file.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/text/gzip_stream.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class TextCompression : uint8_t { kAuto = 0, kNone = 1, kGzip = 2 };

/// A file as it was when bound.
struct TextFile {
  std::string path;
  bool is_gzip = false;
  uint64_t size_bytes = 0;  ///< as stored
  uint64_t data_begin = 0;  ///< the offset where reading begins, in the decompressed file
};

/// Opens the file to determine its size and, if `compression` is kAuto, its compression from the first bytes.
/// Throws Error(kIo).
TextFile LookAtTextFile(FileSystem& files, const std::string& path, TextCompression compression);
/// Up to `size_bytes` from the beginning of the decompressed file.
std::string ReadTextHead(FileSystem& files, const std::string& path, bool is_gzip, size_t size_bytes);
/// The line number (from 1) of the byte at `offset` of the decompressed file. Reads the file up to there.
uint64_t LineNumberAt(FileSystem& files, const TextFile& file, uint64_t offset, char newline);
/// Whether the path ends with `lower_ending`, in any case.
bool PathEndsWith(std::string_view path, std::string_view lower_ending);

/// The number of readable bytes after a chunk's text; parsers may read up to there.
inline constexpr size_t kTextPadding = 64;

/// The text of one chunk; its memory is accounted for. Shared by the vectors whose strings point into it.
class TextBuffer {
 public:
  explicit TextBuffer(MemoryTracker& memory) : memory_(memory), reservation_(memory) {}
  /// Grows the buffer and retains its contents. kTextPadding more bytes follow `size_bytes`. Throws
  /// Error(kIo, 54000) beyond 4 GiB, because positions have 32 bits.
  void Grow(size_t size_bytes);
  char* data() { return data_.get(); }
  size_t capacity() const { return capacity_; }
  size_t size = 0;  ///< bytes read

 private:
  MemoryTracker& memory_;
  MemoryReservation reservation_;
  std::unique_ptr<char[]> data_;
  size_t capacity_ = 0;
};

/// A text file being written, which appears whole or not at all. One thread at a time.
class TextFileWriter {
 public:
  /// Creates the file under a temporary name; kAuto gzips it if the path ends with .gz. Throws Error(kIo).
  TextFileWriter(FileSystem& files, NewFilePath path, TextCompression compression);
  ~TextFileWriter();
  TextFileWriter(const TextFileWriter&) = delete;
  TextFileWriter& operator=(const TextFileWriter&) = delete;

  const std::string& path() const { return file_.path(); }
  /// Bytes of text so far, before they are compressed.
  uint64_t size_bytes() const { return size_bytes_; }
  void Write(std::string_view text);
  /// Writes what is buffered; the file is then complete.
  void Finish();

 private:
  NewFile file_;
  std::unique_ptr<GzipWriter> gzip_;
  uint64_t size_bytes_ = 0;
};

}  // namespace scaup
