// FSST (Boncz, Neumann, Leis, VLDB 2020): text as one-byte codes, each for a symbol of up to eight bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scaup {

/// The text of a code: `length` bytes (1 to 8), the first in the lowest byte of the word; the rest is zero.
struct FsstSymbol {
  uint64_t bytes = 0;
  uint32_t length = 0;

  uint32_t first_byte() const { return static_cast<uint32_t>(bytes & 0xff); }
  friend bool operator==(const FsstSymbol&, const FsstSymbol&) = default;
};

/// The code that precedes a literal byte.
inline constexpr uint32_t kFsstEscape = 255;
inline constexpr size_t kFsstMaxSymbols = 255;
inline constexpr uint32_t kFsstMaxSymbolBytes = 8;
/// Appends the symbols. Layout: u8 number of symbols; u8 length of each; their bytes.
void AppendFsstSymbols(const std::vector<FsstSymbol>& symbols, std::vector<std::byte>& bytes);

}  // namespace scaup
