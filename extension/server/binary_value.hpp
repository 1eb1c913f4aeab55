// Binary forms of values, as PostgreSQL's send and receive functions have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/value.hpp"

namespace scaup::server {

/// The first byte of a binary jsonb.
inline constexpr char kJsonbVersion = 1;

/// The bits of the first byte of a binary range.
inline constexpr uint8_t kRangeIsEmpty = 1, kRangeHasLowerWithin = 2, kRangeHasUpperWithin = 4,
                         kRangeHasNoLower = 8, kRangeHasNoUpper = 16;

// PostgreSQL counts days and microseconds from 2000, Scaup from 1970.
inline constexpr int32_t kDaysTo2000 = 10957;
inline constexpr int64_t kMicrosTo2000 = int64_t{kDaysTo2000} * 24 * 3600 * 1'000'000;

/// Converts days since 1970 to days since 2000, PostgreSQL's first day. Infinities stay what they are.
int32_t ToPostgresDate(int32_t days);
/// Converts microseconds since 1970 to microseconds since 2000.
int64_t ToPostgresTimestamp(int64_t micros);
void AppendBinaryNumeric(int128_t unscaled, uint8_t scale, std::string& out);
/// Appends the numeric of a text without an exponent: "-12.5", "NaN", "Infinity".
void AppendBinaryNumericText(std::string_view text, std::string& out);
void AppendBinaryInterval(const Interval& interval, std::string& out);
/// Appends a value that is not NULL, of any type. Throws Error(kOutOfRange, 2202E) for lists of lists with
/// different lengths, which no array can hold.
void AppendBinaryValue(const Value& value, std::string& out);

/// Makes a value of binary bytes, which are of type `oid`. A numeric becomes a DECIMAL of its own scale or,
/// if it has too many digits, a NUMERIC. Throws Error(kConversion, 22P03) for bytes that are none.
Value ReadBinaryValue(std::string_view bytes, uint32_t oid);
/// Makes a DECIMAL with as many digits as the text has, or a NUMERIC if no DECIMAL holds it. Other forms of
/// numbers stay text.
Value DecimalOfText(const std::string& text);
/// Makes a list of `elements`, nested where there are several lengths, from the outermost level. A `type` of
/// kNumeric becomes a DECIMAL that holds all of them, if there is one.
Value ListOfElements(const LogicalType& type, std::vector<Value> elements,
                     const std::vector<size_t>& lengths);

}  // namespace scaup::server
