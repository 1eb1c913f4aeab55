// Text validation: a VARCHAR is valid UTF-8 without NUL.
#include "type/text/utf8_text.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstring>

#include "common/throw.hpp"
#include "type/text/simdjson_code.hpp"

namespace scaup {

namespace {

/// The length of the character at the beginning of `text`; 0 if it is malformed (overlong, a surrogate, too
/// large, truncated).
size_t CharacterLength(std::string_view text) {
  const auto byte = [&text](size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

/// Whether all bytes are ASCII and none is NUL. Most short texts are, and need no library call.
bool IsPlainAscii(std::string_view bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, sizeof(word));
    if (((word | (word - kOnes)) & kHigh) != 0) return false;
  }
  for (; i < bytes.size(); i++) {
    if (static_cast<signed char>(bytes[i]) <= 0) return false;
  }
  return true;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  return bytes.empty() || SimdjsonCode().validate_utf8(bytes.data(), bytes.size());
}

bool IsText(std::string_view bytes) {
  constexpr size_t kShort = 64;
  if (bytes.size() <= kShort && IsPlainAscii(bytes)) return true;
  return std::memchr(bytes.data(), 0, bytes.size()) == nullptr && IsUtf8(bytes);
}

void CheckText(std::string_view bytes, std::string_view what) {
  if (IsText(bytes)) return;
  const std::optional<size_t> invalid = FindInvalidUtf8(bytes);
  const size_t offset = invalid.value_or(bytes.find('\0'));
  const std::string_view fault = invalid ? "is not valid UTF-8" : "has a NUL, which no text can have";
  ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire,
             fmt::format("{} {} (byte 0x{:02x} at {}); bytes that are no text go into a BLOB", what, fault,
                         static_cast<unsigned char>(bytes[offset]), offset));
}

std::optional<size_t> FindInvalidUtf8(std::string_view bytes) {
  if (IsUtf8(bytes)) return std::nullopt;
  size_t position = 0;
  while (position < bytes.size()) {
    const size_t length = CharacterLength(bytes.substr(position));
    if (length == 0) return position;
    position += length;
  }
  return std::nullopt;
}

void AppendUtf8(uint32_t code, std::string& out) {
  SCAUP_ASSERT(code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF));
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

}  // namespace scaup
