// Code points of UTF-8 text, for functions that compare characters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace scaup {

/// Decodes to code points; bytes that do not decode stand for themselves. Replaces the content of
/// `characters`.
void DecodeCodePoints(std::string_view text, std::vector<int32_t>& characters);

}  // namespace scaup
