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
  /// Expands those of the codes that make bytes [begin, begin + size_bytes) of the text, and perhaps others
  /// before and behind: returns where in `text` that begins. `text` has room for MostPartBytes(size_bytes).
  /// Throws Error(kIo, XX001) where the codes stand for too little.
  size_t DecodePart(std::span<const std::byte> codes, size_t begin, char* text, size_t size_bytes) const;
  static constexpr size_t MostPartBytes(size_t size_bytes) { return size_bytes + 2 * kWriteAheadBytes; }

 private:
  struct Ends {
    size_t code_bytes;  // that were read
    size_t text_bytes;  // that they stand for
  };
  /// Passes over codes that stand for at most `size_bytes` bytes of text, and for less by kWriteAheadBytes at
  /// most, unless the codes come to their end.
  Ends Skip(std::span<const std::byte> codes, size_t size_bytes) const;
  /// Expands codes until at least `size_bytes` bytes of text are there, or all.
  Ends Expand(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

  uint64_t bytes_[256];
  uint8_t lengths_[256];
};

}  // namespace scaup
