// Writes the stored bytes of numbers that 128 bits hold.
#include "type/number/short_numeric.hpp"

#include "common/check.hpp"

namespace scaup {

namespace {

/// Takes the lowest digits off: returns them, and leaves the rest. Most numbers have 64 bits.
uint32_t TakeDigits(uint128_t& rest, uint32_t power) {
  const auto low = static_cast<uint64_t>(rest);
  if (rest == low) {
    rest = low / power;
    return static_cast<uint32_t>(low % power);
  }
  const auto digits = static_cast<uint32_t>(rest % power);
  rest /= power;
  return digits;
}

}  // namespace

void ShortNumeric::PutWord(uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes_[size_++] = static_cast<char>(word >> shift);
}

ShortNumeric::ShortNumeric(int128_t unscaled, int scale) {
  namespace layout = numeric_layout;
  SCAUP_ASSERT(scale >= 0 || scale % kLimbDigits == 0);
  const bool is_negative = unscaled < 0;
  uint128_t rest = is_negative ? 0 - static_cast<uint128_t>(unscaled) : static_cast<uint128_t>(unscaled);
  int32_t exponent = scale >= 0 ? -((scale + kLimbDigits - 1) / kLimbDigits) : -scale / kLimbDigits;
  // Zeros that the lowest limb has behind the number's last digit.
  const int filling = -exponent * kLimbDigits - scale;
  uint32_t limbs[kMostLimbs];
  size_t count = 0;
  if (filling != 0)
    limbs[count++] = TakeDigits(rest, kPowersOfTen[kLimbDigits - filling]) * kPowersOfTen[filling];
  while (rest != 0) limbs[count++] = TakeDigits(rest, kLimbBase);
  size_t first = 0;
  while (first < count && limbs[first] == 0) first++;
  while (count > first && limbs[count - 1] == 0) count--;
  uint32_t head = layout::kZeroHead;
  uint32_t tail = 0;
  if (first < count) {
    const auto place =
        static_cast<uint32_t>(exponent + static_cast<int32_t>(count) + layout::kPlacesBelowPoint);
    head = is_negative ? layout::kZeroHead - 1 - place : layout::kZeroHead + place;
    exponent += static_cast<int32_t>(first);
    if (exponent < 0) {
      int digits = -exponent * kLimbDigits;
      for (uint32_t limb = limbs[first]; limb % 10 == 0; limb /= 10) digits--;
      tail = static_cast<uint32_t>(digits);
    }
    if (is_negative) tail |= layout::kNegativeScaleTag;
  }
  bytes_[size_++] = static_cast<char>(head >> 8);
  bytes_[size_++] = static_cast<char>(head);
  for (size_t i = count; i-- > first;)
    PutWord(layout::kLimbTag + (is_negative ? kLimbBase - 1 - limbs[i] : limbs[i]));
  bytes_[size_++] = static_cast<char>(tail >> 8);
  bytes_[size_++] = static_cast<char>(tail);
}

}  // namespace scaup
