// Whether bytes are text: UTF-8 without NUL, which is all that values of type VARCHAR hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scaup {

/// Whether the bytes are valid UTF-8 and none of them is NUL.
bool IsText(std::string_view bytes);
/// Throws Error(22021) for what is no text. `what` begins the message: "a string"; empty for "the text".
void CheckText(std::string_view bytes, std::string_view what);
/// The offset of the first byte that is not valid UTF-8; NUL is.
std::optional<size_t> FindInvalidUtf8(std::string_view bytes);
/// Appends a character by its code point. REQUIRES: it is at most 0x10FFFF and no surrogate.
void AppendUtf8(uint32_t code, std::string& out);

}  // namespace scaup
