// The layout of string dictionaries in a segment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// The layout of a string dictionary. The header has: u32 number of entries, u8 flags, the lengths of the
/// strings (AppendStringLengths), then their bytes. With kUsesFsst the bytes are replaced by symbols
/// (AppendFsstSymbols) and codes. With kHasNull the last entry is NULL and has no string.
/// A block has: u8 width; u32 lowest code; the codes minus the lowest, bit-packed.
struct StringDictionaryLayout {
  static constexpr uint8_t kHasNull = 1;
  static constexpr uint8_t kUsesFsst = 2;
};

/// Includes the entry for NULL.
inline constexpr size_t kMaxStringEntries = size_t{1} << 16;

}  // namespace scaup
