// Compiles templates for numbers and formats numbers by them.
#include "function/scalar/math/number_format.hpp"

#include "common/throw.hpp"

namespace scaup {

namespace {

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

bool BeginsWith(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  for (size_t i = 0; i < upper.size(); i++) {
    if (Upper(text[i]) != upper[i]) return false;
  }
  return true;
}

[[noreturn]] void ThrowPattern(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError, message);
}

std::string_view OrdinalEnding(std::string_view whole) {
  const char last = whole.back();
  const bool is_teen = whole.size() > 1 && whole[whole.size() - 2] == '1';
  if (is_teen) return "th";
  return last == '1' ? "st" : last == '2' ? "nd" : last == '3' ? "rd" : "th";
}

constexpr size_t kRomanWidth = 15;

}  // namespace

void NumberFormat::AddDigit(Field field) {
  if (has_brackets_) ThrowPattern("\"9\" must be ahead of \"PR\"");
  if (after_v_) multiplier_digits_++;
  if (field == Field::kZero) {
    last_zero_ = whole_digits_ + fraction_digits_;
    if (first_zero_ < 0 && !has_point_) first_zero_ = last_zero_;
  }
  (has_point_ ? fraction_digits_ : whole_digits_)++;
  parts_.push_back({field});
}

void NumberFormat::AddSign() {
  if (sign_place_ != SignPlace::kNone) ThrowPattern("cannot use \"S\" twice");
  if (has_minus_field_ || has_plus_field_ || has_brackets_) {
    ThrowPattern("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
  }
  sign_place_ = whole_digits_ + fraction_digits_ == 0 && !has_point_ ? SignPlace::kFront : SignPlace::kBack;
}

/// Adds the field at the beginning of `rest`. Returns the bytes it takes; 0 if there is none.
size_t NumberFormat::AddKeyword(std::string_view rest) {
  const auto sign_field = [&](bool minus, bool plus, Field field) {
    if (sign_place_ != SignPlace::kNone) ThrowPattern("cannot use \"S\" and \"MI\"/\"PL\"/\"SG\" together");
    has_minus_field_ |= minus;
    has_plus_field_ |= plus;
    parts_.push_back({field});
    return size_t{2};
  };
  if (BeginsWith(rest, "FM")) return fills_ = false, 2;
  if (BeginsWith(rest, "EEEE")) {
    if (is_scientific_) ThrowPattern("cannot use \"EEEE\" twice");
    return is_scientific_ = true, 4;
  }
  if (BeginsWith(rest, "MI")) return sign_field(true, false, Field::kMinus);
  if (BeginsWith(rest, "PL")) return sign_field(false, true, Field::kPlus);
  if (BeginsWith(rest, "SG")) return sign_field(true, true, Field::kSign);
  if (BeginsWith(rest, "PR")) {
    if (sign_place_ != SignPlace::kNone || has_minus_field_ || has_plus_field_) {
      ThrowPattern("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
    }
    return has_brackets_ = true, 2;
  }
  if (BeginsWith(rest, "TH")) {
    parts_.push_back({rest[0] == 'T' ? Field::kOrdinalUpper : Field::kOrdinalLower});
    return 2;
  }
  if (BeginsWith(rest, "RN")) {
    is_roman_ = true;
    parts_.push_back({rest[0] == 'R' ? Field::kRomanUpper : Field::kRomanLower});
    return 2;
  }
  switch (Upper(rest[0])) {
    case '9': AddDigit(Field::kNine); return 1;
    case '0': AddDigit(Field::kZero); return 1;
    case '.':
    case 'D':
      if (has_point_) ThrowPattern("multiple decimal points");
      if (after_v_) ThrowPattern("cannot use \"V\" and decimal point together");
      has_point_ = true;
      parts_.push_back({Field::kPoint});
      return 1;
    case ',':
    case 'G': parts_.push_back({Field::kGroup}); return 1;
    case 'L': parts_.push_back({Field::kCurrency}); return 1;
    case 'S': AddSign(); return 1;
    case 'V':
      if (has_point_) ThrowPattern("cannot use \"V\" and decimal point together");
      after_v_ = true;
      return 1;
    default: return 0;
  }
}

NumberFormat::NumberFormat(std::string_view pattern) {
  const auto add_literal = [&](char c) {
    if (parts_.empty() || parts_.back().field != Field::kLiteral) parts_.push_back({Field::kLiteral});
    parts_.back().literal.push_back(c);
  };
  bool is_quoted = false;
  for (size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '"') {
      is_quoted = !is_quoted;
      i++;
    } else if (is_quoted) {
      if (pattern[i] == '\\' && i + 1 < pattern.size()) i++;
      add_literal(pattern[i++]);
    } else if (pattern[i] == '\\' && i + 1 < pattern.size() && pattern[i + 1] == '"') {
      add_literal('"');
      i += 2;
    } else if (const size_t length = AddKeyword(pattern.substr(i)); length > 0) {
      i += length;
    } else {
      add_literal(pattern[i++]);
    }
  }
  if (is_scientific_ && (!fills_ || is_roman_ || has_brackets_ || has_minus_field_ || has_plus_field_ ||
                         after_v_ || sign_place_ != SignPlace::kNone)) {
    ThrowPattern(
        "\"EEEE\" is incompatible with other formats; it may only be used together with digit and "
        "decimal point patterns");
  }
}

/// The state while one number is written.
struct NumberFormat::Writer {
  const NumberFormat& format;
  const NumberDigits& number;
  std::string& out;
  std::string whole;
  std::string fraction;
  int blanks;      ///< digit fields before the number's first digit
  int fields = 0;  ///< digit fields written so far
  bool sign_written = false;
  bool has_begun = false;  ///< a digit was written
  size_t shown_fraction;   ///< fraction digits that FM leaves

  Writer(const NumberFormat& format_in, const NumberDigits& number_in, std::string& out_in)
      : format(format_in),
        number(number_in),
        out(out_in),
        whole(number_in.whole),
        fraction(number_in.fraction) {
    const auto room = static_cast<size_t>(format.whole_digits_);
    if (!number.is_finite || whole.size() > room) {
      whole.assign(room, '#');
      fraction.assign(static_cast<size_t>(format.fraction_digits_), '#');
    }
    blanks = format.whole_digits_ - static_cast<int>(whole.size());
    shown_fraction = fraction.size();
    if (!format.fills_) {
      while (shown_fraction > 0 && fraction[shown_fraction - 1] == '0') shown_fraction--;
      const int kept = format.last_zero_ - format.whole_digits_ + 1;
      if (kept > 0) shown_fraction = std::max(shown_fraction, static_cast<size_t>(kept));
    }
    const bool has_both = format.has_plus_field_ && format.has_minus_field_;
    if (format.has_minus_field_ || has_both) sign_written = true;
    if (!number.is_negative && !format.fills_ && format.sign_place_ == SignPlace::kNone) sign_written = true;
    if (format.sign_place_ == SignPlace::kBack) sign_written = true;
  }

  bool HasZeroAt(int field) const { return format.first_zero_ >= 0 && field >= format.first_zero_; }

  void WriteSign() {
    if (sign_written) return;
    sign_written = true;
    if (format.sign_place_ == SignPlace::kFront) {
      out.push_back(number.is_negative ? '-' : '+');
    } else if (format.has_brackets_) {
      if (number.is_negative || format.fills_) out.push_back(number.is_negative ? '<' : ' ');
    } else if (number.is_negative) {
      out.push_back('-');
    } else if (format.fills_) {
      out.push_back(' ');
    }
  }

  /// A zero before the point is omitted if the template has no 0 there and digits follow.
  bool HidesZero() const {
    return whole == "0" && format.first_zero_ < 0 && format.fraction_digits_ > 0 &&
           blanks + 1 == format.whole_digits_;
  }

  void WriteWholeDigit(int field) {
    if (field < blanks) {
      if (HasZeroAt(field)) {
        WriteSign();
        out.push_back('0');
        has_begun = true;
      } else if (format.fills_) {
        out.push_back(' ');
      }
      return;
    }
    if (HidesZero()) {
      // FM9.9 of 0 is "0.", because something must be printed.
      if (format.fills_) {
        out.push_back(' ');
      } else if (shown_fraction == 0) {
        WriteSign();
        out.push_back('0');
      }
      return;
    }
    WriteSign();
    out.push_back(whole[static_cast<size_t>(field - blanks)]);
    has_begun = true;
  }

  void WriteDigit(Field kind) {
    const int field = fields++;
    if (field < format.whole_digits_) {
      WriteWholeDigit(field);
    } else {
      WriteSign();
      const auto index = static_cast<size_t>(field - format.whole_digits_);
      if (index < fraction.size() && (index < shown_fraction || kind == Field::kZero)) {
        out.push_back(fraction[index]);
      }
    }
    if (fields < format.whole_digits_ + format.fraction_digits_) return;
    // After the last digit.
    if (format.has_brackets_ && (number.is_negative || format.fills_)) {
      out.push_back(number.is_negative ? '>' : ' ');
    }
    if (format.sign_place_ == SignPlace::kBack) out.push_back(number.is_negative ? '-' : '+');
  }

  void WritePart(const Part& part) {
    switch (part.field) {
      case Field::kLiteral: out += part.literal; break;
      case Field::kNine:
      case Field::kZero: WriteDigit(part.field); break;
      case Field::kPoint:
        WriteSign();
        out.push_back('.');
        has_begun = true;
        break;
      case Field::kGroup:
        if (has_begun) {
          out.push_back(',');
        } else if (format.fills_) {
          out.push_back(' ');
        }
        break;
      case Field::kCurrency: out.push_back(' '); break;
      case Field::kMinus:
        if (number.is_negative) {
          out.push_back('-');
        } else if (format.fills_) {
          out.push_back(' ');
        }
        break;
      case Field::kPlus:
        if (!number.is_negative) {
          out.push_back('+');
        } else if (format.fills_) {
          out.push_back(' ');
        }
        break;
      case Field::kSign: out.push_back(number.is_negative ? '-' : '+'); break;
      case Field::kOrdinalUpper:
      case Field::kOrdinalLower:
        if (number.is_negative || format.has_point_ || whole.empty() || whole[0] == '#') break;
        for (const char c : OrdinalEnding(whole)) {
          out.push_back(part.field == Field::kOrdinalUpper ? Upper(c) : c);
        }
        break;
      case Field::kRomanUpper:
      case Field::kRomanLower: break;
    }
  }
};

void NumberFormat::AppendRoman(const NumberDigits& number, bool is_upper, std::string& out) const {
  constexpr std::string_view kSymbols[] = {"M",  "CM", "D",  "CD", "C",  "XC", "L",
                                           "XL", "X",  "IX", "V",  "IV", "I"};
  constexpr int kValues[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
  int rest =
      number.is_finite && !number.is_negative && number.whole.size() <= 4 ? std::stoi(number.whole) : 0;
  if (rest < 1 || rest > 3999) {
    out.append(kRomanWidth, '#');
    return;
  }
  std::string roman;
  for (size_t i = 0; i < std::size(kValues); i++) {
    for (; rest >= kValues[i]; rest -= kValues[i]) roman += kSymbols[i];
  }
  if (fills_ && roman.size() < kRomanWidth) out.append(kRomanWidth - roman.size(), ' ');
  for (const char c : roman) out.push_back(is_upper ? c : static_cast<char>(c + 32));
}

void NumberFormat::Append(const NumberDigits& number, std::string& out) const {
  Writer writer(*this, number, out);
  for (const Part& part : parts_) {
    const bool is_roman = part.field == Field::kRomanUpper || part.field == Field::kRomanLower;
    if (is_roman) {
      AppendRoman(number, part.field == Field::kRomanUpper, out);
    } else if (!is_roman_ || part.field == Field::kLiteral) {
      writer.WritePart(part);
    }
  }
}

void NumberFormat::AppendScientific(std::string_view text, bool is_negative, std::string& out) const {
  out.push_back(is_negative ? '-' : ' ');
  out.append(text);
}

}  // namespace scaup
