// Values of the type NUMERIC: exact numbers as bytes in one normal form, their text, and other numbers.
#pragma once

#include <string>
#include <string_view>

#include "scaup/type.hpp"
#include "type/number/numeric.hpp"
#include "type/number/short_numeric.hpp"

namespace scaup {

// A stored number has no zeros behind its last digit: equal numbers have equal bytes, whose order is that of
// the numbers. So columns of NUMERIC are sorted, hashed, indexed and compressed as bytes.

/// Replaces `bytes` by the stored form of a number.
void StoreNumeric(Numeric& number, std::string& bytes);
/// Reads a stored number. Throws an internal error for other bytes.
void LoadNumeric(std::string_view bytes, Numeric& number);
/// Returns whether the bytes are the stored form of a number.
bool IsStoredNumeric(std::string_view bytes);

/// Parses a text into a stored number, which replaces `bytes`.
NumericParse ParseStoredNumeric(std::string_view text, std::string& bytes);
/// Returns a bound of the text's size.
size_t NumericTextBound(std::string_view bytes);
/// Appends the text of a stored number.
void AppendNumericText(std::string_view bytes, std::string& text);

/// Sets the integer or unscaled DECIMAL, rounded half away from zero. Returns false for NaN, infinities and
/// numbers that do not fit.
bool NumericToInteger(std::string_view bytes, int128_t& integer);
bool NumericToDecimal(std::string_view bytes, uint8_t width, uint8_t scale, int128_t& unscaled);
/// Sets the nearest number. Returns false for those that are too large or too small.
bool NumericToDouble(std::string_view bytes, double& real);
bool NumericToFloat(std::string_view bytes, float& real);
/// Replaces `bytes` by the number with 15, or of a float 6, significant digits, as PostgreSQL does.
void NumericOfDouble(double real, std::string& bytes);
void NumericOfFloat(float real, std::string& bytes);

}  // namespace scaup
