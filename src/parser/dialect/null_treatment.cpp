// IGNORE NULLS and RESPECT NULLS of window functions: the former becomes a mark of the call's parenthesis.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class NullTreatment final : public FormRewriter {
 public:
  explicit NullTreatment(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const bool ignores = tokens_.IsName(index, "ignore");
    if (index == 0 || !(ignores || tokens_.IsName(index, "respect")) || !tokens_.IsWord(index + 1, "nulls"))
      return index;
    if (tokens_[index - 1].Is(')') && BeginsWindow(index + 2)) {
      Mark(rewriter.result().tokens.back(), ignores);
      return index + 2;
    }
    if (!tokens_.Is(index + 2, ')') || !BeginsWindow(index + 3)) return index;
    Mark(rewriter.Write(index + 2, ")", TokenType::kRightParen), ignores);
    return index + 3;
  }

 private:
  bool BeginsWindow(size_t index) const {
    return tokens_.IsWord(index, "over") || (tokens_.IsWord(index, "filter") && tokens_.Is(index + 1, '('));
  }
  static void Mark(Token& parenthesis, bool ignores) {
    if (ignores) parenthesis.mark = TokenMark::kIgnoreNulls;
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeNullTreatment(const StatementTokens& tokens) {
  return std::make_unique<NullTreatment>(tokens);
}

}  // namespace scaup
