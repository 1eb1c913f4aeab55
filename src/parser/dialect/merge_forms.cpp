// MERGE forms of PostgreSQL 17 that the grammar, which is that of 15, lacks: BY SOURCE, BY TARGET, RETURNING.
#include <algorithm>
#include <map>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class MergeForms final : public FormRewriter {
 public:
  explicit MergeForms(const StatementTokens& tokens) : tokens_(tokens) { Find(0, tokens.size()); }

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const auto found = found_.find(index);
    if (found == found_.end()) return index;
    switch (found->second.form) {
      case Form::kByTarget:
        // BY TARGET is the default, so it is dropped.
        for (size_t i = index; i < index + 3; ++i) rewriter.Copy(i);
        return index + 5;
      case Form::kBySource:
        // The grammar gets WHEN MATCHED, whose actions are those of BY SOURCE. The mark tells them apart.
        rewriter.Write(index, "WHEN", TokenType::kWhen).is_by_source = true;
        rewriter.Copy(index + 2);
        return index + 5;
      case Form::kReturning: break;
    }
    RewriteReturning(rewriter, index, found->second.end);
    return found->second.end;
  }

 private:
  enum class Form : uint8_t { kByTarget, kBySource, kReturning };
  struct Found {
    Form form;
    size_t end;  ///< index of the token after the MERGE statement
  };

  /// Finds the forms of the statement in tokens [begin, end), and those of statements in its WITH.
  void Find(size_t begin, size_t end) {
    bool is_merge = false;
    for (size_t i = begin; i < end; ++i) {
      if (tokens_.Is(i, '(')) {
        const size_t close = std::min(tokens_.Partner(i), end - 1);
        const bool is_in_with =
            i > begin && (tokens_.Is(i - 1, TokenType::kAs) || tokens_.IsWord(i - 1, "materialized"));
        if (is_in_with) Find(i + 1, close);
        i = close;
      }
      is_merge = is_merge || (tokens_.IsWord(i, "merge") && tokens_.Is(i + 1, TokenType::kInto));
      if (!is_merge) continue;
      if (tokens_.AreWords(i, {"when", "not", "matched", "by"})) {
        if (tokens_.IsWord(i + 4, "source")) found_[i] = {Form::kBySource, end};
        if (tokens_.IsWord(i + 4, "target")) found_[i] = {Form::kByTarget, end};
      } else if (tokens_.Is(i, TokenType::kReturning)) {
        CheckParentheses(i + 1, end);
        found_[i] = {Form::kReturning, end};
        return;
      }
    }
  }

  /// Throws if RETURNING's list closes a parenthesis that it has not opened. That would end the parentheses
  /// that are written around it.
  void CheckParentheses(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (tokens_.Is(i, '(')) {
        i = std::min(tokens_.Partner(i), end - 1);
      } else if (tokens_.Is(i, ')')) {
        tokens_.ThrowSyntaxError(i);
      }
    }
  }

  /// Writes RETURNING's list as the SELECT list of a query in an extra WHEN clause. The AST transformation
  /// takes the list from there and removes the clause.
  void RewriteReturning(Rewriter& rewriter, size_t index, size_t end) {
    if (index + 1 == end) tokens_.ThrowSyntaxError(index + 1);
    rewriter.Write(index, "WHEN", TokenType::kWhen).is_returning = true;
    rewriter.Write(index, "NOT", TokenType::kNot);
    rewriter.Write(index, "MATCHED", TokenType::kIdentifier);
    rewriter.Write(index, "AND", TokenType::kAnd);
    rewriter.Write(index, "EXISTS", TokenType::kExists);
    rewriter.Write(index, "(", TokenType::kLeftParen);
    rewriter.Write(index, "SELECT", TokenType::kSelect);
    rewriter.Rewrite(index + 1, end);
    rewriter.Write(end - 1, ")", TokenType::kRightParen);
    rewriter.Write(end - 1, "THEN", TokenType::kThen);
    rewriter.Write(end - 1, "DO", TokenType::kIdentifier);
    rewriter.Write(end - 1, "NOTHING", TokenType::kIdentifier);
  }

  const StatementTokens& tokens_;
  std::map<size_t, Found> found_;  // by index of the form's first token
};

}  // namespace

std::unique_ptr<FormRewriter> MakeMergeForms(const StatementTokens& tokens) {
  const bool may_merge = tokens.IsWord(0, "merge") || tokens.IsWord(0, "with") ||
                         tokens.IsWord(0, "explain") || tokens.IsWord(0, "prepare");
  return may_merge ? std::make_unique<MergeForms>(tokens) : nullptr;
}

}  // namespace scaup
