// CREATE OR REPLACE TABLE: the grammar allows OR REPLACE for views only.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteReplaceTable(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"create", "or", "replace", "table"})) return false;
  // IF NOT EXISTS keeps the table and OR REPLACE does not, so that both together mean nothing.
  if (tokens.AreWords(4, {"if", "not", "exists"})) tokens.ThrowSyntaxError(4);
  rewriter.result().or_replace = true;
  rewriter.Copy(0);
  rewriter.RewriteRest(3);
  return true;
}

}  // namespace scaup
