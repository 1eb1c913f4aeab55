// LIMIT n% and LIMIT n PERCENT: the percentage becomes the argument of a marked call.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class PercentLimit final : public FormRewriter {
 public:
  explicit PercentLimit(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!tokens_.IsWord(index, "limit")) return index;
    const size_t percent = FindPercent(index + 1);
    if (percent == tokens_.size()) return index;
    rewriter.Copy(index);
    rewriter.Write(percent, "percent", TokenType::kIdentifier).mark = TokenMark::kPercentLimit;
    rewriter.Write(percent, "(", TokenType::kLeftParen);
    rewriter.Rewrite(index + 1, percent);
    rewriter.Write(percent, ")", TokenType::kRightParen);
    return percent + 1;
  }

 private:
  /// Returns the index of the percent sign that ends a count, which is no operator as no operand follows it;
  /// size() if there is none.
  size_t FindPercent(size_t begin) const {
    for (size_t i = begin; i < tokens_.size() && !tokens_.Is(i, ')') && !tokens_.BeginsLaterClause(i); i++) {
      if (tokens_.Is(i, '(')) {
        i = tokens_.Partner(i);
      } else if (i > begin && (tokens_.Is(i, '%') || tokens_.IsName(i, "percent")) && EndsCount(i + 1)) {
        return i;
      }
    }
    return tokens_.size();
  }
  bool EndsCount(size_t index) const {
    return index >= tokens_.size() || tokens_.Is(index, ')') || tokens_.BeginsLaterClause(index);
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakePercentLimit(const StatementTokens& tokens) {
  return std::make_unique<PercentLimit>(tokens);
}

}  // namespace scaup
