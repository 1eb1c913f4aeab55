// Checks the SQL text before anything reads it.
#include "parser/text_check.hpp"

#include <simdjson.h>

#include <array>

namespace scaup {

namespace {

/// The length of the character at the begin of `text`, 0 if it is malformed (overlong, a surrogate, too
/// large, cut).
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

constexpr size_t kMostSteps = 50'000'000;

constexpr std::array<bool, 256> MakeOperatorCharacters() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("~!@#^&|`?+-*/%<>=")) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kIsOperator = MakeOperatorCharacters();
bool IsOperator(char c) { return kIsOperator[static_cast<unsigned char>(c)]; }

/// How often the scanner begins anew in a row of operator characters.
size_t CountRestarts(std::string_view row) {
  size_t restarts = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const char next = i + 1 < row.size() ? row[i + 1] : ' ';
    const char previous = i > 0 ? row[i - 1] : ' ';
    const bool begins_comment = row[i] == '/' && next == '*';
    const bool is_minus = row[i] == '-' && next != '-' && previous != '-';  // "--" makes the rest a comment
    if (begins_comment || is_minus || row[i] == '+') ++restarts;
  }
  return restarts;
}

}  // namespace

std::optional<size_t> FindSlowOperators(std::string_view text) {
  size_t steps = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsOperator(text[i])) continue;
    const size_t begin = i;
    while (i < text.size() && IsOperator(text[i])) ++i;
    const size_t length = i - begin;
    if (length < 100) continue;
    steps += length * CountRestarts(text.substr(begin, length));
    if (steps > kMostSteps) return begin;
  }
  return std::nullopt;
}

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
