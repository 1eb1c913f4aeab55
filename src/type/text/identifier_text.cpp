// Identifiers as SQL writes them.
#include "type/text/identifier_text.hpp"

#include "type/text/keyword.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

std::string IdentifierText(std::string_view name) {
  const auto is_start = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  bool is_plain = !name.empty() && is_start(name[0]);
  for (const char c : name) is_plain &= is_start(c) || (c >= '0' && c <= '9');
  const Keyword* const keyword = is_plain ? FindKeyword(name) : nullptr;
  const bool is_name = is_plain && (keyword == nullptr || keyword->kind == KeywordKind::kUnreserved);
  return is_name ? std::string(name) : QuotedIdentifier(name);
}

bool IsOperandText(std::string_view text) {
  const auto is_name = [](char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  size_t end = 0;
  while (end < text.size() && is_name(text[end])) end++;
  if (end == text.size()) return true;
  if (text[end] != '(') return false;
  // Brackets or quotes within are no matter, as long as the first bracket is closed at the end.
  int depth = 0;
  char quote = 0;
  for (size_t i = end; i < text.size(); i++) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return i + 1 == text.size();
    }
  }
  return false;
}

}  // namespace scaup
