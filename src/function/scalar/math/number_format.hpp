// Templates of to_char for numbers ("FM999,990.00"), taken apart once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A number as digits, rounded as a template asks for.
struct NumberDigits {
  bool is_negative = false;
  bool is_finite = true;
  std::string whole;     ///< without zeros in front, "0" at least
  std::string fraction;  ///< as many digits as the template shows
};

/// A template as a list of fields. Immutable; any thread.
class NumberFormat {
 public:
  /// Throws Error(42601) for fields that do not go together.
  explicit NumberFormat(std::string_view pattern);

  /// How many digits behind the point it shows, and the power of ten that V multiplies by.
  int fraction_digits() const { return fraction_digits_; }
  int multiplier_digits() const { return multiplier_digits_; }
  /// EEEE: then AppendScientific is to be called.
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
  int whole_digits_ = 0;     ///< digit fields in front of the point
  int fraction_digits_ = 0;  ///< digit fields behind it
  int multiplier_digits_ = 0;
  int first_zero_ = -1;  ///< the first 0 among the digit fields, from 0; -1: none
  int last_zero_ = -1;
  bool has_point_ = false;
  bool after_v_ = false;
  bool fills_ = true;  ///< off by FM
  bool has_brackets_ = false;
  bool has_minus_field_ = false;
  bool has_plus_field_ = false;
  bool is_roman_ = false;
  bool is_scientific_ = false;
  SignPlace sign_place_ = SignPlace::kNone;
};

}  // namespace scaup
