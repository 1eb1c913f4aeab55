// The layout of the sortable bytes of exact numbers.
//
//   head   2  big-endian: 0 -Infinity; 0x7fff - place negative; 0x8000 zero; 0x8000 + place positive; 0xfffe
//             Infinity; 0xffff NaN. `place` counts the limbs up to the highest from far below the point.
//   limbs  4  each, the highest first: 2^30 + limb, of negative numbers 2^30 + 999999999 - limb
//   scale  2  with 00 in the top bits, of negative numbers 11: since limbs have 01 there, a number that ends
//             is nearer to zero than one that goes on
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/check.hpp"
#include "type/number/limbs.hpp"

namespace scaup::numeric_layout {

inline constexpr uint32_t kZeroHead = 0x8000;
inline constexpr uint32_t kInfinityHead = 0xfffe;
inline constexpr uint32_t kNaNHead = 0xffff;
/// More than the limbs of kMaxNumericScale digits.
inline constexpr int32_t kPlacesBelowPoint = 1900;
inline constexpr uint32_t kLimbTag = uint32_t{1} << 30;
inline constexpr uint32_t kNegativeScaleTag = 0xc000;
inline constexpr size_t kHeadBytes = 2;
inline constexpr size_t kScaleBytes = 2;
/// The bytes of a number without limbs.
inline constexpr size_t kLeastBytes = kHeadBytes + kScaleBytes;

inline uint32_t ShortAt(std::string_view bytes, size_t i) {
  return uint32_t{static_cast<unsigned char>(bytes[i])} << 8 | static_cast<unsigned char>(bytes[i + 1]);
}
inline uint32_t WordAt(std::string_view bytes, size_t i) {
  return ShortAt(bytes, i) << 16 | ShortAt(bytes, i + 2);
}

/// Returns the place above the highest limb. REQUIRES: the head of a finite number.
inline int32_t TopOfHead(uint32_t head) {
  SCAUP_ASSERT(head != 0 && head < kInfinityHead);
  const uint32_t place = head < kZeroHead ? kZeroHead - 1 - head : head - kZeroHead;
  return static_cast<int32_t>(place) - kPlacesBelowPoint;
}

}  // namespace scaup::numeric_layout
