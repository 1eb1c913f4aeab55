// The encodings of column segments: their numbers in files and their names in settings and listings.
#pragma once

#include <cstdint>
#include <string_view>

namespace scaup {

/// How the values of a segment are encoded. The numbers are stored in files and never change.
enum class Encoding : uint8_t {
  kConstant = 1,          ///< all values of a block are equal
  kRunLength = 2,         ///< runs of equal values
  kFrameOfReference = 3,  ///< differences from the block's minimum, bit-packed (FastLanes)
  kDelta = 4,             ///< differences of neighbours, bit-packed (FastLanes)
  kDictionary = 5,        ///< bit-packed codes into a dictionary of the segment
  kFsst = 6,              ///< strings by a table of up to 255 symbols (Boncz, Neumann, Leis, VLDB 2020)
  kAlp = 7,               ///< doubles as decimals (Afroozeh, Kuffo, Boncz, SIGMOD 2023)
  kRaw = 8,               ///< as in memory; strings as lengths and bytes
};

/// All encodings, ascending by number, with the names that users see.
inline constexpr struct {
  Encoding encoding;
  std::string_view name;
} kEncodings[] = {
    {Encoding::kConstant, "constant"},
    {Encoding::kRunLength, "run length"},
    {Encoding::kFrameOfReference, "frame of reference"},
    {Encoding::kDelta, "delta"},
    {Encoding::kDictionary, "dictionary"},
    {Encoding::kFsst, "FSST"},
    {Encoding::kAlp, "ALP"},
    {Encoding::kRaw, "raw"},
};

/// Returns the name that PRAGMA storage_info shows; "unknown" for a number that no encoding has.
constexpr std::string_view EncodingName(Encoding encoding) {
  for (const auto& known : kEncodings)
    if (known.encoding == encoding) return known.name;
  return "unknown";
}

}  // namespace scaup
