// Casts of single values, for constants, parameters and text at the edges; columns use function/cast/.
#pragma once

#include <string>
#include <string_view>

#include "scaup/value.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/text/string_ref.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// Parses SQL text as a value of `type`; false if it is malformed. Code that parses millions of values calls
/// the typed parsers of the headers above instead, which neither allocate nor box. `zone` applies to a
/// TIMESTAMP WITH TIME ZONE whose text names no zone; null means UTC.
bool ParseValue(std::string_view text, const LogicalType& type, Value& result,
                const TimeZone* zone = nullptr);
/// Converts by the rules of an explicit cast. Returns false if the value does not fit or the cast does not
/// exist. NULL becomes NULL of `type`. Local times are those of `zone`; null means UTC.
bool CastValue(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone = nullptr);
/// Throws the error for a value that CastValue rejected: malformed, out of range, or no such cast.
[[noreturn]] void ThrowCastError(const Value& value, const LogicalType& type);
/// Advice what to do instead of a cast that does not exist or does not fit, to be appended to an error's
/// message; empty unless one of the types is a union.
std::string CastAdvice(const LogicalType& from, const LogicalType& to);
/// Whether SQL has an explicit cast between the two types.
bool CastExists(const LogicalType& from, const LogicalType& to);
/// Whether the result of the cast depends on the session's time zone.
bool CastDependsOnTimeZone(const LogicalType& from, const LogicalType& to);
/// Appends the shortest text that parses to the same number, as PostgreSQL prints float8 and float4.
void AppendDouble(double value, std::string& out);
void AppendFloat(float value, std::string& out);
/// Parses PostgreSQL's bytea forms: `\x` and hex digits, or bytes with backslash escapes.
bool ParseBlob(std::string_view text, std::string& bytes);
std::string BlobToString(std::string_view bytes);
/// Writes `\x` and two digits per byte: 2 + 2 * bytes.size() bytes.
void FormatBlob(std::string_view bytes, char* out);

}  // namespace scaup
