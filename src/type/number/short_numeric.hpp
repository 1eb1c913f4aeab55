// Stored numbers of few digits, which are made, read, added and multiplied in 128 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaup/type.hpp"
#include "type/number/numeric_layout.hpp"

namespace scaup {

/// The stored bytes of a number of up to 39 digits.
class ShortNumeric {
 public:
  /// Makes the number unscaled * 10^-scale. REQUIRES: -900 <= scale <= 1000, and a multiple of 9 if negative.
  ShortNumeric(int128_t unscaled, int scale);
  std::string_view view() const { return {bytes_, size_}; }

 private:
  // 39 digits that begin and end within limbs.
  static constexpr size_t kMostLimbs = 6;
  void PutWord(uint32_t word);

  char bytes_[numeric_layout::kLeastBytes + kMostLimbs * sizeof(uint32_t)];
  size_t size_ = 0;
};

/// Returns how many digits a stored number has behind the point. REQUIRES: valid bytes.
inline uint16_t StoredScale(std::string_view bytes) {
  SCAUP_ASSERT(bytes.size() >= numeric_layout::kLeastBytes);
  return static_cast<uint16_t>(numeric_layout::ShortAt(bytes, bytes.size() - numeric_layout::kScaleBytes) &
                               ~numeric_layout::kNegativeScaleTag);
}

/// A finite number of at most two limbs near the point: value * 10^(9 * exponent).
struct SmallNumeric {
  int64_t value = 0;
  int32_t exponent = 0;
};

/// Reads the bytes of a stored number. Returns false if it is no small one. REQUIRES: valid bytes.
inline bool LoadSmallNumeric(std::string_view bytes, SmallNumeric& number) {
  using namespace numeric_layout;  // NOLINT(google-build-using-namespace)
  SCAUP_ASSERT(bytes.size() >= kLeastBytes);
  constexpr int32_t kFarthest = 8;
  constexpr size_t kOneLimb = kLeastBytes + sizeof(uint32_t), kTwoLimbs = kOneLimb + sizeof(uint32_t);
  if (bytes.size() > kTwoLimbs) return false;
  const uint32_t head = ShortAt(bytes, 0);
  if (bytes.size() == kLeastBytes) {
    number = {};
    return head == kZeroHead;
  }
  number.exponent = TopOfHead(head) - (bytes.size() == kOneLimb ? 1 : 2);
  if (number.exponent > kFarthest || number.exponent < -kFarthest) return false;
  const bool is_negative = head < kZeroHead;
  const auto limb_at = [&](size_t place) {
    const uint32_t limb = WordAt(bytes, place) - kLimbTag;
    return int64_t{is_negative ? kLimbBase - 1 - limb : limb};
  };
  int64_t value = limb_at(kHeadBytes);
  if (bytes.size() == kTwoLimbs) value = value * kLimbBase + limb_at(kHeadBytes + sizeof(uint32_t));
  number.value = is_negative ? -value : value;
  return true;
}

/// Sets unscaled * 10^(9 * exponent) to a + b. Returns false if it may not fit.
inline bool AddSmallNumeric(const SmallNumeric& a, const SmallNumeric& b, int128_t& unscaled,
                            int32_t& exponent) {
  constexpr int32_t kMostShift = 2;
  const SmallNumeric& high = a.exponent > b.exponent ? a : b;
  const SmallNumeric& low = &high == &a ? b : a;
  const int32_t shift = high.exponent - low.exponent;
  if (shift > kMostShift) return false;
  unscaled = high.value;
  for (int32_t i = 0; i < shift; i++) unscaled *= kLimbBase;
  unscaled += low.value;
  exponent = low.exponent;
  return true;
}

}  // namespace scaup
