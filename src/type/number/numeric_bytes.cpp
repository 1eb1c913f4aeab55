// Writes and reads the sortable bytes of exact numbers; numeric_layout.hpp tells their layout.
#include <cstddef>

#include "common/check.hpp"
#include "type/number/numeric.hpp"
#include "type/number/numeric_layout.hpp"

namespace scaup {

namespace {

using namespace numeric_layout;  // NOLINT(google-build-using-namespace)

void AppendShort(uint32_t value, std::string& bytes) {
  bytes += static_cast<char>(value >> 8);
  bytes += static_cast<char>(value);
}

uint32_t HeadOf(const Numeric& number) {
  switch (number.kind) {
    case NumericKind::kNegativeInfinity: return 0;
    case NumericKind::kInfinity: return kInfinityHead;
    case NumericKind::kNaN: return kNaNHead;
    case NumericKind::kFinite: break;
  }
  if (number.limbs.empty()) return kZeroHead;
  const auto place = static_cast<uint32_t>(number.top() + kPlacesBelowPoint);
  return number.is_negative ? kZeroHead - 1 - place : kZeroHead + place;
}

}  // namespace

void AppendNumericBytes(const Numeric& number, std::string& bytes) {
  AppendShort(HeadOf(number), bytes);
  for (size_t i = number.limbs.size(); i-- > 0;) {
    const uint32_t limb = number.limbs[i];
    const uint32_t word = kLimbTag + (number.is_negative ? kLimbBase - 1 - limb : limb);
    AppendShort(word >> 16, bytes);
    AppendShort(word & 0xffff, bytes);
  }
  AppendShort((number.is_negative ? kNegativeScaleTag : 0) | number.scale, bytes);
}

void ClearNumericScale(std::string& bytes) {
  SCAUP_ASSERT(bytes.size() >= kHeadBytes + kScaleBytes);
  char& top = bytes[bytes.size() - kScaleBytes];
  top = static_cast<char>(static_cast<unsigned char>(top) & (kNegativeScaleTag >> 8));
  bytes.back() = 0;
}

bool ReadNumericBytes(std::string_view bytes, Numeric& number) {
  // The limbs keep their memory, as most numbers are read one after the other.
  number.kind = NumericKind::kFinite;
  number.is_negative = false;
  number.scale = 0;
  number.exponent = 0;
  number.limbs.clear();
  if (bytes.size() < kLeastBytes || bytes.size() % sizeof(uint32_t) != 0) return false;
  const uint32_t head = ShortAt(bytes, 0);
  const uint32_t tail = ShortAt(bytes, bytes.size() - kScaleBytes);
  const size_t limb_count = bytes.size() / sizeof(uint32_t) - 1;
  if (head == 0 || head >= kInfinityHead) {
    number.kind = NumericKind::kNegativeInfinity;
    if (head != 0) number.kind = head == kNaNHead ? NumericKind::kNaN : NumericKind::kInfinity;
    return limb_count == 0 && tail == 0;
  }
  number.is_negative = head < kZeroHead;
  if ((tail & kNegativeScaleTag) != (number.is_negative ? kNegativeScaleTag : 0)) return false;
  number.scale = static_cast<uint16_t>(tail & ~kNegativeScaleTag);
  if (head == kZeroHead) return limb_count == 0;
  if (limb_count == 0) return false;
  number.limbs.resize(limb_count);
  for (size_t i = 0; i < limb_count; i++) {
    const size_t at = kHeadBytes + i * sizeof(uint32_t);
    const uint32_t limb = WordAt(bytes, at) - kLimbTag;
    if (limb >= kLimbBase) return false;
    number.limbs[limb_count - 1 - i] = number.is_negative ? kLimbBase - 1 - limb : limb;
  }
  number.exponent = TopOfHead(head) - static_cast<int32_t>(limb_count);
  const bool has_digits_beyond = number.exponent * kLimbDigits < -(number.scale + kLimbDigits - 1);
  return number.limbs.front() != 0 && number.limbs.back() != 0 && !has_digits_beyond &&
         IsInNumericRange(number);
}

}  // namespace scaup
