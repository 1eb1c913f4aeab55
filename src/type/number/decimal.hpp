// Decimals as scaled integers: powers of ten, rescaling, text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// 10^exponent for 0 <= exponent <= 38.
int128_t PowerOfTen(uint8_t exponent);

/// Parses decimal text ("-12.345", "1e-3") into value * 10^scale, rounding half away from zero. Returns false
/// if the text is not a number or does not fit in `width` digits.
bool ParseDecimal(std::string_view text, uint8_t width, uint8_t scale, int128_t& unscaled);
/// Whether the text is a decimal number of any size; distinguishes "does not fit" from "not a number".
bool IsNumberText(std::string_view text);
/// Formats 1230 with scale 2 as "12.30". The first form writes at most kFormatBufferBytes and returns how
/// many.
size_t FormatDecimal(int128_t unscaled, uint8_t scale, char* out);
std::string DecimalToString(int128_t unscaled, uint8_t scale);
/// Computes value * 10^(to - from), rounding half away from zero when digits are lost. Returns false if the
/// result overflows 128 bits.
bool RescaleDecimal(int128_t value, uint8_t from_scale, uint8_t to_scale, int128_t& result);

}  // namespace scaup
