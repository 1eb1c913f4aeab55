// The interface of streams of bytes: of a file, decompressed, or converted to UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/file/file_system.hpp"

namespace scaup {

/// Bytes that come one after the other. One thread at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Reads `size_bytes` bytes; fewer only at the end. Throws Error(kIo).
  virtual size_t Read(char* buffer, size_t size_bytes) = 0;
  /// The number of bytes of the file that were consumed so far.
  virtual uint64_t consumed_bytes() const = 0;
};

/// The bytes of a file as they are stored. Borrows the file.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(File& file) : file_(file) {}
  size_t Read(char* buffer, size_t size_bytes) override {
    const size_t got = file_.Read(offset_, buffer, size_bytes);
    offset_ += got;
    return got;
  }
  uint64_t consumed_bytes() const override { return offset_; }

 private:
  File& file_;
  uint64_t offset_ = 0;
};

/// Compresses into a file. One thread at a time.
class CompressingWriter {
 public:
  virtual ~CompressingWriter() = default;
  virtual void Write(std::string_view bytes) = 0;
  /// Writes what is buffered and the trailer; nothing may be written afterwards.
  virtual void Finish() = 0;
};

}  // namespace scaup
