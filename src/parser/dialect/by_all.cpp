// GROUP BY ALL and ORDER BY ALL: become a marked name.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class ByAll final : public FormRewriter {
 public:
  explicit ByAll(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (index < 2 || !tokens_.Is(index, TokenType::kAll) || !tokens_.Is(index - 1, TokenType::kBy))
      return index;
    const TokenType clause = tokens_[index - 2].type;
    // GROUP BY ALL a, b is PostgreSQL's: the opposite of GROUP BY DISTINCT.
    const bool is_found =
        clause == TokenType::kOrder || (clause == TokenType::kGroup && EndsClause(index + 1));
    if (!is_found) return index;
    rewriter.Write(index, "\"all\"", TokenType::kIdentifier).mark = TokenMark::kByAll;
    return index + 1;
  }

 private:
  bool EndsClause(size_t index) const {
    return index >= tokens_.size() || tokens_.Is(index, ')') || tokens_.Is(index, TokenType::kHaving) ||
           tokens_.BeginsQualify(index) || tokens_.BeginsLaterClause(index);
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeByAll(const StatementTokens& tokens) {
  return std::make_unique<ByAll>(tokens);
}

}  // namespace scaup
