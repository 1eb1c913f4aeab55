// Writes numbers by templates: to_char.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/math/number_format.hpp"
#include "type/text/ascii.hpp"

namespace scaup {

namespace {

std::string_view LowerOrdinal(std::string_view whole) {
  if (whole.size() > 1 && whole[whole.size() - 2] == '1') return "th";
  switch (whole.back()) {
    case '1': return "st";
    case '2': return "nd";
    case '3': return "rd";
    default: return "th";
  }
}

constexpr size_t kRomanWidth = 15;

std::string RomanNumeral(int64_t number) {
  constexpr std::string_view kSymbols[] = {"M",  "CM", "D",  "CD", "C",  "XC", "L",
                                           "XL", "X",  "IX", "V",  "IV", "I"};
  constexpr int64_t kValues[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
  if (number < 1 || number > 3999) return std::string(kRomanWidth, '#');
  std::string roman;
  for (size_t i = 0; i < std::size(kValues); i++) {
    for (; number >= kValues[i]; number -= kValues[i]) roman += kSymbols[i];
  }
  return roman;
}

/// The place of the last digit of a fraction that is not 0, or of the point; npos without a point.
size_t LastRelevantDigit(std::string_view number) {
  const size_t point = number.find('.');
  if (point == number.npos) return point;
  return std::max(point, number.find_last_not_of('0'));
}

}  // namespace

/// The state while one number is written.
class NumberFormat::Writer {
 public:
  Writer(const NumberFormat& format, std::string_view number, bool is_negative, int fraction_digits,
         std::string& out);

  void WritePart(const Part& part);

 private:
  void WriteNumberPart(const Part& part);
  void WriteDigit(const Part& part);
  void WriteLeadingSign();
  void WriteTrailingSign();
  void WriteGroup() {
    if (in_number_) {
      out_.push_back(',');
    } else if (format_.fills_) {
      out_.push_back(' ');
    }
  }
  void WriteOrdinal(bool is_upper);
  void WriteSignField(char sign) {
    if (sign_ == sign) {
      out_.push_back(sign);
    } else if (format_.fills_) {
      out_.push_back(' ');
    }
  }

  /// A zero before the point is not written if the template has no 0 there and digits follow: 9.9 of 0.1.
  bool HidesZero() const {
    return !format_.has_zero_ && next_ == 0 && number_[0] == '0' && fraction_digits_ != 0;
  }
  bool EndsAtPoint() const { return last_relevant_ != npos && number_[last_relevant_] == '.'; }

  static constexpr size_t npos = std::string::npos;

  const NumberFormat& format_;
  std::string& out_;
  std::string number_;  ///< digits and point, or # if the number is too long
  int fraction_digits_;
  char sign_;
  int blanks_ = 0;     ///< digit fields before the number's first digit
  int end_field_ = 0;  ///< number of the digit field behind which a trailing sign stands
  SignPlace sign_place_;
  bool has_brackets_;
  bool sign_written_ = false;
  size_t last_relevant_ = npos;  ///< the last character of `number_` that FM leaves
  size_t next_ = 0;              ///< the next character of `number_`
  int field_ = 0;                ///< digit and point fields written so far
  bool in_number_ = false;       ///< the last field wrote a digit
};

NumberFormat::Writer::Writer(const NumberFormat& format, std::string_view number, bool is_negative,
                             int fraction_digits, std::string& out)
    : format_(format),
      out_(out),
      number_(number),
      fraction_digits_(fraction_digits),
      sign_(is_negative ? '-' : '+'),
      sign_place_(format.sign_place_),
      has_brackets_(format.has_brackets_) {
  const int room = format.whole_digits();
  const int length = static_cast<int>(std::min(number.find('.'), number.size()));
  if (length > room) {
    number_.assign(static_cast<size_t>(room), '#');
    number_.push_back('.');
    number_.append(static_cast<size_t>(fraction_digits), '#');
  } else {
    blanks_ = room - length;
  }
  // MI, PL and SG write the sign themselves.
  if (format.has_minus_field_ || format.has_plus_field_) {
    sign_written_ = format.has_minus_field_;
  } else {
    if (!is_negative && !format.fills_) has_brackets_ = false;
    sign_written_ = !is_negative && !format.fills_ && sign_place_ == SignPlace::kNone;
    if (sign_place_ == SignPlace::kFront && format.digits_before_sign_ == room)
      sign_place_ = SignPlace::kBack;
  }
  if (!format.fills_ && format.has_point_) {
    last_relevant_ = LastRelevantDigit(number_);
    if (last_relevant_ != npos && format.last_zero_ > blanks_) {
      const auto last_zero = static_cast<size_t>(format.last_zero_ - blanks_);
      last_relevant_ = std::max(last_relevant_, std::min(last_zero, number_.size() - 1));
    }
  }
  end_field_ = fraction_digits + room - 1 + (!sign_written_ && blanks_ == 0 ? 1 : 0) + (blanks_ > 0 ? 1 : 0) +
               (format.has_point_ ? 1 : 0);
}

void NumberFormat::Writer::WriteLeadingSign() {
  const bool begins = field_ >= blanks_ || (format_.has_zero_ && format_.first_zero_ == field_);
  if (sign_written_ || !begins || (HidesZero() && !EndsAtPoint())) return;
  if (sign_place_ == SignPlace::kBack) return;
  if (sign_place_ == SignPlace::kFront) {
    out_.push_back(sign_);
  } else if (has_brackets_) {
    out_.push_back(sign_ == '+' ? ' ' : '<');
  } else if (sign_ == '-') {
    out_.push_back('-');
  } else if (format_.fills_) {
    out_.push_back(' ');
  }
  sign_written_ = true;
}

void NumberFormat::Writer::WriteDigit(const Part& part) {
  const bool is_blank = field_ < blanks_;
  if (is_blank && (!format_.has_zero_ || format_.first_zero_ > field_)) {
    if (format_.fills_) out_.push_back(' ');
    return;
  }
  if (is_blank) {
    out_.push_back('0');
    in_number_ = true;
    return;
  }
  const char next = next_ < number_.size() ? number_[next_] : '\0';
  const bool is_irrelevant = last_relevant_ != npos && next_ > last_relevant_ && part.field != Field::kZero;
  if (next == '.') {
    if (!EndsAtPoint() || !format_.fills_) out_.push_back('.');
  } else if (!is_irrelevant && HidesZero()) {
    if (format_.fills_) {
      out_.push_back(' ');
    } else if (EndsAtPoint()) {
      out_.push_back('0');  // FM9.9 of 0 is "0.", because something must be written
    }
  } else if (!is_irrelevant) {
    out_.push_back(next);
    in_number_ = true;
  }
  if (next_ < number_.size()) next_++;
}

void NumberFormat::Writer::WriteTrailingSign() {
  if (sign_written_ && has_brackets_) {
    out_.push_back(sign_ == '+' ? ' ' : '>');
  } else if (sign_place_ == SignPlace::kBack) {
    out_.push_back(sign_);
  }
}

void NumberFormat::Writer::WriteNumberPart(const Part& part) {
  in_number_ = false;
  WriteLeadingSign();
  WriteDigit(part);
  const bool ends = last_relevant_ != npos && last_relevant_ == next_;
  if (field_ + 1 == (ends ? field_ : end_field_)) WriteTrailingSign();
  field_++;
}

void NumberFormat::Writer::WriteOrdinal(bool is_upper) {
  if (number_[0] == '#' || sign_ == '-' || format_.has_point_) return;
  if (!IsDigit(number_.back())) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               "\"" + number_ + "\" is not a number, which \"TH\" needs");
  }
  for (const char c : LowerOrdinal(number_)) out_.push_back(is_upper ? ToUpper(c) : c);
}

