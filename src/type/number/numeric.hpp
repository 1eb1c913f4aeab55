// Exact numbers of arbitrary length with a display scale, as PostgreSQL's NUMERIC: values, text and bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "type/number/limbs.hpp"

namespace scaup {

/// Limits of a number: digits before the point, and digits after it.
inline constexpr int kMaxNumericIntegerDigits = 131072;
inline constexpr int kMaxNumericScale = 16383;

enum class NumericKind : uint8_t { kNegativeInfinity, kFinite, kInfinity, kNaN };

/// A number: `limbs` * 10^(9 * exponent), with the sign, or one of the special values. Owned by whoever makes
/// it; const access from any thread. Neither end of `limbs` is zero; zero is not negative and has exponent 0.
/// No digit stands beyond `scale` places after the point.
struct Numeric {
  NumericKind kind = NumericKind::kFinite;
  bool is_negative = false;
  uint16_t scale = 0;    ///< digits that are displayed after the point
  int32_t exponent = 0;  ///< place of limbs[0] in limbs; below 0 after the point
  Limbs limbs;

  bool IsFinite() const { return kind == NumericKind::kFinite; }
  bool IsZero() const { return IsFinite() && limbs.empty(); }
  /// Returns the place above the highest limb.
  int32_t top() const { return exponent + static_cast<int32_t>(limbs.size()); }
};

/// Removes zeros at both ends, and unifies zero.
void NormalizeNumeric(Numeric& number);
/// Returns a special value. REQUIRES: kind is not kFinite.
Numeric SpecialNumeric(NumericKind kind);
Numeric NumericFromInteger(int64_t value);
/// Rounds half away from zero to `scale` digits after the point, or before it if negative; displays as many.
void RoundNumeric(Numeric& number, int scale);
/// Cuts digits instead.
void TruncateNumeric(Numeric& number, int scale);
/// Returns whether the number has at most kMaxNumericIntegerDigits digits before the point.
bool IsInNumericRange(const Numeric& number);

enum class NumericParse : uint8_t { kOk, kNotANumber, kOutOfRange };
/// Parses "-12.50", "1e-3", "NaN", "inf", "-Infinity", with spaces around it. Keeps all digits.
NumericParse ParseNumeric(std::string_view text, Numeric& number);
std::string NumericToString(const Numeric& number);

/// Returns a number below, equal to or above 0. Scales do not count; NaN equals itself and is above all.
int CompareNumeric(const Numeric& a, const Numeric& b);

/// Values as bytes whose memcmp order is the numeric order, and among equal numbers one of scales. The last
/// two bytes hold the scale; after ClearNumericScale numbers are equal exactly if their bytes are, in the
/// same order. These bytes still tell where a number ends, which negative numbers need for their order.
/// Numbers with up to one limb before the point and one after it take at most 12 bytes.
void AppendNumericBytes(const Numeric& number, std::string& bytes);
/// Makes the key of a number from its bytes. REQUIRES: AppendNumericBytes wrote them.
void ClearNumericScale(std::string& bytes);
/// Reads what AppendNumericBytes wrote. Returns false if the bytes cannot come from there.
bool ReadNumericBytes(std::string_view bytes, Numeric& number);

}  // namespace scaup
