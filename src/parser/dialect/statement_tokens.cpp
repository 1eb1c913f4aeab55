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

bool StatementTokens::EndsDistinctOn(size_t close) const {
  SCAUP_ASSERT(Is(close, ')'));
  const size_t open = Partner(close);
  return open < close && open >= 2 && AreWords(open - 2, {"distinct", "on"});
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
