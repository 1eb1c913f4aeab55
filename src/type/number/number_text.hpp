// Parses and formats numbers and booleans, one value at a time and without allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Every Format function of src/type writes at most this many bytes to `out` and returns how many it wrote.
inline constexpr size_t kFormatBufferBytes = 96;

/// Removes white space (space, tab, line ends, form feed) at both ends.
std::string_view TrimSpace(std::string_view text);
/// Compares in any case, ASCII only. REQUIRES: `lower` is in lower case.
bool EqualsIgnoringCase(std::string_view text, std::string_view lower);

/// Parses decimal digits with an optional sign and white space around them. Returns false for other text and
/// on overflow.
bool ParseInteger(std::string_view text, int8_t& result);
bool ParseInteger(std::string_view text, int16_t& result);
bool ParseInteger(std::string_view text, int32_t& result);
bool ParseInteger(std::string_view text, int64_t& result);
bool ParseInteger(std::string_view text, int128_t& result);
bool ParseInteger(std::string_view text, uint8_t& result);
bool ParseInteger(std::string_view text, uint16_t& result);
bool ParseInteger(std::string_view text, uint32_t& result);
bool ParseInteger(std::string_view text, uint64_t& result);
/// Parses a number with white space around it; accepts 'infinity' and 'NaN'. Also returns false for numbers
/// too large, or too close to zero, for the type.
bool ParseDouble(std::string_view text, double& result);
bool ParseFloat(std::string_view text, float& result);
/// Parses PostgreSQL's words: true, yes, on, 1, false, no, off, 0 and their unambiguous prefixes, in any
/// case.
bool ParseBoolean(std::string_view text, bool& result);

size_t FormatInteger(int64_t value, char* out);
size_t FormatUnsigned(uint64_t value, char* out);
/// Formats the shortest text that parses to the same number, as PostgreSQL prints float8 and float4.
size_t FormatDouble(double value, char* out);
size_t FormatFloat(float value, char* out);
/// Writes "true" or "false".
size_t FormatBoolean(bool value, char* out);

}  // namespace scaup
