// Statement tokens: the tokens of one statement as the user wrote it, with tests for syntax extensions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// A view of a statement's tokens, without the semicolon. The tests allow indexes beyond the last token, and
/// return false for them. Borrows the text and the tokens; immutable.
class StatementTokens {
 public:
  /// REQUIRES: `tokens` is not empty, and its offsets point into `sql`.
  StatementTokens(std::string_view sql, std::span<const Token> tokens);

  std::string_view sql() const { return sql_; }
  std::span<const Token> all() const { return tokens_; }
  size_t size() const { return tokens_.size(); }
  const Token& operator[](size_t index) const { return tokens_[index]; }
  std::string_view TextOf(size_t index) const {
    return sql_.substr(tokens_[index].origin, tokens_[index].origin_end - tokens_[index].origin);
  }

  bool Is(size_t index, TokenType type) const { return index < size() && tokens_[index].type == type; }
  bool Is(size_t index, char character) const { return index < size() && tokens_[index].Is(character); }
  /// Returns whether the token is this word, an unquoted name or keyword. REQUIRES: `lower` is in lower case.
  bool IsWord(size_t index, std::string_view lower) const;
  /// Returns whether the tokens from `index` on are these words, in this order.
  bool AreWords(size_t index, std::initializer_list<std::string_view> lower) const;
  /// Returns whether the token is this word and no keyword of PostgreSQL's grammar.
  bool IsName(size_t index, std::string_view lower) const {
    return Is(index, TokenType::kIdentifier) && IsWord(index, lower);
  }
  /// Returns whether a query begins with the token: SELECT, WITH, VALUES, FROM, TABLE or a parenthesis.
  bool BeginsQuery(size_t index) const;
  /// Returns whether the token is UNION of a type UNION(name TYPE, ...), rather than of a query.
  bool BeginsUnionType(size_t index) const;
  /// Returns the index of the bracket that matches the one at `index`; size() if there is none.
  size_t Partner(size_t index) const { return partner_[index]; }
  /// Returns whether the parenthesis ends DISTINCT ON (...), after which an expression begins. That of
  /// JOIN ... ON (...) ends an operand. REQUIRES: `close` is the index of a closing parenthesis.
  bool EndsDistinctOn(size_t close) const;
  /// Returns whether a QUALIFY clause begins: the word, after a complete operand and before an expression. As
  /// the alias of a table or column it remains a name.
  bool BeginsQualify(size_t index) const;
  /// Returns whether a clause begins that can follow GROUP BY, HAVING and QUALIFY, or what comes after the
  /// whole query.
  bool BeginsLaterClause(size_t index) const;
  /// Returns the index of the token after a name with dots, which begins at `begin`. It may be above size().
  size_t NameEnd(size_t begin) const;

  /// Throws Error(kSyntax, 42601) at a token, or at the end of the input.
  [[noreturn]] void ThrowSyntaxError(size_t index) const;

 private:
  bool IsListOfNames(size_t open) const;

  std::string_view sql_;
  std::span<const Token> tokens_;
  std::vector<size_t> partner_;
};

}  // namespace scaup
