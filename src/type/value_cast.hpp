// Casts of single values, for constants, parameters and text at the edges; columns use function/cast/.
#pragma once

#include <string>
#include <string_view>

#include "scaup/value.hpp"
#include "type/string_ref.hpp"

namespace scaup {

/// Parses SQL text as a value of `type`; false if it is not one.
bool ParseValue(std::string_view text, const LogicalType& type, Value& result);
/// Converts by an explicit cast's rules. False when the value does not fit or the cast does not exist.
/// NULL turns into NULL of `type`.
bool CastValue(const Value& value, const LogicalType& type, Value& result);
/// Appends the shortest text that reads back as the same number, as PostgreSQL prints float8 / float4.
void AppendDouble(double value, std::string& out);
void AppendFloat(float value, std::string& out);
/// Parses text that is a number and nothing else but white space around it; accepts 'infinity' and 'NaN'.
bool ParseDouble(std::string_view text, double& result);
/// `\x` and hex digits, or bytes with backslash escapes, as PostgreSQL's bytea.
bool ParseBlob(std::string_view text, std::string& bytes);
std::string BlobToString(std::string_view bytes);

}  // namespace scaup
