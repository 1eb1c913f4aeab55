// Reads bzip2 files as streams, if the build has libbz2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "format/text/byte_stream.hpp"

namespace scaup {

/// Decompresses a file of one or several streams, from its beginning. Borrows the file.
class Bzip2Reader final : public ByteStream {
 public:
  /// Throws Error(kNotSupported) in a build without libbz2.
  explicit Bzip2Reader(File& file);
  ~Bzip2Reader() override;
  /// Throws Error(kIo, 22P04) for damaged data.
  size_t Read(char* buffer, size_t size_bytes) override;
  uint64_t consumed_bytes() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
