// 128-bit integers: text forms and checked arithmetic, which the standard library lacks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

inline constexpr int128_t kInt128Max = static_cast<int128_t>(~static_cast<uint128_t>(0) >> 1);
inline constexpr int128_t kInt128Min = -kInt128Max - 1;

std::string ToString(int128_t value);
/// Writes at most 40 bytes to `out` and returns how many.
size_t FormatInt128(int128_t value, char* out);
/// Parses digits with an optional sign, and nothing else. Returns false on overflow or other text.
bool ParseInt128(std::string_view text, int128_t& result);
double Int128ToDouble(int128_t value);

}  // namespace scaup
