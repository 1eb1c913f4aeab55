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
  /// The same, where the codes may stand for more.
  void DecodeBeginning(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

 private:
  struct Ends {
    size_t code_bytes;  // that were read
    size_t text_bytes;  // that they stand for
  };
  /// Expands codes until at least `size_bytes` bytes of text are there, or all.
  Ends Expand(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

  uint64_t bytes_[256];
  uint8_t lengths_[256];
};

}  // namespace scaup
