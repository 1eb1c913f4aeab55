// Normal form, rounding, order and text of exact numbers.
#include "type/number/numeric.hpp"

#include <algorithm>

#include "common/check.hpp"

namespace scaup {

namespace {

// The number of digits of a limb.
int DigitsOf(uint32_t limb) {
  int digits = 1;
  while (digits < kLimbDigits && limb >= kPowersOfTen[digits]) digits++;
  return digits;
}

int FloorDivide(int a, int b) { return a / b - (a % b < 0 ? 1 : 0); }

// Removes the digits beyond `scale` and returns the first of them.
uint32_t CutDigits(Numeric& number, int scale) {
  // The lowest place that stays, in digits relative to the point: 10^-scale.
  const int place = FloorDivide(-scale, kLimbDigits);
  const int within = -scale - place * kLimbDigits;
  const int index = place - number.exponent;
  if (index < 0) return 0;
  const auto size = static_cast<int>(number.limbs.size());
  uint32_t first_cut = 0;
  if (within > 0) {
    if (index < size) first_cut = number.limbs[index] / kPowersOfTen[within - 1] % 10;
  } else if (index >= 1 && index <= size) {
    first_cut = number.limbs[index - 1] / kPowersOfTen[kLimbDigits - 1];
  }
  if (index >= size) {
    number.limbs.clear();
    number.exponent = place;
    return first_cut;
  }
  number.limbs.erase(number.limbs.begin(), number.limbs.begin() + index);
  number.limbs[0] -= number.limbs[0] % kPowersOfTen[within];
  number.exponent = place;
  return first_cut;
}

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool IsWord(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

// Reads an exponent after its "e". Numbers beyond any limit are all the same.
bool ParseExponent(std::string_view text, int& exponent) {
  bool is_negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return false;
  exponent = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    exponent = std::min(exponent * 10 + (c - '0'), 100'000'000);
  }
  if (is_negative) exponent = -exponent;
  return true;
}

// Sets limbs from decimal digits, of which the last counts 10^-places.
void SetDigits(std::string_view digits, int places, Numeric& number) {
  const int lowest = FloorDivide(-places, kLimbDigits);
  int within = -places - lowest * kLimbDigits;
  number.exponent = lowest;
  number.limbs.assign(1, 0);
  for (size_t i = digits.size(); i-- > 0; within++) {
    if (within == kLimbDigits) {
      within = 0;
      number.limbs.push_back(0);
    }
    number.limbs.back() += static_cast<uint32_t>(digits[i] - '0') * kPowersOfTen[within];
  }
  NormalizeNumeric(number);
}

}  // namespace

void NormalizeNumeric(Numeric& number) {
  TrimLimbs(number.limbs);
  size_t zeros = 0;
  while (zeros < number.limbs.size() && number.limbs[zeros] == 0) zeros++;
  number.limbs.erase(number.limbs.begin(), number.limbs.begin() + static_cast<ptrdiff_t>(zeros));
  number.exponent += static_cast<int32_t>(zeros);
  if (!number.limbs.empty()) return;
  number.exponent = 0;
  number.is_negative = false;
}

Numeric SpecialNumeric(NumericKind kind) {
  SCAUP_ASSERT(kind != NumericKind::kFinite);
  Numeric number;
  number.kind = kind;
  return number;
}

Numeric NumericFromInteger(int64_t value) {
  Numeric number;
  number.is_negative = value < 0;
  auto rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  for (; rest != 0; rest /= kLimbBase) number.limbs.push_back(static_cast<uint32_t>(rest % kLimbBase));
  NormalizeNumeric(number);
  return number;
}

void TruncateNumeric(Numeric& number, int scale) {
  if (!number.IsFinite()) return;
  scale = std::clamp(scale, -kMaxNumericIntegerDigits, kMaxNumericScale);
  CutDigits(number, scale);
  NormalizeNumeric(number);
  number.scale = static_cast<uint16_t>(std::max(scale, 0));
}

void RoundNumeric(Numeric& number, int scale) {
  if (!number.IsFinite()) return;
  scale = std::clamp(scale, -kMaxNumericIntegerDigits - 1, kMaxNumericScale);
  if (CutDigits(number, scale) >= 5) {
    const int place = FloorDivide(-scale, kLimbDigits);
    AddLimbs(number.limbs, {kPowersOfTen[-scale - place * kLimbDigits]}, 0);
  }
  NormalizeNumeric(number);
  number.scale = static_cast<uint16_t>(std::max(scale, 0));
}

bool IsInNumericRange(const Numeric& number) {
  if (number.limbs.empty()) return true;
  return (number.top() - 1) * kLimbDigits + DigitsOf(number.limbs.back()) <= kMaxNumericIntegerDigits;
}

NumericParse ParseNumeric(std::string_view text, Numeric& number) {
  text = Trimmed(text);
  number = Numeric();
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    number.is_negative = text.front() == '-';
    text.remove_prefix(1);
    if (IsWord(text, "nan")) return NumericParse::kNotANumber;  // it has no sign
  }
  if (IsWord(text, "nan") || IsWord(text, "inf") || IsWord(text, "infinity")) {
    const NumericKind infinity = number.is_negative ? NumericKind::kNegativeInfinity : NumericKind::kInfinity;
    number = SpecialNumeric(IsWord(text, "nan") ? NumericKind::kNaN : infinity);
    return NumericParse::kOk;
  }
  std::string digits;
  int places = 0;
  bool has_point = false;
  size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; i++) {
    if (text[i] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return NumericParse::kNotANumber;
    digits += text[i];
    if (has_point) places++;
  }
  if (digits.empty()) return NumericParse::kNotANumber;
  int exponent = 0;
  if (i < text.size() && !ParseExponent(text.substr(i + 1), exponent)) return NumericParse::kNotANumber;
  places = std::clamp(places - exponent, -100'000'000, 100'000'000);
  if (places > kMaxNumericScale) return NumericParse::kOutOfRange;
  SetDigits(digits, places, number);
  number.scale = static_cast<uint16_t>(std::max(places, 0));
  return IsInNumericRange(number) ? NumericParse::kOk : NumericParse::kOutOfRange;
}

