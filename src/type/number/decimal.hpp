// Decimals are scaled integers: powers of ten, rescaling, text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// 10^exponent for 0 <= exponent <= 38.
int128_t PowerOfTen(uint8_t exponent);

/// Parses decimal text ("-12.345", "1e-3") into value * 10^scale, rounding half away from zero.
/// False when the text is not a number or does not fit in `width` digits.
bool ParseDecimal(std::string_view text, uint8_t width, uint8_t scale, int128_t& unscaled);
/// True for text that is a decimal number of any size; tells "does not fit" from "not a number".
bool IsNumberText(std::string_view text);
/// "12.30" for 1230 with scale 2. The first form writes at most kFormatBufferBytes and returns how many.
size_t FormatDecimal(int128_t unscaled, uint8_t scale, char* out);
std::string DecimalToString(int128_t unscaled, uint8_t scale);
/// value * 10^(to - from), rounding half away from zero when digits are lost. False on overflow of 128 bits.
bool RescaleDecimal(int128_t value, uint8_t from_scale, uint8_t to_scale, int128_t& result);

}  // namespace scaup
