// Rewriter: writes the text that PostgreSQL's grammar parses in place of the user's statement.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parser/dialect/statement_tokens.hpp"
#include "parser/text/statement_text.hpp"

namespace scaup {

class Rewriter;

/// Rewrites one form of syntax wherever it occurs within a statement. Each statement has its own object,
/// which may cache what it has found in the statement.
class FormRewriter {
 public:
  virtual ~FormRewriter() = default;
  /// If the form begins at token `index`, writes its replacement and returns the index of the token after the
  /// form. Otherwise writes nothing and returns `index`.
  virtual size_t Rewrite(Rewriter& rewriter, size_t index) = 0;
};

/// Copies the tokens of a statement into a new text, and replaces some of them. Every written token has the
/// position of a token of the user's text, so that positions in errors are correct. Used by one thread.
class Rewriter {
 public:
  /// Borrows the tokens.
  explicit Rewriter(const StatementTokens& tokens);
  /// Sets the forms that Rewrite looks for, in the order in which they are tried.
  void SetForms(std::vector<std::unique_ptr<FormRewriter>> forms) { forms_ = std::move(forms); }

  const StatementTokens& tokens() const { return tokens_; }
  /// The text so far. Extensions set the statement's flags here.
  StatementText& result() { return result_; }
  StatementText TakeResult() { return std::move(result_); }

  /// A `query_begin` for Rewrite if no query is known to begin.
  static constexpr size_t kNoQuery = SIZE_MAX;
  /// Writes tokens [begin, end), and rewrites the forms among them. A query begins at token `query_begin`,
  /// even if the token before it does not show that.
  void Rewrite(size_t begin, size_t end, size_t query_begin = kNoQuery);
  /// Writes the tokens from `begin` to the statement's end, and rewrites the forms among them.
  void RewriteRest(size_t begin) { Rewrite(begin, tokens_.size()); }
  /// The `query_begin` of the innermost Rewrite.
  size_t query_begin() const { return query_begin_; }
  /// Writes a token unchanged, with the white space and the comments before it.
  void Copy(size_t index);

  /// Writes a token with the position of the user's token `index`. The result is valid until the next token
  /// is written.
  Token& Write(size_t index, std::string_view text, TokenType type);
  /// Writes a token with the position of bytes [origin, origin_end) of the user's text.
  Token& WriteAt(size_t origin, size_t origin_end, std::string_view text, TokenType type);
  /// Writes token `index`, which may be a keyword or a plain string, as a quoted name.
  void WriteName(size_t index);

 private:
  const StatementTokens& tokens_;
  StatementText result_;
  std::vector<std::unique_ptr<FormRewriter>> forms_;
  size_t query_begin_ = kNoQuery;
  size_t last_copied_ = 0;
};

}  // namespace scaup
