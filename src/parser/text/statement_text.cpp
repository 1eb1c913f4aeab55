// Maps tokens and positions between the grammar's text and the user's text.
#include "parser/text/statement_text.hpp"

#include <algorithm>

namespace scaup {

size_t StatementText::TokenIndex(int64_t location) const {
  const auto after =
      std::upper_bound(tokens.begin(), tokens.end(), location,
                       [](int64_t offset, const Token& token) { return offset < token.start; });
  return after == tokens.begin() ? 0 : static_cast<size_t>(after - tokens.begin()) - 1;
}

size_t StatementText::Position(int64_t location) const {
  if (location < 0 || tokens.empty()) return position;
  const Token& token = tokens[TokenIndex(location)];
  // After the last token, for "syntax error at end of input".
  if (location >= token.end && &token == &tokens.back()) return token.origin_end;
  const size_t within = location > token.start ? static_cast<size_t>(location) - token.start : 0;
  return std::min<size_t>(token.origin + within, token.origin_end);
}

bool StatementText::HasMark(int64_t location, TokenMark mark) const {
  return location >= 0 && !tokens.empty() && tokens[TokenIndex(location)].mark == mark;
}

std::string_view StatementText::TokenText(size_t index) const {
  return std::string_view(text).substr(tokens[index].start, tokens[index].end - tokens[index].start);
}

size_t StatementText::FindBackward(int64_t location, TokenType type) const {
  if (location < 0 || tokens.empty()) return tokens.size();
  size_t closed = 0;
  for (size_t i = TokenIndex(location) + 1; i-- > 0;) {
    if (tokens[i].Is(')')) {
      ++closed;
    } else if (tokens[i].Is('(')) {
      if (closed > 0) --closed;
    } else if (closed == 0 && tokens[i].type == type) {
      return i;
    }
  }
  return tokens.size();
}

size_t StatementText::FindForward(TokenType type, size_t from) const {
  while (from < tokens.size() && tokens[from].type != type) ++from;
  return from;
}

bool StatementText::IsKeyword(size_t index, std::string_view lower) const {
  if (index >= tokens.size() || !tokens[index].is_keyword) return false;
  const std::string_view word = TokenText(index);
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

size_t StatementText::FindKeyword(std::string_view lower, size_t from) const {
  size_t open = 0;
  for (size_t i = from; i < tokens.size(); ++i) {
    if (tokens[i].Is('(') || tokens[i].Is('[')) ++open;
    if ((tokens[i].Is(')') || tokens[i].Is(']')) && open > 0) --open;
    if (open == 0 && IsKeyword(i, lower)) return i;
  }
  return tokens.size();
}

std::vector<size_t> StatementText::ListItems(size_t from) const {
  std::vector<size_t> items;
  if (from < tokens.size()) items.push_back(from);
  size_t open = 0;
  for (size_t i = from; i < tokens.size(); ++i) {
    if (tokens[i].Is('(') || tokens[i].Is('[')) ++open;
    if (tokens[i].Is(')') || tokens[i].Is(']')) {
      if (open == 0) break;
      --open;
    }
    if (open == 0 && tokens[i].Is(',') && i + 1 < tokens.size()) items.push_back(i + 1);
  }
  return items;
}

std::string StatementText::Origin(size_t first, size_t last) const {
  if (first >= tokens.size() || last >= tokens.size() || last < first) return {};
  return std::string(sql.substr(tokens[first].origin, tokens[last].origin_end - tokens[first].origin));
}

std::string StatementText::OriginBehind(size_t index) const {
  size_t begin = position + length;
  for (size_t i = index + 1; i < tokens.size(); ++i) begin = std::min<size_t>(begin, tokens[i].origin);
  return std::string(sql.substr(begin, position + length - begin));
}

size_t StatementText::Closing(size_t open) const {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].Is('(')) ++depth;
    if (tokens[i].Is(')') && --depth == 0) return i;
  }
  return tokens.size();
}

void StatementText::InsertName(size_t index, std::string_view name) {
  Token token = tokens[index];
  text.insert(token.end, name).insert(token.end, 1, ' ');
  token.start = token.end + 1;
  token.end = static_cast<uint32_t>(token.start + name.size());
  token.type = TokenType::kIdentifier;
  for (size_t i = index + 1; i < tokens.size(); ++i) {
    tokens[i].start += static_cast<uint32_t>(name.size()) + 1;
    tokens[i].end += static_cast<uint32_t>(name.size()) + 1;
  }
  tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(index) + 1, token);
}

int64_t StatementText::Location(size_t index) const {
  return index < tokens.size() ? int64_t{tokens[index].start} : -1;
}

}  // namespace scaup
