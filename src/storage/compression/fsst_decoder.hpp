// FSST's decoder: codes back to text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/fsst_symbol.hpp"

namespace scaup {

/// Expands codes. Immutable and thread-safe.
class FsstDecoder {
 public:
  /// Bytes that Decode may write behind its output.
  static constexpr size_t kWriteAheadBytes = 64;

  /// Reads what AppendFsstSymbols wrote. Throws Error(kIo, XX001).
  explicit FsstDecoder(EncodedReader& reader);

  /// Expands `codes` to exactly `size_bytes` bytes of text; kWriteAheadBytes behind them may be written too.
  /// Throws Error(kIo, XX001) where the codes stand for more or fewer.
  void Decode(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

 private:
  uint64_t bytes_[256];
  uint8_t lengths_[256];
};

}  // namespace scaup
