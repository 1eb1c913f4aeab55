// Text files, plain or compressed, in UTF-8 or other encodings, that several threads read in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/file/file_system.hpp"
#include "common/file/new_file.hpp"
#include "common/file/pipe_file.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/text/byte_stream.hpp"
#include "format/text/text_encoding.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class TextCompression : uint8_t { kAuto = 0, kNone = 1, kGzip = 2, kZstd = 3, kBzip2 = 4 };

/// A file as it was when bound.
struct TextFile {
  std::string path;
  TextCompression compression = TextCompression::kNone;  ///< not kAuto
  TextEncoding encoding = TextEncoding::kUtf8;           ///< not kAuto
  std::shared_ptr<PipeFile> pipe = nullptr;              ///< of a file whose bytes come once
  uint64_t size_bytes = 0;                               ///< as stored
  uint64_t data_begin = 0;                               ///< the offset where reading begins, in the text

  /// Whether the text is not what is stored, or comes once: one thread at a time reads it.
  bool IsStream() const {
    return compression != TextCompression::kNone || encoding != TextEncoding::kUtf8 || pipe != nullptr;
  }
  /// About how many bytes of text there are for one that is stored.
  double TextShare() const;
};

/// Opens the file to determine its size and, where they are kAuto, its compression and encoding from the
/// first bytes. Throws Error(kIo), and Error(kConversion) for UTF-16 without a byte order mark that no option
/// names.
TextFile LookAtTextFile(const FunctionContext& context, const std::string& path, TextCompression compression,
                        TextEncoding encoding = TextEncoding::kAuto);
/// Opens the bytes of a file, which are a pipe's if it is one.
std::shared_ptr<File> OpenTextFile(const FunctionContext& context, const TextFile& file);
/// The text of such an open file, from its beginning.
std::unique_ptr<ByteStream> OpenText(const TextFile& file, File& source);
/// Up to `size_bytes` from the beginning of the text.
std::string ReadTextHead(const FunctionContext& context, const TextFile& file, size_t size_bytes);
/// The line number (from 1) of the byte at `offset` of the text. Reads the file up to there. REQUIRES: it is
/// no pipe.
uint64_t LineNumberAt(const FunctionContext& context, const TextFile& file, uint64_t offset, char newline);
/// The path without the ending of a compression: .gz, .zst, .bz2. Here and below the query of a URL does not
/// count.
std::string_view WithoutCompressionEnding(std::string_view path);
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
  /// Creates the file under a temporary name; kAuto compresses it if the path ends with
  /// .gz or .zst. Throws Error(kIo).
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
  std::unique_ptr<CompressingWriter> compressor_;
  uint64_t size_bytes_ = 0;
};

}  // namespace scaup
