// Trailing commas: SELECT a, b, FROM t. Drops a comma after the last item of a list.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class TrailingComma final : public FormRewriter {
 public:
  explicit TrailingComma(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter&, size_t index) override {
    return tokens_.Is(index, ',') && FollowsItem(index) && EndsList(index + 1) ? index + 1 : index;
  }

 private:
  /// Returns whether there is an item for the comma to follow: a lone comma remains an error.
  bool FollowsItem(size_t comma) const {
    if (comma == 0) return false;
    const Token& before = tokens_[comma - 1];
    return !before.Is(',') && !before.Is('(') && !before.Is('[') && !before.Is('{') &&
           before.type != TokenType::kSelect && before.type != TokenType::kDistinct &&
           before.type != TokenType::kBy;
  }

  bool EndsList(size_t index) const {
    if (index == tokens_.size()) return true;
    switch (tokens_[index].type) {
      case TokenType::kRightParen:
      case TokenType::kRightBracket:
      case TokenType::kFrom:
      case TokenType::kWhere:
      case TokenType::kHaving:
      case TokenType::kLimit:
      case TokenType::kOffset:
      case TokenType::kIntersect:
      case TokenType::kExcept: return true;
      case TokenType::kGroup:
      case TokenType::kOrder: return tokens_.Is(index + 1, TokenType::kBy);
      case TokenType::kUnion: return !tokens_.BeginsUnionType(index);
      default: return tokens_[index].Is('}');
    }
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeTrailingComma(const StatementTokens& tokens) {
  return std::make_unique<TrailingComma>(tokens);
}

}  // namespace scaup
