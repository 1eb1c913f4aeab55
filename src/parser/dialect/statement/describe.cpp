// DESCRIBE: the columns of a query or of a relation.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteDescribe(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsName(0, "describe") && !tokens.Is(0, TokenType::kDesc)) return false;
  rewriter.result().form = StatementForm::kDescribe;
  if (tokens.size() == 1) tokens.ThrowSyntaxError(1);
  if (tokens.BeginsQuery(1)) {
    rewriter.Rewrite(1, tokens.size(), 1);
    return true;
  }
  // A name with dots, or a call of a table function.
  size_t end = tokens.NameEnd(1);
  if (tokens.Is(end, '(') && tokens.Partner(end) < tokens.size()) end = tokens.Partner(end) + 1;
  if (end < tokens.size()) tokens.ThrowSyntaxError(end);
  rewriter.Write(0, "SELECT", TokenType::kSelect);
  rewriter.Write(0, "*", CharacterToken('*'));
  rewriter.Write(0, "FROM", TokenType::kFrom);
  rewriter.RewriteRest(1);
  return true;
}

}  // namespace scaup
