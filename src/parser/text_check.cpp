// Checks the SQL text before anything reads it.
#include "parser/text_check.hpp"

#include <simdjson.h>

namespace scaup {

namespace {

/// The length of the character at the begin of `text`, 0 if it is malformed (overlong, a surrogate, too large, cut).
size_t CharacterLength(std::string_view text) {
  const auto byte = [&text](size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) || (first == 0xF0 && byte(1) < 0x90) ||
      (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

std::optional<size_t> FindInvalidUtf8(std::string_view text) {
  if (text.empty() || simdjson::validate_utf8(text.data(), text.size())) return std::nullopt;
  size_t position = 0;
  while (position < text.size()) {
    const size_t length = CharacterLength(text.substr(position));
    if (length == 0) return position;
    position += length;
  }
  return std::nullopt;
}

}  // namespace scaup
