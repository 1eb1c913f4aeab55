// Reads and writes Zstandard files as streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "format/text/byte_stream.hpp"

namespace scaup {

/// Decompresses a file of one or several frames, from its beginning. Borrows the file.
class ZstdReader final : public ByteStream {
 public:
  explicit ZstdReader(File& file);
  ~ZstdReader() override;
  /// Throws Error(kIo, 22P04) for damaged data.
  size_t Read(char* buffer, size_t size_bytes) override;
  uint64_t consumed_bytes() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Compresses into a file. Borrows the file.
class ZstdWriter final : public CompressingWriter {
 public:
  explicit ZstdWriter(File& file);
  ~ZstdWriter() override;
  void Write(std::string_view bytes) override;
  void Finish() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
