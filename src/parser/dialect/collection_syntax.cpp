// Finds the forms of statements on collections that PostgreSQL's grammar lacks.
#include "parser/dialect/collection_syntax.hpp"

#include <algorithm>

namespace scaup {

namespace {

bool Is(std::span<const Token> tokens, size_t index, TokenType type) {
  return index < tokens.size() && tokens[index].type == type;
}

bool IsQuantifier(std::string_view word) {
  constexpr std::string_view kQuantifiers[] = {"any", "some", "all"};
  return std::any_of(std::begin(kQuantifiers), std::end(kQuantifiers), [word](std::string_view lower) {
    return word.size() == lower.size() && std::equal(word.begin(), word.end(), lower.begin(),
                                                     [](char a, char b) { return (a | 0x20) == b; });
  });
}

bool IsComparison(TokenType type) {
  switch (type) {
    case TokenType::kOperator:
    case TokenType::kEqual:
    case TokenType::kNotEquals:
    case TokenType::kLess:
    case TokenType::kLessEquals:
    case TokenType::kGreater:
    case TokenType::kGreaterEquals:
    case TokenType::kLike:
    case TokenType::kIlike: return true;
    default: return false;
  }
}

/// The index of the token behind the bracket that closes the one at `open`.
size_t SubscriptEnd(std::span<const Token> tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].Is('[')) ++depth;
    if (tokens[i].Is(']') && --depth == 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace

size_t NameEnd(std::span<const Token> tokens, size_t begin) {
  size_t end = begin + 1;
  while (Is(tokens, end, CharacterToken('.'))) end += 2;
  return end;
}

bool FollowsInsertInto(std::span<const Token> tokens, size_t index) {
  if (index > 3 && Is(tokens, index - 2, TokenType::kAs)) index -= 2;
  if (index < 3) return false;
  size_t name = index - 1;
  while (name > 3 && tokens[name - 1].Is('.')) name -= 2;
  return Is(tokens, name - 1, TokenType::kInto) && Is(tokens, name - 2, TokenType::kInsert);
}

size_t PathEndBehindAny(std::string_view sql, std::span<const Token> tokens, size_t index) {
  const Token& word = tokens[index];
  if (!word.is_keyword || index == 0 || !IsComparison(tokens[index - 1].type) ||
      !IsQuantifier(sql.substr(word.origin, word.origin_end - word.origin)))
    return 0;
  size_t end = index + 1;
  if (!Is(tokens, end, TokenType::kIdentifier) && !(end < tokens.size() && tokens[end].is_keyword)) return 0;
  for (end++; end < tokens.size();) {
    if (tokens[end].Is('.')) {
      end += 2;
    } else if (tokens[end].Is('[')) {
      end = SubscriptEnd(tokens, end);
    } else {
      break;
    }
  }
  return end > tokens.size() || Is(tokens, end, TokenType::kLeftParen) ? 0 : end;
}

}  // namespace scaup
