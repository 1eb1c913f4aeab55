// Statement tokens: matches brackets, and tests tokens for syntax extensions.
#include "parser/dialect/statement_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "type/number/number_text.hpp"

namespace scaup {

StatementTokens::StatementTokens(std::string_view sql, std::span<const Token> tokens)
    : sql_(sql), tokens_(tokens), partner_(tokens.size(), tokens.size()) {
  SCAUP_ASSERT(!tokens.empty() && tokens.back().origin_end <= sql.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].Is('(') || tokens[i].Is('[')) open.push_back(i);
    if ((!tokens[i].Is(')') && !tokens[i].Is(']')) || open.empty()) continue;
    partner_[i] = open.back();
    partner_[open.back()] = i;
    open.pop_back();
  }
}

bool StatementTokens::IsWord(size_t index, std::string_view lower) const {
  SCAUP_ASSERT(std::none_of(lower.begin(), lower.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  return index < size() && EqualsIgnoringCase(TextOf(index), lower);
}

bool StatementTokens::AreWords(size_t index, std::initializer_list<std::string_view> lower) const {
  for (const std::string_view word : lower) {
    if (!IsWord(index++, word)) return false;
  }
  return true;
}

bool StatementTokens::BeginsQuery(size_t index) const {
  if (index >= size()) return false;
  switch (tokens_[index].type) {
    case TokenType::kSelect:
    case TokenType::kWith:
    case TokenType::kValues:
    case TokenType::kFrom:
    case TokenType::kTable:
    case TokenType::kLeftParen: return true;
    default: return false;
  }
}

bool StatementTokens::BeginsUnionType(size_t index) const {
  if (!Is(index, TokenType::kUnion) || !Is(index + 1, '(') || index + 2 >= size() || BeginsQuery(index + 2))
    return false;
  // Queries may also begin with these.
  return !std::ranges::any_of(
      std::initializer_list<std::string_view>{"pivot", "unpivot", "describe", "desc", "show", "summarize"},
      [&](std::string_view word) { return IsWord(index + 2, word); });
}

bool StatementTokens::EndsDistinctOn(size_t close) const {
  SCAUP_ASSERT(Is(close, ')'));
  const size_t open = Partner(close);
  return open < close && open >= 2 && AreWords(open - 2, {"distinct", "on"});
}

bool StatementTokens::IsListOfNames(size_t open) const {
  for (size_t i = open + 1; i < Partner(open) && i < size(); i++) {
    if (!Is(i, (i - open) % 2 == 0 ? TokenType::kComma : TokenType::kIdentifier)) return false;
  }
  return true;
}

bool StatementTokens::BeginsLaterClause(size_t index) const {
  switch (tokens_[index].type) {
    case TokenType::kOrder: return Is(index + 1, TokenType::kBy);
    case TokenType::kUnion: return !BeginsUnionType(index);
    case TokenType::kWindow:
    case TokenType::kLimit:
    case TokenType::kOffset:
    case TokenType::kFetch:
    case TokenType::kFor:
    case TokenType::kIntersect:
    case TokenType::kExcept:
    case TokenType::kReturning:
    case TokenType::kOn:
    case TokenType::kSelect:
    case TokenType::kWith: return true;
    default: return false;
  }
}

bool StatementTokens::BeginsQualify(size_t index) const {
  if (index < 2 || !IsName(index, "qualify") || index + 1 >= size()) return false;
  const Token& before = tokens_[index - 1];
  const bool ends_operand = before.type == TokenType::kIdentifier || before.type == TokenType::kString ||
                            before.type == TokenType::kInteger || before.type == TokenType::kParameter ||
                            before.type == TokenType::kEnd || before.type == TokenType::kAll ||
                            before.Is(')') || before.Is(']') || IsWord(index - 1, "true") ||
                            IsWord(index - 1, "false") || IsWord(index - 1, "null");
  if (!ends_operand) return false;
  const Token& next = tokens_[index + 1];
  switch (next.type) {
    // FROM f() qualify (a, b) names columns.
    case TokenType::kLeftParen: return !IsListOfNames(index + 1);
    case TokenType::kIdentifier: return !Is(index + 2, TokenType::kJoin);
    case TokenType::kInteger:
    case TokenType::kParameter:
    case TokenType::kNot:
    case TokenType::kCase:
    case TokenType::kExists: return true;
    default: break;
  }
  // Functions whose names are keywords, as in coalesce(...) and left(...).
  return next.is_keyword && Is(index + 2, '(') && next.type != TokenType::kOn &&
         next.type != TokenType::kWhere && !IsWord(index + 1, "using");
}

size_t StatementTokens::NameEnd(size_t begin) const {
  size_t end = begin + 1;
  while (Is(end, '.')) end += 2;
  return end;
}

void StatementTokens::ThrowSyntaxError(size_t index) const {
  if (index >= size()) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "syntax error at end of input",
               tokens_.back().origin_end);
  }
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
             fmt::format("syntax error at or near \"{}\"", TextOf(index)), tokens_[index].origin);
}

}  // namespace scaup
