// Reads numbers by templates: to_number.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/math/number_format.hpp"
#include "type/text/ascii.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

/// Reads one text.
class NumberFormat::Reader {
 public:
  Reader(const NumberFormat& format, std::string_view text) : format_(format), rest_(text) {}

  std::string Read(int& fraction_digits) {
    for (const Part& part : format_.parts_) {
      if (rest_.empty()) break;
      ReadPart(part);
    }
    if (number_.ends_with('.')) number_.pop_back();
    fraction_digits = fraction_digits_;
    return sign_ + number_;
  }

 private:
  void ReadPart(const Part& part);
  void ReadDigit(bool is_point);
  void ReadSignBefore();
  void ReadSignBehind(bool has_read);
  void Skip(size_t bytes = 1) { rest_.remove_prefix(std::min(bytes, rest_.size())); }
  /// Skips the character of a pattern that stands for text, unless the number goes on there.
  void SkipText(size_t characters) {
    constexpr std::string_view kNumberCharacters = "0123456789.,+-";
    for (; characters > 0 && !rest_.empty() && kNumberCharacters.find(rest_[0]) == rest_.npos; characters--)
      Skip(CharacterLength(rest_, 0));
  }
  /// Takes a sign if the text goes on with it.
  void ReadSignField(bool takes_minus, bool takes_plus) {
    if ((takes_minus && rest_[0] == '-') || (takes_plus && rest_[0] == '+')) {
      sign_ = rest_[0];
      Skip();
    } else {
      SkipText(1);
    }
  }

  const NumberFormat& format_;
  std::string_view rest_;
  char sign_ = ' ';
  std::string number_;
  int whole_digits_ = 0, fraction_digits_ = 0;
  bool has_point_ = false;
};

void NumberFormat::Reader::ReadSignBefore() {
  if (format_.sign_place_ == SignPlace::kFront) {
    if (rest_[0] == '-' || rest_[0] == '+') {
      sign_ = rest_[0];
      Skip();
    }
  } else if (rest_[0] == '-' || (format_.has_brackets_ && rest_[0] == '<')) {
    sign_ = '-';
    Skip();
  } else if (rest_[0] == '+') {
    sign_ = '+';
    Skip();
  }
}

/// Reads a sign that stands behind the number. `has_read` says that the field has read a character, which is
/// still at the beginning of the rest.
void NumberFormat::Reader::ReadSignBehind(bool has_read) {
  const bool has_sign = format_.sign_place_ != SignPlace::kNone;
  if (has_sign && has_read) {
    if (rest_.size() > 1 && (rest_[1] == '-' || rest_[1] == '+')) {
      sign_ = rest_[1];
      Skip();
    }
  } else if (!has_sign && !has_read && (format_.has_plus_field_ || format_.has_minus_field_) &&
             (rest_[0] == '-' || rest_[0] == '+')) {
    // The field of the sign comes later in the template than the sign in the text.
    sign_ = rest_[0];
  }
}

/// Reads a digit or the point. A field takes one character, whether it is one of a number or not.
void NumberFormat::Reader::ReadDigit(bool is_point) {
  if (rest_[0] == ' ') Skip();
  if (rest_.empty()) return;
  if (sign_ == ' ' && !is_point && whole_digits_ + fraction_digits_ == 0) ReadSignBefore();
  if (rest_.empty()) return;
  bool has_read = false;
  if (IsDigit(rest_[0])) {
    if (has_point_ && fraction_digits_ == format_.fraction_digits_) return Skip();
    number_.push_back(rest_[0]);
    (has_point_ ? fraction_digits_ : whole_digits_)++;
    has_read = true;
  } else if (format_.has_point_ && !has_point_ && rest_[0] == '.') {
    number_.push_back('.');
    has_point_ = has_read = true;
  }
  if (sign_ == ' ' && whole_digits_ + fraction_digits_ > 0) ReadSignBehind(has_read);
  Skip();
}

void NumberFormat::Reader::ReadPart(const Part& part) {
  switch (part.field) {
    case Field::kText:
      for (std::string_view text = part.text; !text.empty() && !rest_.empty();) {
        text.remove_prefix(CharacterLength(text, 0));
        Skip(CharacterLength(rest_, 0));
      }
      return;
    case Field::kNine:
    case Field::kZero: return ReadDigit(false);
    case Field::kPoint: return ReadDigit(true);
    case Field::kGroup:
      if (format_.fills_ && rest_[0] == ',') Skip();
      return;
    case Field::kCurrency: return SkipText(1);
    case Field::kMinus: return ReadSignField(true, false);
    case Field::kPlus: return ReadSignField(false, true);
    case Field::kSign: return ReadSignField(true, true);
    case Field::kOrdinalUpper:
    case Field::kOrdinalLower:
      if (!format_.has_point_) SkipText(2);
      return;
    case Field::kRomanUpper:
    case Field::kRomanLower:
    case Field::kSignOfNumber:
    case Field::kBrackets:
    case Field::kMultiplier:
    case Field::kScientific:
    case Field::kFillMode:
    case Field::kNothing: return;
  }
}

std::string NumberFormat::Read(std::string_view text, int& fraction_digits) const {
  if (is_scientific_) ThrowNotSupported("\"EEEE\" is not supported by to_number");
  if (is_roman_) ThrowNotSupported("\"RN\" is not supported by to_number");
  return Reader(*this, text).Read(fraction_digits);
}

}  // namespace scaup
