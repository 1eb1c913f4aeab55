// Templates of to_char for numbers ("FM999,990.00"), compiled once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A number as decimal digits, rounded to the digits of the template.
struct NumberDigits {
  bool is_negative = false;
  bool is_finite = true;
  std::string whole;     ///< no leading zeros, but at least "0"
  std::string fraction;  ///< as many digits as the template shows
};

/// A compiled template: a list of fields. Immutable; thread-safe.
class NumberFormat {
 public:
  /// Throws Error(42601) for fields that cannot be combined.
  explicit NumberFormat(std::string_view pattern);

  /// The number of fraction digits shown, and the power of ten by which V multiplies.
  int fraction_digits() const { return fraction_digits_; }
  int multiplier_digits() const { return multiplier_digits_; }
  /// Whether the template has EEEE; AppendScientific must then be called.
  bool is_scientific() const { return is_scientific_; }

  void Append(const NumberDigits& number, std::string& out) const;
  /// `text` is the number without sign, as "4.86e-04".
  void AppendScientific(std::string_view text, bool is_negative, std::string& out) const;

 private:
  enum class Field : uint8_t {
    kLiteral,
    kNine,
    kZero,
    kPoint,
    kGroup,
    kMinus,
    kPlus,
    kSign,
    kCurrency,
    kOrdinalUpper,
    kOrdinalLower,
    kRomanUpper,
    kRomanLower
  };
  enum class SignPlace : uint8_t { kNone, kFront, kBack };
  struct Part {
    Field field;
    std::string literal = {};
  };
  struct Writer;

  size_t AddKeyword(std::string_view rest);
  void AddDigit(Field field);
  void AddSign();
  void AppendRoman(const NumberDigits& number, bool is_upper, std::string& out) const;

  std::vector<Part> parts_;
  int whole_digits_ = 0;     ///< digit fields before the point
  int fraction_digits_ = 0;  ///< digit fields after it
  int multiplier_digits_ = 0;
  int first_zero_ = -1;  ///< the first 0 among the digit fields, from 0; -1: none
  int last_zero_ = -1;
  bool has_point_ = false;
  bool after_v_ = false;
  bool fills_ = true;  ///< turned off by FM
  bool has_brackets_ = false;
  bool has_minus_field_ = false;
  bool has_plus_field_ = false;
  bool is_roman_ = false;
  bool is_scientific_ = false;
  SignPlace sign_place_ = SignPlace::kNone;
};

}  // namespace scaup
