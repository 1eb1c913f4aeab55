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
    if (!is_found) return index;
    rewriter.Write(index, "CAST", TokenType::kIdentifier).is_try = true;
    return index + 1;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeTryCast(const StatementTokens&) { return std::make_unique<TryCast>(); }

}  // namespace scaup
