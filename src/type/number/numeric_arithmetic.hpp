// Arithmetic of exact numbers, with PostgreSQL's rules for the scales of results.
#pragma once

#include "type/number/numeric.hpp"

namespace scaup {

/// Why an operation has no result. Callers word the error once, for the first row.
enum class NumericFault : uint8_t {
  kNone,
  kOutOfRange,      ///< SQLSTATE 22003
  kDivisionByZero,  ///< SQLSTATE 22012
  kRootOfNegative,  ///< SQLSTATE 2201F
  kPowerOfZero,     ///< zero raised to a negative power: SQLSTATE 2201F
  kComplexPower,    ///< a negative number raised to one that is not whole: SQLSTATE 2201F
  kLogOfZero,       ///< SQLSTATE 2201E
  kLogOfNegative,   ///< SQLSTATE 2201E
};

NumericFault AddNumeric(const Numeric& a, const Numeric& b, Numeric& sum);
NumericFault SubtractNumeric(const Numeric& a, const Numeric& b, Numeric& difference);
/// The scale is the sum of both, at most kMaxNumericScale.
NumericFault MultiplyNumeric(const Numeric& a, const Numeric& b, Numeric& product);
/// Rounds to at least 16 significant digits, and to no fewer places than a and b have.
NumericFault DivideNumeric(const Numeric& a, const Numeric& b, Numeric& quotient);
/// The quotient without its fraction, as div(a, b).
NumericFault DivideNumericToInteger(const Numeric& a, const Numeric& b, Numeric& quotient);
/// The rest has the sign of a.
NumericFault NumericRest(const Numeric& a, const Numeric& b, Numeric& rest);
/// Rounds to at least 16 significant digits, and to no fewer places than a has.
NumericFault NumericSquareRoot(const Numeric& a, Numeric& root);
/// The root rounded to a scale. REQUIRES: a is finite and not negative.
Numeric SquareRootToScale(const Numeric& a, int scale);
/// The scale that DivideNumeric gives a quotient of finite numbers.
int QuotientScale(const Numeric& a, const Numeric& b);
/// The greatest common divisor, of fractions too; not negative.
NumericFault NumericCommonDivisor(const Numeric& a, const Numeric& b, Numeric& divisor);
/// The least common multiple; not negative.
NumericFault NumericCommonMultiple(const Numeric& a, const Numeric& b, Numeric& multiple);
/// Returns the decimal place of the first digit: 0 for 1 to 9. REQUIRES: a is finite and not zero.
int FirstPlaceOf(const Numeric& a);
/// Returns a number below, equal to or above 0, also for infinities; 1 for NaN.
int SignOfNumeric(const Numeric& a);
/// Returns whether the number is finite and has no fraction.
bool IsWholeNumeric(const Numeric& a);
/// Returns the smallest scale that holds all digits. REQUIRES: a is finite.
int MinNumericScale(const Numeric& a);

}  // namespace scaup
