// Writes the text that PostgreSQL's grammar gets in the place of a statement.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parser/dialect/statement_tokens.hpp"
#include "parser/text/statement_text.hpp"

namespace scaup {

class Rewriter;

/// Rewrites one form of syntax wherever it stands within a statement. One object per statement, so that it
/// may keep what it has found in it.
class FormRewriter {
 public:
  virtual ~FormRewriter() = default;
  /// If the form begins at a token, writes what it becomes and returns the index of the token after the form.
  /// Otherwise writes nothing and returns `index`.
  virtual size_t Rewrite(Rewriter& rewriter, size_t index) = 0;
};

/// Copies the tokens of a statement into a new text, and writes others in the place of some. Every token that
/// is written carries the place of a token that the user wrote: this is how positions in errors stay right.
class Rewriter {
 public:
  /// Borrows the tokens.
  explicit Rewriter(const StatementTokens& tokens);
  /// The forms that Rewrite looks for, in the order in which they are asked.
  void SetForms(std::vector<std::unique_ptr<FormRewriter>> forms) { forms_ = std::move(forms); }

  const StatementTokens& tokens() const { return tokens_; }
  /// The text so far; flags of the statement are set here.
  StatementText& result() { return result_; }
  StatementText TakeResult() { return std::move(result_); }

  /// The begin of a query for Rewrite: none.
  static constexpr size_t kNoQuery = SIZE_MAX;
  /// Writes the tokens from `begin` to `end`, forms among them rewritten. `query_begin`: the index of a token
  /// with which a query begins though the token before it does not tell.
  void Rewrite(size_t begin, size_t end, size_t query_begin = kNoQuery);
  /// Writes all tokens from `begin` to the statement's end, forms among them rewritten.
  void RewriteRest(size_t begin) { Rewrite(begin, tokens_.size()); }
  /// The `query_begin` of the innermost Rewrite.
  size_t query_begin() const { return query_begin_; }
  /// Writes a token as it is, with the white space and the comments before it.
  void Copy(size_t index);

  /// Writes a token that stands for the user's token `index`.
  Token& Write(size_t index, std::string_view text, TokenType type);
  /// Writes a token that stands for the bytes from `origin` to `origin_end` of the user's text.
  Token& WriteAt(size_t origin, size_t origin_end, std::string_view text, TokenType type);
  /// Writes a token as a name in quotes; it may be a keyword or a plain string.
  void WriteName(size_t index);

 private:
  const StatementTokens& tokens_;
  StatementText result_;
  std::vector<std::unique_ptr<FormRewriter>> forms_;
  size_t query_begin_ = kNoQuery;
  size_t last_copied_ = 0;
};

}  // namespace scaup
