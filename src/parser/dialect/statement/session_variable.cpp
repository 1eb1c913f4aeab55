// SET VARIABLE and RESET VARIABLE: values that a session has under names.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteSetVariable(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"set", "variable"}) || (!tokens.Is(3, '=') && !tokens.IsWord(3, "to")))
    return false;
  if (tokens.size() == 4) tokens.ThrowSyntaxError(4);
  // A list would become a row within the parentheses.
  for (size_t i = 4; i < tokens.size(); i++) {
    if (tokens.Is(i, ',')) tokens.ThrowSyntaxError(i);
    if (tokens.Partner(i) > i && tokens.Partner(i) < tokens.size()) i = tokens.Partner(i);
  }
  rewriter.result().form = StatementForm::kSetVariable;
  rewriter.Write(0, "SELECT", TokenType::kSelect);
  rewriter.Write(3, "(", TokenType::kLeftParen);
  rewriter.RewriteRest(4);
  rewriter.Write(tokens.size() - 1, ")", TokenType::kRightParen);
  rewriter.Write(2, "AS", TokenType::kAs);
  rewriter.WriteName(2);
  return true;
}

bool RewriteResetVariable(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"reset", "variable"}) || tokens.size() < 3) return false;
  if (tokens.size() > 3) tokens.ThrowSyntaxError(3);
  rewriter.result().form = StatementForm::kResetVariable;
  rewriter.Write(0, "SELECT", TokenType::kSelect);
  rewriter.Write(1, "0", TokenType::kInteger);
  rewriter.Write(1, "AS", TokenType::kAs);
  rewriter.WriteName(2);
  return true;
}

}  // namespace scaup
