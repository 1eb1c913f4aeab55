// Reads and writes gzip files as streams, if the build has zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "format/text/byte_stream.hpp"

namespace scaup {

/// Decompresses a gzip file, possibly of several members, from its beginning. Borrows the file. One thread at
/// a time.
class GzipReader final : public ByteStream {
 public:
  /// Throws Error(kNotSupported) in a build without zlib.
  explicit GzipReader(File& file);
  ~GzipReader() override;
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Reads `size_bytes` bytes; fewer only at the end. Throws Error(kIo, 22P04) for damaged data.
  size_t Read(char* buffer, size_t size_bytes) override;
  uint64_t consumed_bytes() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Compresses into a file. Borrows the file. One thread at a time.
class GzipWriter final : public CompressingWriter {
 public:
  explicit GzipWriter(File& file);
  ~GzipWriter() override;
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void Write(std::string_view bytes) override;
  void Finish() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
