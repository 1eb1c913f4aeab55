// CREATE VIEW IF NOT EXISTS and CREATE OR REPLACE TABLE and SEQUENCE: the grammar allows IF NOT EXISTS for
// materialized views only, and OR REPLACE for views only. CREATE TYPE x AS another type: that is a domain.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// Returns the index of the token behind TEMPORARY or UNLOGGED, if one of them is at `index`.
size_t BehindPersistence(const StatementTokens& tokens, size_t index) {
  const bool is_given =
      tokens.IsWord(index, "temp") || tokens.IsWord(index, "temporary") || tokens.IsWord(index, "unlogged");
  return is_given ? index + 1 : index;
}

}  // namespace

bool RewriteViewIfNotExists(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "create")) return false;
  const size_t view = BehindPersistence(tokens, 1);
  if (!tokens.AreWords(view, {"view", "if", "not", "exists"})) return false;
  rewriter.result().if_not_exists = true;
  rewriter.Rewrite(0, view + 1);
  rewriter.RewriteRest(view + 4);
  return true;
}

bool RewriteTypeAlias(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"create", "type"})) return false;
  const size_t as = tokens.NameEnd(2);
  const bool is_type = tokens.IsWord(as, "as") && as + 1 < tokens.size() && !tokens.Is(as + 1, '(') &&
                       !tokens.IsWord(as + 1, "enum") && !tokens.IsWord(as + 1, "range");
  if (!is_type) return false;
  rewriter.Copy(0);
  rewriter.Write(1, "DOMAIN", TokenType::kIdentifier);
  rewriter.RewriteRest(2);
  return true;
}

bool RewriteReplaceTable(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"create", "or", "replace"})) return false;
  const size_t object = BehindPersistence(tokens, 3);
  if (!tokens.IsWord(object, "table") && !tokens.IsWord(object, "sequence")) return false;
  // IF NOT EXISTS keeps the table and OR REPLACE does not, so that both together mean nothing.
  if (tokens.AreWords(object + 1, {"if", "not", "exists"})) tokens.ThrowSyntaxError(object + 1);
  rewriter.result().or_replace = true;
  rewriter.Copy(0);
  rewriter.RewriteRest(3);
  return true;
}

}  // namespace scaup
