// Numbers and booleans from and to text, one value at a time, without allocation: CSV files and casts read
// millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Every Format function of this room writes at most this many bytes to `out` and returns how many it wrote.
inline constexpr size_t kFormatBufferBytes = 96;

/// Without the white space (space, tab, line ends, form feed) at both ends.
std::string_view TrimSpace(std::string_view text);
/// ASCII only; `lower` is in lower case.
bool EqualsIgnoringCase(std::string_view text, std::string_view lower);

/// Parse an optional sign and decimal digits, with white space around them. False for other text and on
/// overflow.
bool ParseInteger(std::string_view text, int8_t& result);
bool ParseInteger(std::string_view text, int16_t& result);
bool ParseInteger(std::string_view text, int32_t& result);
bool ParseInteger(std::string_view text, int64_t& result);
bool ParseInteger(std::string_view text, int128_t& result);
/// Parses text that is a number and nothing else but white space around it; accepts 'infinity' and 'NaN'.
/// False also for numbers too large, or too close to zero, for the type.
bool ParseDouble(std::string_view text, double& result);
bool ParseFloat(std::string_view text, float& result);
/// PostgreSQL's words: true, yes, on, 1, false, no, off, 0 and their unambiguous prefixes, in any case.
bool ParseBoolean(std::string_view text, bool& result);

size_t FormatInteger(int64_t value, char* out);
/// The shortest text that reads back as the same number, as PostgreSQL prints float8 / float4.
size_t FormatDouble(double value, char* out);
size_t FormatFloat(float value, char* out);
/// "true" or "false".
size_t FormatBoolean(bool value, char* out);

}  // namespace scaup
