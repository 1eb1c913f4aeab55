// PRAGMA: shows or sets a setting, or calls a table function.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewritePragma(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsName(0, "pragma")) return false;
  if (tokens.size() == 1) tokens.ThrowSyntaxError(1);
  if (tokens.Is(2, '(')) {
    const size_t close = tokens.Partner(2);
    if (close + 1 < tokens.size()) tokens.ThrowSyntaxError(close + 1);
    rewriter.result().form = StatementForm::kPragmaFunction;
    rewriter.Write(0, "SELECT", TokenType::kSelect);
  } else {
    rewriter.result().form = StatementForm::kPragmaSetting;
    const bool is_set = tokens.Is(tokens.NameEnd(1), '=');
    rewriter.Write(0, is_set ? "SET" : "SHOW", TokenType::kSet);
  }
  rewriter.RewriteRest(1);
  return true;
}

}  // namespace scaup
