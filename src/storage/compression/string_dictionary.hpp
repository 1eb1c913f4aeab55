// How dictionaries of strings lie in a segment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Header: u32 number of entries, u8 flags, the lengths of the strings (AppendStringLengths), then their
/// bytes, or with kUsesFsst the symbols (AppendFsstSymbols) and codes of them. With kHasNull the last entry
/// is NULL, and has no string.
/// Block: u8 width; u32 lowest code; the codes less the lowest, bit-packed.
struct StringDictionaryLayout {
  static constexpr uint8_t kHasNull = 1;
  static constexpr uint8_t kUsesFsst = 2;
};

/// With the one for NULL.
inline constexpr size_t kMaxStringEntries = size_t{1} << 16;

}  // namespace scaup
