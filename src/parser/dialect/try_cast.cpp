// TRY_CAST(x AS TYPE): a cast that returns NULL if the value cannot be cast. It becomes a marked CAST.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class TryCast final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    const bool is_found = tokens.Is(index + 1, '(') && tokens.IsName(index, "try_cast") &&
                          (index == 0 || !tokens[index - 1].Is('.'));
    if (!is_found || !HasType(tokens, index + 1)) return index;
    rewriter.Write(index, "CAST", TokenType::kIdentifier).is_try = true;
    return index + 1;
  }

 private:
  /// Returns whether AS stands within the brackets. Otherwise it is the name of a table, with its columns.
  static bool HasType(const StatementTokens& tokens, size_t open) {
    for (size_t i = open + 1; i < tokens.Partner(open); i++) {
      if (tokens.Is(i, TokenType::kAs)) return true;
      if (tokens.Is(i, '(')) i = tokens.Partner(i);
    }
    return false;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeTryCast(const StatementTokens&) { return std::make_unique<TryCast>(); }

}  // namespace scaup
