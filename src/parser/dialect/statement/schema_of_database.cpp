// CREATE SCHEMA d.s and DROP SCHEMA d.s: the grammar has no database in front of a schema.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// Returns whether a name with a dot is among the tokens from `begin` on.
bool HasDot(const StatementTokens& tokens, size_t begin) {
  for (size_t i = begin; i < tokens.size(); i++) {
    if (tokens.Is(i, '.')) return true;
  }
  return false;
}

}  // namespace

bool RewriteCreateSchema(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"create", "schema"})) return false;
  const size_t name = tokens.AreWords(2, {"if", "not", "exists"}) ? 5 : 2;
  if (!tokens.Is(name + 1, '.')) return false;
  if (name + 3 != tokens.size()) tokens.ThrowSyntaxError(name + 3);
  rewriter.result().is_schema_of_database = true;
  rewriter.Rewrite(0, name);
  rewriter.WriteName(name + 2);
  rewriter.Write(name, "AUTHORIZATION", TokenType::kIdentifier).is_keyword = true;
  rewriter.WriteName(name);
  return true;
}

bool RewriteDropSchema(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"drop", "schema"}) || !HasDot(tokens, 2)) return false;
  rewriter.result().is_schema_of_database = true;
  rewriter.Copy(0);
  rewriter.Write(1, "TABLE", TokenType::kTable).is_keyword = true;
  rewriter.RewriteRest(2);
  return true;
}

}  // namespace scaup
