// ANY, SOME and ALL before a document path without parentheses. The grammar demands parentheses.
#include <algorithm>

#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

bool IsComparison(TokenType type) {
  switch (type) {
    case TokenType::kOperator:
    case TokenType::kEqual:
    case TokenType::kNotEquals:
    case TokenType::kLess:
    case TokenType::kLessEquals:
    case TokenType::kGreater:
    case TokenType::kGreaterEquals:
    case TokenType::kLike:
    case TokenType::kIlike: return true;
    default: return false;
  }
}

class AnyOfPath final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const size_t end = PathEnd(rewriter.tokens(), index);
    if (end == 0) return index;
    rewriter.Copy(index);
    rewriter.Write(index + 1, "(", TokenType::kLeftParen);
    rewriter.Rewrite(index + 1, end);
    rewriter.Write(end - 1, ")", TokenType::kRightParen);
    return end;
  }

 private:
  /// Returns the index of the token after a path such as a.b[2].c. Returns 0 if `index` is no quantifier
  /// after a comparison, if no path follows, or if the path is the name of a function call.
  static size_t PathEnd(const StatementTokens& tokens, size_t index) {
    const bool is_quantifier =
        tokens.IsWord(index, "any") || tokens.IsWord(index, "some") || tokens.IsWord(index, "all");
    if (!is_quantifier || !tokens[index].is_keyword || index == 0 || !IsComparison(tokens[index - 1].type))
      return 0;
    size_t end = index + 1;
    if (!tokens.Is(end, TokenType::kIdentifier) && !(end < tokens.size() && tokens[end].is_keyword)) return 0;
    for (end++; end < tokens.size();) {
      if (tokens[end].Is('.')) {
        end += 2;
      } else if (tokens[end].Is('[')) {
        end = std::min(tokens.Partner(end), tokens.size() - 1) + 1;
      } else {
        break;
      }
    }
    // A dot at the statement's end moves `end` beyond it. The grammar then reports the error.
    return end > tokens.size() || tokens.Is(end, '(') ? 0 : end;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeAnyOfPath(const StatementTokens&) { return std::make_unique<AnyOfPath>(); }

}  // namespace scaup
