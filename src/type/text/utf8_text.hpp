// Text validation: a VARCHAR is valid UTF-8 without NUL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scaup {

/// Whether the bytes are valid UTF-8 without NUL.
bool IsText(std::string_view bytes);
/// Throws Error(22021) if the bytes are not text. `what` begins the message: "a string"; empty for "the
/// text".
void CheckText(std::string_view bytes, std::string_view what);
/// The offset of the first byte that is not valid UTF-8; NUL counts as valid.
std::optional<size_t> FindInvalidUtf8(std::string_view bytes);
/// Appends the character of a code point. REQUIRES: at most 0x10FFFF and not a surrogate.
void AppendUtf8(uint32_t code, std::string& out);

}  // namespace scaup
