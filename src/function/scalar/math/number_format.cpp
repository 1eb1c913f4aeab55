// Compiles templates for numbers.
#include "function/scalar/math/number_format.hpp"

#include "common/throw.hpp"
#include "type/text/ascii.hpp"

namespace scaup {

// Longer keywords come before their prefixes.
const NumberFormat::Keyword NumberFormat::kKeywords[] = {
    {",", Field::kGroup},         {".", Field::kPoint},         {"0", Field::kZero},
    {"9", Field::kNine},          {"B", Field::kNothing},       {"C", Field::kNothing},
    {"D", Field::kPoint},         {"EEEE", Field::kScientific}, {"FM", Field::kFillMode},
    {"G", Field::kGroup},         {"L", Field::kCurrency},      {"MI", Field::kMinus},
    {"PL", Field::kPlus},         {"PR", Field::kBrackets},     {"RN", Field::kRomanUpper},
    {"SG", Field::kSign},         {"SP", Field::kNothing},      {"S", Field::kSignOfNumber},
    {"TH", Field::kOrdinalUpper}, {"V", Field::kMultiplier},
};

namespace {

/// Whether the text begins with the keyword in upper or in lower case. Mixed case is plain text, as in
/// PostgreSQL.
bool BeginsInOneCase(std::string_view text, std::string_view keyword) {
  if (text.starts_with(keyword)) return true;
  if (text.size() < keyword.size()) return false;
  for (size_t i = 0; i < keyword.size(); i++) {
    if (text[i] != ToLower(keyword[i])) return false;
  }
  return true;
}

[[noreturn]] void ThrowPattern(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError, message);
}

}  // namespace

void NumberFormat::AddDigit(Field field) {
  const bool is_zero = field == Field::kZero;
  if (has_brackets_) ThrowPattern(std::string("\"") + (is_zero ? "0" : "9") + "\" must be ahead of \"PR\"");
  if (after_v_ && !is_zero) {
    multiplier_digits_++;
    return;
  }
  if (is_zero && !has_zero_ && !has_point_) {
    has_zero_ = true;
    first_zero_ = whole_digits_;
  }
  (has_point_ ? fraction_digits_ : whole_digits_)++;
  if (is_zero) last_zero_ = whole_digits_ + fraction_digits_;
}

void NumberFormat::AddPoint() {
  if (has_point_) ThrowPattern("multiple decimal points");
  if (after_v_) ThrowPattern("cannot use \"V\" and decimal point together");
  has_point_ = true;
}

void NumberFormat::AddSign() {
  if (sign_place_ != SignPlace::kNone) ThrowPattern("cannot use \"S\" twice");
  if (has_minus_field_ || has_plus_field_ || has_brackets_)
    ThrowPattern("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
  sign_place_ = has_point_ ? SignPlace::kBack : SignPlace::kFront;
  digits_before_sign_ = whole_digits_;
}

void NumberFormat::AddSignField(Field field) {
  const char* name = field == Field::kMinus ? "MI" : field == Field::kPlus ? "PL" : "SG";
  if (sign_place_ != SignPlace::kNone)
    ThrowPattern(std::string("cannot use \"S\" and \"") + name + "\" together");
  has_minus_field_ |= field != Field::kPlus;
  has_plus_field_ |= field != Field::kMinus;
}

void NumberFormat::AddScientific() {
  if (is_scientific_) ThrowPattern("cannot use \"EEEE\" twice");
  if (!fills_ || is_roman_ || has_brackets_ || has_minus_field_ || has_plus_field_ || after_v_ ||
      has_blank_ || sign_place_ != SignPlace::kNone) {
    ThrowPattern(
        "\"EEEE\" is incompatible with other formats; it may only be used together with digit and decimal "
        "point patterns");
  }
  is_scientific_ = true;
}

void NumberFormat::AddField(Field field) {
  if (is_scientific_ && field != Field::kScientific) ThrowPattern("\"EEEE\" must be the last pattern used");
  switch (field) {
    case Field::kNine:
    case Field::kZero: AddDigit(field); break;
    case Field::kPoint: AddPoint(); break;
    case Field::kMinus:
    case Field::kPlus:
    case Field::kSign: AddSignField(field); break;
    case Field::kRomanUpper:
    case Field::kRomanLower: is_roman_ = true; break;
    case Field::kSignOfNumber: AddSign(); break;
    case Field::kBrackets:
      if (sign_place_ != SignPlace::kNone || has_minus_field_ || has_plus_field_)
        ThrowPattern("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
      has_brackets_ = true;
      break;
    case Field::kMultiplier:
      if (has_point_) ThrowPattern("cannot use \"V\" and decimal point together");
      after_v_ = true;
      break;
    case Field::kScientific: AddScientific(); break;
    case Field::kFillMode: fills_ = false; break;
    case Field::kText:
    case Field::kGroup:
    case Field::kCurrency:
    case Field::kOrdinalUpper:
    case Field::kOrdinalLower:
    case Field::kNothing: break;
  }
  parts_.push_back({field});
}

NumberFormat::NumberFormat(std::string_view pattern) {
  const auto find = [](std::string_view rest) -> const Keyword* {
    for (const Keyword& keyword : kKeywords) {
      if (BeginsInOneCase(rest, keyword.text)) return &keyword;
    }
    return nullptr;
  };
  bool is_quoted = false;
  for (size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '"') {
      is_quoted = !is_quoted;
      i++;
      continue;
    }
    if (const Keyword* keyword = is_quoted ? nullptr : find(pattern.substr(i)); keyword != nullptr) {
      const bool is_lower = !pattern.substr(i).starts_with(keyword->text);
      Field field = keyword->field;
      if (is_lower && field == Field::kOrdinalUpper) field = Field::kOrdinalLower;
      if (is_lower && field == Field::kRomanUpper) field = Field::kRomanLower;
      has_blank_ |= ToLower(pattern[i]) == 'b' && whole_digits_ + fraction_digits_ == 0;
      AddField(field);
      i += keyword->text.size();
      continue;
    }
    const bool escapes = i + 1 < pattern.size() && (is_quoted || pattern[i + 1] == '"');
    if (pattern[i] == '\\' && escapes) i++;
    if (parts_.empty() || parts_.back().field != Field::kText) parts_.push_back({Field::kText});
    parts_.back().text.push_back(pattern[i++]);
  }
}

}  // namespace scaup
