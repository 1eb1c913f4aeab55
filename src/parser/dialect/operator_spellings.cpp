// Operators of other systems that PostgreSQL spells otherwise: ==, // and **.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

struct Spelling {
  std::string_view written;
  char known;
};
// Division of integers truncates in PostgreSQL, so / does what // is written for.
constexpr Spelling kSpellings[] = {{"==", '='}, {"//", '/'}, {"**", '^'}};

class OperatorSpellings final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    if (!tokens.Is(index, TokenType::kOperator)) return index;
    for (const Spelling& spelling : kSpellings) {
      if (tokens.TextOf(index) != spelling.written) continue;
      rewriter.Write(index, std::string_view(&spelling.known, 1), CharacterToken(spelling.known));
      return index + 1;
    }
    return index;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeOperatorSpellings(const StatementTokens&) {
  return std::make_unique<OperatorSpellings>();
}

}  // namespace scaup
