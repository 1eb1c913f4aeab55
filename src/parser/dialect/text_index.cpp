// Text index over whole documents: CREATE INDEX ON c USING text (*). The star becomes a quoted name.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

class WholeDocumentIndex final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    const bool is_found = tokens[index].Is('*') && index > 3 &&
                          tokens.AreWords(index - 3, {"using", "text"}) && tokens.Is(index - 1, '(') &&
                          tokens.Is(index + 1, ')');
    if (!is_found) return index;
    rewriter.Write(index, "\"*\"", TokenType::kIdentifier);
    return index + 1;
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeWholeDocumentIndex(const StatementTokens& tokens) {
  return tokens.IsWord(0, "create") ? std::make_unique<WholeDocumentIndex>() : nullptr;
}

}  // namespace scaup
