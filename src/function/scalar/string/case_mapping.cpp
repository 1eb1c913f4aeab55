// Upper and lower case of UTF-8 text by Unicode's simple mappings.
#include "function/scalar/string/case_mapping.hpp"

#include <utf8proc.h>

#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char AsciiUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

void AppendCodePoint(utf8proc_int32_t code_point, std::string& out) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t length = utf8proc_encode_char(code_point, bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

/// Calls map(code point) for each character and appends what it gives; bytes that do not decode are copied.
template <typename Map>
void MapCharacters(std::string_view text, std::string& out, Map map) {
  out.clear();
  size_t position = 0;
  while (position < text.size()) {
    utf8proc_int32_t code_point;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + position),
                         static_cast<utf8proc_ssize_t>(text.size() - position), &code_point);
    if (length <= 0) {
      out.push_back(text[position++]);
      continue;
    }
    AppendCodePoint(map(code_point), out);
    position += static_cast<size_t>(length);
  }
}

bool IsWordCharacter(utf8proc_int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND: return true;
    default: return false;
  }
}

}  // namespace

void ToLower(std::string_view text, std::string& out) {
  if (!IsAscii(text)) return MapCharacters(text, out, utf8proc_tolower);
  out.resize(text.size());
  for (size_t i = 0; i < text.size(); i++) out[i] = AsciiLower(text[i]);
}

void ToUpper(std::string_view text, std::string& out) {
  if (!IsAscii(text)) return MapCharacters(text, out, utf8proc_toupper);
  out.resize(text.size());
  for (size_t i = 0; i < text.size(); i++) out[i] = AsciiUpper(text[i]);
}

void ToInitialCaps(std::string_view text, std::string& out) {
  bool inside_word = false;
  MapCharacters(text, out, [&](utf8proc_int32_t code_point) {
    const utf8proc_int32_t mapped = inside_word ? utf8proc_tolower(code_point) : utf8proc_toupper(code_point);
    inside_word = IsWordCharacter(code_point);
    return mapped;
  });
}

}  // namespace scaup
