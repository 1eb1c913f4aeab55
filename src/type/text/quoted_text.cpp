// Quoting of SQL names and strings.
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;  // a quote in the text is doubled
    result += c;
  }
  return result + quote;
}

}  // namespace

std::string QuotedIdentifier(std::string_view name) { return Quoted(name, '"'); }
std::string QuotedText(std::string_view text) { return Quoted(text, '\''); }

}  // namespace scaup
