// QUALIFY condition: becomes a marked definition of the WINDOW clause, which follows HAVING, too.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class Qualify final : public FormRewriter {
 public:
  explicit Qualify(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.BeginsQualify(index)) return index;
    const size_t end = EndOf(index + 1);
    if (FollowsWindowClause(index)) {
      rewriter.Write(index, ",", TokenType::kComma);
    } else {
      rewriter.Write(index, "WINDOW", TokenType::kWindow);
    }
    rewriter.Write(index, "qualify", TokenType::kIdentifier);
    rewriter.Write(index, "AS", TokenType::kAs);
    rewriter.Write(index, "(", TokenType::kLeftParen).mark = TokenMark::kQualify;
    rewriter.Write(index, "PARTITION", TokenType::kIdentifier);
    rewriter.Write(index, "BY", TokenType::kBy);
    rewriter.Rewrite(index + 1, end);
    rewriter.Write(end - 1, ")", TokenType::kRightParen);
    return end;
  }

 private:
  /// Returns whether the query that QUALIFY belongs to has a WINDOW clause before it.
  bool FollowsWindowClause(size_t index) const {
    for (size_t i = index; i-- > 0;) {
      if (tokens_.Is(i, ')') || tokens_.Is(i, ']')) {
        if (tokens_.Partner(i) == tokens_.size()) return false;
        i = tokens_.Partner(i);
        continue;
      }
      if (tokens_.Is(i, TokenType::kWindow)) return true;
      if (tokens_.Is(i, '(') || tokens_.Is(i, TokenType::kFrom) || tokens_.Is(i, TokenType::kSelect))
        return false;
    }
    return false;
  }

  size_t EndOf(size_t begin) const {
    for (size_t i = begin; i < tokens_.size(); ++i) {
      if (tokens_.Is(i, '(') || tokens_.Is(i, '[')) {
        if (tokens_.Partner(i) == tokens_.size()) return i;
        i = tokens_.Partner(i);
        continue;
      }
      if (tokens_.Is(i, ')') || tokens_.BeginsLaterClause(i)) return i;
    }
    return tokens_.size();
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeQualify(const StatementTokens& tokens) {
  return std::make_unique<Qualify>(tokens);
}

}  // namespace scaup
