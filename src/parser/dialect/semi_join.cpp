// SEMI JOIN and ANTI JOIN: become a JOIN whose condition begins with a marked name.
#include <map>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class SemiJoin final : public FormRewriter {
 public:
  explicit SemiJoin(const StatementTokens& tokens) : tokens_(tokens) {
    for (size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (BeginsJoin(i)) conditions_[ConditionOf(i + 1)] = MarkOf(i);
    }
  }

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (BeginsJoin(index)) {
      rewriter.Write(index, "JOIN", TokenType::kJoin);
      return index + 2;
    }
    const auto found = conditions_.find(index);
    if (found == conditions_.end()) return index;
    rewriter.Write(index, "ON", TokenType::kOn);
    rewriter.Write(index, "\"semi\"", TokenType::kIdentifier).mark = found->second;
    // The parentheses of USING (a, b) become those of a call; OR binds weaker than all that ON may have.
    if (tokens_.Is(index, TokenType::kOn)) rewriter.Write(index, "OR", TokenType::kOr);
    return index + 1;
  }

 private:
  TokenMark MarkOf(size_t index) const {
    return tokens_.IsName(index, "semi") ? TokenMark::kSemiJoin : TokenMark::kAntiJoin;
  }

  /// Returns whether SEMI JOIN or ANTI JOIN begins. After FROM and the like the word names a table.
  bool BeginsJoin(size_t index) const {
    if (index == 0 || !tokens_.Is(index + 1, TokenType::kJoin)) return false;
    if (!tokens_.IsName(index, "semi") && !tokens_.IsName(index, "anti")) return false;
    const Token& before = tokens_[index - 1];
    return before.type != TokenType::kFrom && before.type != TokenType::kJoin &&
           before.type != TokenType::kAs && !before.Is(',') && !before.Is('.') && !before.Is('(');
  }

  /// Returns whether the JOIN has a condition, unlike CROSS JOIN and NATURAL [LEFT] JOIN.
  bool HasCondition(size_t join) const {
    for (size_t i = join; i-- > 0 && i + 4 > join;) {
      if (tokens_.IsWord(i, "cross") || tokens_.IsWord(i, "natural")) return false;
      if (!tokens_.IsWord(i, "left") && !tokens_.IsWord(i, "right") && !tokens_.IsWord(i, "full") &&
          !tokens_.IsWord(i, "outer") && !tokens_.IsWord(i, "inner"))
        return true;
    }
    return true;
  }

  /// Returns the ON or USING of a join. Those of joins within its right side come first.
  size_t ConditionOf(size_t join) const {
    size_t inner_joins = 0;
    for (size_t i = join + 1; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.Is('(') || token.Is('[')) {
        if (tokens_.Partner(i) == tokens_.size()) tokens_.ThrowSyntaxError(tokens_.size());
        i = tokens_.Partner(i);
        continue;
      }
      if (token.type == TokenType::kJoin) inner_joins += HasCondition(i);
      if (token.type == TokenType::kOn || tokens_.IsWord(i, "using")) {
        if (inner_joins == 0) return i;
        --inner_joins;
      }
      if (token.Is(')') || token.Is(',') || token.type == TokenType::kWhere ||
          token.type == TokenType::kSelect || token.type == TokenType::kGroup ||
          token.type == TokenType::kOrder || token.type == TokenType::kLimit || IsSetOperation(token.type))
        tokens_.ThrowSyntaxError(i);
    }
    tokens_.ThrowSyntaxError(tokens_.size());
  }

  const StatementTokens& tokens_;
  std::map<size_t, TokenMark> conditions_;  // by index of ON or USING
};

}  // namespace

std::unique_ptr<FormRewriter> MakeSemiJoin(const StatementTokens& tokens) {
  return std::make_unique<SemiJoin>(tokens);
}

}  // namespace scaup
