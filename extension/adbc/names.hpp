// Names and texts as SQL writes them.
#pragma once

#include <string>
#include <string_view>

namespace scaup::adbc {

/// Returns a text in quotes, doubling those that are in it.
inline std::string InQuotes(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}
inline std::string QuotedName(std::string_view name) { return InQuotes(name, '"'); }
inline std::string QuotedText(std::string_view text) { return InQuotes(text, '\''); }

}  // namespace scaup::adbc