void NumberFormat::Writer::WritePart(const Part& part) {
  switch (part.field) {
    case Field::kText: out_ += part.text; return;
    case Field::kNine:
    case Field::kZero:
    case Field::kPoint: return WriteNumberPart(part);
    case Field::kGroup: return WriteGroup();
    case Field::kCurrency: out_.push_back(' '); return;
    case Field::kMinus: return WriteSignField('-');
    case Field::kPlus: return WriteSignField('+');
    case Field::kSign: out_.push_back(sign_); return;
    case Field::kOrdinalUpper: return WriteOrdinal(true);
    case Field::kOrdinalLower: return WriteOrdinal(false);
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

void NumberFormat::Append(std::string_view number, bool is_negative, int fraction_digits,
                          std::string& out) const {
  const size_t begin = out.size();
  Writer writer(*this, number, is_negative, fraction_digits, out);
  for (const Part& part : parts_) writer.WritePart(part);
  // A DOUBLE has no more digits than it can tell apart. What follows them is not written, as in PostgreSQL.
  out.resize(std::min(out.find('\0', begin), out.size()));
}

void NumberFormat::AppendScientific(std::string_view text, bool is_negative, std::string& out) const {
  out.push_back(is_negative ? '-' : ' ');
  out.append(text);
}

void NumberFormat::AppendUnscientific(std::string& out) const {
  constexpr size_t kSignsAndExponent = 6;
  std::string text(static_cast<size_t>(whole_digits_ + fraction_digits_) + kSignsAndExponent, '#');
  text[0] = ' ';
  text[static_cast<size_t>(whole_digits_) + 1] = '.';
  out += text;
}

void NumberFormat::AppendRoman(int64_t number, std::string& out) const {
  const std::string roman = RomanNumeral(number);
  for (const Part& part : parts_) {
    switch (part.field) {
      case Field::kText: out += part.text; break;
      case Field::kRomanUpper:
      case Field::kRomanLower:
        if (fills_) out.append(kRomanWidth - roman.size(), ' ');
        for (const char c : roman) out.push_back(part.field == Field::kRomanUpper ? c : ToLower(c));
        break;
      case Field::kCurrency: out.push_back(' '); break;
      case Field::kGroup:
      case Field::kMinus:
      case Field::kPlus:
        if (fills_) out.push_back(' ');
        break;
      case Field::kSign: return;  // numerals have no sign, and end before it, as in PostgreSQL
      case Field::kNine:
      case Field::kZero:
      case Field::kPoint:
      case Field::kOrdinalUpper:
      case Field::kOrdinalLower:
      case Field::kSignOfNumber:
      case Field::kBrackets:
      case Field::kMultiplier:
      case Field::kScientific:
      case Field::kFillMode:
      case Field::kNothing: break;
    }
  }
}

}  // namespace scaup
