// Text validation: a VARCHAR is valid UTF-8 without NUL. Characters of UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/check.hpp"

namespace scaup {

/// Whether the bytes are valid UTF-8; NUL counts as valid.
bool IsUtf8(std::string_view bytes);
/// Whether the bytes are valid UTF-8 without NUL.
bool IsText(std::string_view bytes);
/// Throws Error(22021) if the bytes are not text. `what` begins the message: "a string"; empty for "the
/// text".
void CheckText(std::string_view bytes, std::string_view what);
/// The offset of the first byte that is not valid UTF-8; NUL counts as valid.
std::optional<size_t> FindInvalidUtf8(std::string_view bytes);
/// Appends the character of a code point. REQUIRES: at most 0x10FFFF and not a surrogate.
void AppendUtf8(uint32_t code, std::string& out);

/// Whether the byte begins a character; all others continue one.
inline bool BeginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }
/// The bytes of the character that begins at `offset`; at least 1. REQUIRES: offset < text.size().
inline size_t CharacterLength(std::string_view text, size_t offset) {
  SCAUP_ASSERT(offset < text.size());
  size_t end = offset + 1;
  while (end < text.size() && !BeginsCharacter(text[end])) end++;
  return end - offset;
}

}  // namespace scaup
