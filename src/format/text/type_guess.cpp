// Guesses types by spelling: numbers with leading zeros, and dates not in ISO form, remain text.
#include "format/text/type_guess.hpp"

#include <algorithm>

#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"

namespace scaup {
namespace {

constexpr uint8_t kBoolean = 1, kBigInt = 2, kHugeInt = 4, kDouble = 8, kDate = 16, kTimestamp = 32,
                  kTime = 64, kTimestampTz = 128;

/// Whether a text is one of the words that PostgreSQL and IEEE 754 have for doubles.
bool IsDoubleWord(std::string_view text) {
  if (text.front() == '-') text.remove_prefix(1);
  return EqualsIgnoringCase(text, "nan") || EqualsIgnoringCase(text, "inf") ||
         EqualsIgnoringCase(text, "infinity");
}

uint8_t NumberCandidates(std::string_view text) {
  // A plus sign is part of a text, as of a telephone number.
  const std::string_view digits = text.front() == '-' ? text.substr(1) : text;
  if (IsDoubleWord(text)) return kDouble;
  if (digits.empty() || (!IsDigit(digits[0]) && digits[0] != '.')) return 0;
  if (digits.size() > 1 && digits[0] == '0' && IsDigit(digits[1])) return 0;
  int64_t number;
  int128_t huge_number;
  double float_number;
  if (ParseInteger(text, number)) return kBigInt | kHugeInt | kDouble;
  if (ParseInteger(text, huge_number)) return kHugeInt | kDouble;
  return ParseDouble(text, float_number) ? kDouble : 0;
}

/// Whether a date or time says how far it is from UTC, which a type without a zone would drop.
bool HasOffset(std::string_view text, size_t date_bytes) {
  const std::string_view rest = text.substr(std::min(date_bytes, text.size()));
  return rest.find_first_of("+-zZ") != std::string_view::npos;
}

uint8_t TimeCandidates(std::string_view text, const StrftimeFormat* date_format,
                       const StrftimeFormat* timestamp_format) {
  uint8_t candidates = 0;
  int64_t micros;
  int32_t days;
  ParsedTimestamp parsed;
  const bool is_iso_date = text.size() >= 10 && text[4] == '-' && text[7] == '-' && IsDigit(text[0]);
  if (date_format != nullptr) {
    if (date_format->Parse(text, parsed)) candidates |= kDate;
  } else if (is_iso_date && text.size() == 10 && ParseDate(text, days)) {
    candidates |= kDate;
  }
  if (timestamp_format != nullptr) {
    if (timestamp_format->Parse(text, parsed)) candidates |= kTimestamp;
  } else if (is_iso_date && ParseTimestamp(text, micros)) {
    candidates |= HasOffset(text, 10) ? kTimestampTz : kTimestamp;
  }
  if (text.size() >= 5 && IsDigit(text[0]) && !HasOffset(text, 0) && (text[2] == ':' || text[1] == ':') &&
      ParseTime(text, micros))
    candidates |= kTime;
  return candidates;
}

}  // namespace

void TypeGuess::Add(std::string_view text, const StrftimeFormat* date_format,
                    const StrftimeFormat* timestamp_format) {
  has_values_ = true;
  if (candidates_ == 0) return;
  uint8_t candidates = 0;
  // Blanks around a number do not count; of a text they are a part.
  const std::string_view trimmed = TrimSpace(text);
  if (!trimmed.empty() && trimmed.size() != text.size()) {
    candidates = NumberCandidates(trimmed);
  } else if (!text.empty()) {
    if (EqualsIgnoringCase(text, "true") || EqualsIgnoringCase(text, "false")) {
      candidates = kBoolean;
    } else {
      candidates = NumberCandidates(text);
      const bool has_format = date_format != nullptr || timestamp_format != nullptr;
      if (candidates == 0 || has_format) candidates |= TimeCandidates(text, date_format, timestamp_format);
    }
  }
  candidates_ &= candidates;
}

LogicalType TypeGuess::Type() const {
  if (!has_values_) return TypeId::kVarchar;
  if ((candidates_ & kBoolean) != 0) return TypeId::kBoolean;
  if ((candidates_ & kDate) != 0) return TypeId::kDate;
  if ((candidates_ & kTimestamp) != 0) return TypeId::kTimestamp;
  if ((candidates_ & kTimestampTz) != 0) return TypeId::kTimestampTz;
  if ((candidates_ & kTime) != 0) return TypeId::kTime;
  if ((candidates_ & kBigInt) != 0) return TypeId::kBigInt;
  if ((candidates_ & kHugeInt) != 0) return TypeId::kHugeInt;
  if ((candidates_ & kDouble) != 0) return TypeId::kDouble;
  return TypeId::kVarchar;
}

}  // namespace scaup
