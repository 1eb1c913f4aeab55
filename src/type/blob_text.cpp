// PostgreSQL's text forms of byte strings: hex, and backslash escapes.
#include "type/value_cast.hpp"

namespace scaup {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsOctalDigit(char c) { return c >= '0' && c <= '7'; }

// Parses pairs of digits; white space is allowed between pairs.
bool ParseHex(std::string_view text, std::string& bytes) {
  for (size_t i = 0; i < text.size();) {
    if (TrimSpace(text.substr(i, 1)).empty()) {
      i++;
      continue;
    }
    if (i + 1 >= text.size()) return false;
    const int high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return true;
}

}  // namespace

bool ParseBlob(std::string_view text, std::string& bytes) {
  bytes.clear();
  if (text.starts_with("\\x") || text.starts_with("\\X")) {
    bytes.reserve(text.size() / 2);
    return ParseHex(text.substr(2), bytes);
  }
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '\\') {
      bytes.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      bytes.push_back('\\');
      i++;
    } else if (i + 3 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '3' && IsOctalDigit(text[i + 2]) &&
               IsOctalDigit(text[i + 3])) {
      bytes.push_back(
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
      i += 3;
    } else {
      return false;
    }
  }
  return true;
}

void FormatBlob(std::string_view bytes, char* out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  *out++ = '\\';
  *out++ = 'x';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 15];
  }
}

std::string BlobToString(std::string_view bytes) {
  std::string text(2 + 2 * bytes.size(), '\0');
  FormatBlob(bytes, text.data());
  return text;
}

}  // namespace scaup