std::string NumericToString(const Numeric& number) {
  switch (number.kind) {
    case NumericKind::kNegativeInfinity: return "-Infinity";
    case NumericKind::kInfinity: return "Infinity";
    case NumericKind::kNaN: return "NaN";
    case NumericKind::kFinite: break;
  }
  const auto limb_at = [&](int32_t place) {
    const int32_t index = place - number.exponent;
    return index >= 0 && index < static_cast<int32_t>(number.limbs.size()) ? number.limbs[index] : 0;
  };
  std::string text = number.is_negative ? "-" : "";
  const auto append = [&](uint32_t limb, int digits) {
    for (int i = kLimbDigits - 1; i >= kLimbDigits - digits; i--)
      text += static_cast<char>('0' + limb / kPowersOfTen[i] % 10);
  };
  const int32_t top = std::max(number.top(), 1);
  text += std::to_string(limb_at(top - 1));
  for (int32_t place = top - 2; place >= 0; place--) append(limb_at(place), kLimbDigits);
  if (number.scale == 0) return text;
  text += '.';
  int32_t place = -1;
  for (int left = number.scale; left > 0; left -= kLimbDigits)
    append(limb_at(place--), std::min(left, kLimbDigits));
  return text;
}

int CompareNumeric(const Numeric& a, const Numeric& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.is_negative != b.is_negative) return a.is_negative ? -1 : 1;
  const int greater = a.is_negative ? -1 : 1;
  if (a.limbs.empty() || b.limbs.empty()) {
    if (a.limbs.size() == b.limbs.size()) return 0;
    return a.limbs.empty() ? -greater : greater;
  }
  if (a.top() != b.top()) return a.top() < b.top() ? -greater : greater;
  const size_t shared = std::min(a.limbs.size(), b.limbs.size());
  for (size_t i = 1; i <= shared; i++) {
    const uint32_t left = a.limbs[a.limbs.size() - i];
    const uint32_t right = b.limbs[b.limbs.size() - i];
    if (left != right) return left < right ? -greater : greater;
  }
  if (a.limbs.size() == b.limbs.size()) return 0;
  return a.limbs.size() < b.limbs.size() ? -greater : greater;
}

}  // namespace scaup
