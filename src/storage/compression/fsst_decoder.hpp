// FsstDecoder: expands FSST codes to text.
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
  /// Decode may write this many bytes behind its output.
  static constexpr size_t kWriteAheadBytes = 64;

  /// Reads what AppendFsstSymbols wrote. Throws Error(kIo, XX001).
  explicit FsstDecoder(EncodedReader& reader);

  /// Expands `codes` to exactly `size_bytes` bytes of text; kWriteAheadBytes behind them may be overwritten.
  /// Throws Error(kIo, XX001) if the codes stand for more or less.
  void Decode(std::span<const std::byte> codes, char* text, size_t size_bytes) const;
  /// Expands the codes for bytes [begin, begin + size_bytes) of the text, and perhaps some before and after.
  /// Returns the position in `text` at which the range begins. `text` must have MostPartBytes(size_bytes).
  /// Throws Error(kIo, XX001) if the codes stand for too little.
  size_t DecodePart(std::span<const std::byte> codes, size_t begin, char* text, size_t size_bytes) const;
  static constexpr size_t MostPartBytes(size_t size_bytes) { return size_bytes + 2 * kWriteAheadBytes; }

 private:
  struct Ends {
    size_t code_bytes;  // codes that were read
    size_t text_bytes;  // the text that they stand for
  };
  /// Skips codes for at most `size_bytes` bytes of text, and for at most kWriteAheadBytes less than that
  /// unless the codes end.
  Ends Skip(std::span<const std::byte> codes, size_t size_bytes) const;
  /// Expands codes until there are at least `size_bytes` bytes of text, or the codes end.
  Ends Expand(std::span<const std::byte> codes, char* text, size_t size_bytes) const;

  uint64_t bytes_[256];
  uint8_t lengths_[256];
};

}  // namespace scaup
