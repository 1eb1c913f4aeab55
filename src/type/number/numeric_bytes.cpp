// The sortable bytes of exact numbers.
//
//   head   2  big-endian: 0 -Infinity; 0x7fff - place negative; 0x8000 zero; 0x8000 + place positive; 0xfffe
//             Infinity; 0xffff NaN. `place` counts the limbs up to the highest from far below the point.
//   limbs  4  each, the highest first: 2^30 + limb, of negative numbers 2^30 + 999999999 - limb
//   scale  2  with 00 in the top bits, of negative numbers 11: since limbs have 01 there, a number that ends
//             is nearer to zero than one that goes on
#include <cstddef>

#include "common/check.hpp"
#include "type/number/numeric.hpp"

namespace scaup {

namespace {

constexpr uint32_t kZeroHead = 0x8000;
constexpr uint32_t kInfinityHead = 0xfffe;
constexpr uint32_t kNaNHead = 0xffff;
// More than the limbs of kMaxNumericScale digits.
constexpr int32_t kPlacesBelowPoint = 1900;
constexpr uint32_t kLimbTag = uint32_t{1} << 30;
constexpr uint32_t kNegativeScaleTag = 0xc000;
constexpr size_t kHeadBytes = 2;
constexpr size_t kScaleBytes = 2;

void AppendShort(uint32_t value, std::string& bytes) {
  bytes += static_cast<char>(value >> 8);
  bytes += static_cast<char>(value);
}

uint32_t ByteAt(std::string_view bytes, size_t i) { return static_cast<unsigned char>(bytes[i]); }
uint32_t ShortAt(std::string_view bytes, size_t i) { return ByteAt(bytes, i) << 8 | ByteAt(bytes, i + 1); }

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
  bytes[bytes.size() - 2] = static_cast<char>(ByteAt(bytes, bytes.size() - 2) & (kNegativeScaleTag >> 8));
  bytes.back() = 0;
}

bool ReadNumericBytes(std::string_view bytes, Numeric& number) {
  number = Numeric();
  if (bytes.size() < kHeadBytes + kScaleBytes || bytes.size() % sizeof(uint32_t) != 0) return false;
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
    const uint32_t limb = (ShortAt(bytes, at) << 16 | ShortAt(bytes, at + 2)) - kLimbTag;
    if (limb >= kLimbBase) return false;
    number.limbs[limb_count - 1 - i] = number.is_negative ? kLimbBase - 1 - limb : limb;
  }
  const uint32_t place = number.is_negative ? kZeroHead - 1 - head : head - kZeroHead;
  number.exponent = static_cast<int32_t>(place) - kPlacesBelowPoint - static_cast<int32_t>(limb_count);
  const bool has_digits_beyond = number.exponent * kLimbDigits < -(number.scale + kLimbDigits - 1);
  return number.limbs.front() != 0 && number.limbs.back() != 0 && !has_digits_beyond &&
         IsInNumericRange(number);
}

}  // namespace scaup
