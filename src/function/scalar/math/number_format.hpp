// Templates of to_char and to_number for numbers ("FM999,990.00"), compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A compiled template: a list of fields and texts. Immutable; thread-safe. Its patterns and their meaning
/// are PostgreSQL's in the locale C.
class NumberFormat {
 public:
  /// Throws Error(42601) for fields that cannot be combined.
  explicit NumberFormat(std::string_view pattern);

  bool is_empty() const { return parts_.empty(); }
  /// Digits before and behind the point.
  int whole_digits() const { return whole_digits_ + multiplier_digits_; }
  int fraction_digits() const { return fraction_digits_; }
  /// The power of ten by which V multiplies.
  int multiplier_digits() const { return multiplier_digits_; }
  /// Whether the template has EEEE or RN; AppendScientific or AppendRoman must then be called.
  bool is_scientific() const { return is_scientific_; }
  bool is_roman() const { return is_roman_; }

  /// Appends a number, given without sign and with `fraction_digits` digits behind the point: "123.50".
  void Append(std::string_view number, bool is_negative, int fraction_digits, std::string& out) const;
  /// `text` is the number without sign, as "4.86e-04".
  void AppendScientific(std::string_view text, bool is_negative, std::string& out) const;
  /// Appends an infinity or NaN in scientific notation: as many # as a number has characters.
  void AppendUnscientific(std::string& out) const;
  /// Appends the number, or 15 # if it is not from 1 to 3999.
  void AppendRoman(int64_t number, std::string& out) const;

  /// Reads a number: the sign or a blank, digits and a point, which may be no number at all. Sets
  /// `fraction_digits` to the digits behind the point. Throws Error(0A000) for templates that only write.
  std::string Read(std::string_view text, int& fraction_digits) const;

 private:
  enum class Field : uint8_t {
    kText,
    kNine,
    kZero,
    kPoint,
    kGroup,
    kCurrency,
    kMinus,
    kPlus,
    kSign,
    kOrdinalUpper,
    kOrdinalLower,
    kRomanUpper,
    kRomanLower,
    kSignOfNumber,  ///< S
    kBrackets,      ///< PR
    kMultiplier,    ///< V
    kScientific,    ///< EEEE
    kFillMode,      ///< FM
    kNothing        ///< B, C, SP: accepted without effect, as in PostgreSQL
  };
  enum class SignPlace : uint8_t { kNone, kFront, kBack };
  struct Keyword {
    std::string_view text;
    Field field;
  };
  struct Part {
    Field field;
    std::string text = {};
  };
  class Writer;
  class Reader;

  static const Keyword kKeywords[];
  void AddField(Field field);
  void AddDigit(Field field);
  void AddSign();
  void AddSignField(Field field);
  void AddPoint();
  void AddScientific();

  std::vector<Part> parts_;
  int whole_digits_ = 0;     ///< digit fields before the point, without those behind V
  int fraction_digits_ = 0;  ///< digit fields after it
  int multiplier_digits_ = 0;
  int digits_before_sign_ = 0;  ///< whole digits before S
  int first_zero_ = 0;          ///< the first 0 among the whole digits, counted from 0
  int last_zero_ = 0;           ///< digits up to the last 0
  bool has_zero_ = false;       ///< has a 0 before the point
  bool has_point_ = false;
  bool after_v_ = false;
  bool fills_ = true;  ///< turned off by FM
  bool has_brackets_ = false;
  bool has_minus_field_ = false;
  bool has_plus_field_ = false;
  bool has_blank_ = false;  ///< B before all digits
  bool is_roman_ = false;
  bool is_scientific_ = false;
  SignPlace sign_place_ = SignPlace::kNone;
};

}  // namespace scaup
