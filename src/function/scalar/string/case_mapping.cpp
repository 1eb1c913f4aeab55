// Upper and lower case of UTF-8 text by Unicode's simple mappings.
#include "function/scalar/string/case_mapping.hpp"

#include <cstring>

#include <utf8proc.h>

#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

/// Changes the case of the characters kFirst to kLast among several at once. If they are not all ASCII, the
/// result means nothing, and MapAscii's caller discards it.
template <char kFirst, char kLast>
uint64_t ChangeCase(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  // No byte carries into the next, because all are below 128. The high bit of each tells whether it is large
  // enough, and in the second sum, too large.
  const uint64_t from_first = word + kOnes * static_cast<uint64_t>(128 - kFirst);
  const uint64_t after_last = word + kOnes * static_cast<uint64_t>(127 - kLast);
  return word ^ ((from_first & ~after_last & (kOnes << 7)) >> 2);
}
template <char kFirst, char kLast>
ByteBlock ChangeCase(ByteBlock block) {
  constexpr uint8_t kFirstByte = kFirst, kLetters = kLast - kFirst, kCaseBit = 0x20;
  const auto is_letter = reinterpret_cast<ByteBlock>(block - kFirstByte <= kLetters);
  return block ^ (is_letter & kCaseBit);
}

template <char kFirst, char kLast>
bool MapAscii(std::string_view text, char* out) {
  AsciiCheck check;
  VisitWords(text.size(), [&](size_t position, auto word) {
    std::memcpy(&word, text.data() + position, sizeof(word));
    check.See(word);
    const auto mapped = static_cast<decltype(word)>(ChangeCase<kFirst, kLast>(word));
    std::memcpy(out + position, &mapped, sizeof(word));
  });
  return check.all();
}

void AppendCodePoint(utf8proc_int32_t code_point, std::string& out) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t length = utf8proc_encode_char(code_point, bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

/// Calls map(code point) for each character and appends the result; bytes that do not decode are copied.
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

/// The upper case of a character. The sharp s has none of one character but the capital sharp s, which no
/// text has that is read with the usual mappings: as in PostgreSQL, it stays.
utf8proc_int32_t ToUpperCharacter(utf8proc_int32_t code_point) {
  constexpr utf8proc_int32_t kSharpS = 0xDF;
  return code_point == kSharpS ? kSharpS : utf8proc_toupper(code_point);
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
  out.resize(text.size());
  if (!AsciiToLower(text, out.data())) MapCharacters(text, out, utf8proc_tolower);
}

void ToUpper(std::string_view text, std::string& out) {
  out.resize(text.size());
  if (!AsciiToUpper(text, out.data())) MapCharacters(text, out, ToUpperCharacter);
}

bool AsciiToLower(std::string_view text, char* out) { return MapAscii<'A', 'Z'>(text, out); }
bool AsciiToUpper(std::string_view text, char* out) { return MapAscii<'a', 'z'>(text, out); }

void ToInitialCaps(std::string_view text, std::string& out) {
  bool inside_word = false;
  MapCharacters(text, out, [&](utf8proc_int32_t code_point) {
    const utf8proc_int32_t mapped = inside_word ? utf8proc_tolower(code_point) : ToUpperCharacter(code_point);
    inside_word = IsWordCharacter(code_point);
    return mapped;
  });
}

}  // namespace scaup
