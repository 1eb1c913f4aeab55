// COPY t TO 'file' (KV_METADATA {...}), and EXPORT DATABASE: options whose values have names, as texts for
// the grammar.
#include "parser/dialect/extensions.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

class OptionMap final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    if (!tokens.Is(index, '{') || index < 2 || !tokens.Is(index - 1, TokenType::kIdentifier)) return index;
    // An option's name follows a parenthesis or a comma; in a query no brace can follow a name.
    if (!tokens.Is(index - 2, '(') && !tokens.Is(index - 2, ',')) return index;
    const size_t close = FindClose(tokens, index);
    const size_t begin = tokens[index].origin, end = tokens[close].origin_end;
    rewriter.WriteAt(begin, end, QuotedText(tokens.sql().substr(begin, end - begin)), TokenType::kString);
    return close + 1;
  }

 private:
  static size_t FindClose(const StatementTokens& tokens, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < tokens.size(); i++) {
      if (tokens.Is(i, '{')) depth++;
      if (tokens.Is(i, '}') && --depth == 0) return i;
    }
    tokens.ThrowSyntaxError(open);
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeOptionMap(const StatementTokens& tokens) {
  if (!tokens.IsWord(0, "copy") && !tokens.AreWords(0, {"export", "database"})) return nullptr;
  return std::make_unique<OptionMap>();
}

}  // namespace scaup
