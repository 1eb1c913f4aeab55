// CREATE VIEW IF NOT EXISTS and CREATE OR REPLACE TABLE: the grammar allows IF NOT EXISTS for materialized
// views only, and OR REPLACE for views only.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteViewIfNotExists(Rewriter& rewriter) {
  if (!rewriter.tokens().AreWords(0, {"create", "view", "if", "not", "exists"})) return false;
  rewriter.result().if_not_exists = true;
  rewriter.Rewrite(0, 2);
  rewriter.RewriteRest(5);
  return true;
}

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
