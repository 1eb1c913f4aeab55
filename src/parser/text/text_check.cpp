// Finds runs of operator characters that PostgreSQL's scanner reads in quadratic time.
#include "parser/text/text_check.hpp"

#include <array>

namespace scaup {

namespace {

constexpr size_t kMostSteps = 50'000'000;

constexpr std::array<bool, 256> MakeOperatorCharacters() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("~!@#^&|`?+-*/%<>=")) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kIsOperator = MakeOperatorCharacters();
bool IsOperator(char c) { return kIsOperator[static_cast<unsigned char>(c)]; }

/// Returns how often the scanner starts again in a run of operator characters.
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

}  // namespace scaup
