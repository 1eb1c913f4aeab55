// Files of text, plain or gzipped, that several threads read in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/text/gzip_stream.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class TextCompression : uint8_t { kAuto = 0, kNone = 1, kGzip = 2 };

/// A file as the binder saw it.
struct TextFile {
  std::string path;
  bool is_gzip = false;
  uint64_t size_bytes = 0;  ///< as stored
  uint64_t data_begin = 0;  ///< where what is read begins, after inflating
};

/// Opens the file for a look: at its size, and at its first bytes where `compression` is kAuto. Throws
/// Error(kIo).
TextFile LookAtTextFile(FileSystem& files, const std::string& path, TextCompression compression);
/// Up to `size_bytes` from the beginning of the inflated file.
std::string ReadTextHead(FileSystem& files, const std::string& path, bool is_gzip, size_t size_bytes);
/// Line number (from 1) of the byte at `offset` of the inflated file. Reads the file up to there.
uint64_t LineNumberAt(FileSystem& files, const TextFile& file, uint64_t offset, char newline);
/// Whether a path ends so, whatever the case.
bool PathEndsWith(std::string_view path, std::string_view lower_ending);

/// Parsers of chunks may read so many bytes behind them.
inline constexpr size_t kTextPadding = 64;

/// The text of one chunk; accounted. Shared by the vectors whose strings point into it.
class TextBuffer {
 public:
  explicit TextBuffer(MemoryTracker& memory) : memory_(memory), reservation_(memory) {}
  /// Keeps what is there. Behind `size_bytes` there is kTextPadding more room. Throws Error(kIo, 54000)
  /// beyond 4 GiB, as positions have 32 bits.
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

/// A file that is being written. Destroyed before Finish, it is removed, as what is in it is only a part.
/// One thread at a time.
class TextFileWriter {
 public:
  /// Creates or empties the file; kAuto gzips it if the path ends with .gz. Throws Error(kIo).
  TextFileWriter(FileSystem& files, std::string path, TextCompression compression);
  ~TextFileWriter();
  TextFileWriter(const TextFileWriter&) = delete;
  TextFileWriter& operator=(const TextFileWriter&) = delete;

  const std::string& path() const { return path_; }
  void Write(std::string_view text);
  /// Writes what is still held; the file is complete then.
  void Finish();

 private:
  FileSystem& files_;
  std::string path_;
  std::unique_ptr<File> file_;
  std::unique_ptr<GzipWriter> gzip_;
  uint64_t offset_ = 0;
  bool is_finished_ = false;
};

}  // namespace scaup
