// CREATE ELEMENT TABLE and DROP ELEMENT TABLE: tables whose rows are the elements of the arrays at a path.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteElementTable(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  const bool is_create = tokens.AreWords(0, {"create", "element", "table"});
  if (!is_create && !tokens.AreWords(0, {"drop", "element", "table"})) return false;
  rewriter.result().is_element_table = true;
  // CREATE INDEX has more clauses than CREATE ELEMENT TABLE, so the head is checked here.
  if (is_create) {
    const size_t name = tokens.IsWord(3, "if") ? 6 : 3;
    if (!tokens.IsWord(name + 1, "on")) tokens.ThrowSyntaxError(name + 1);
    const size_t path = tokens.NameEnd(name + 2);
    if (!tokens.Is(path, '(')) tokens.ThrowSyntaxError(path);
  }
  rewriter.Copy(0);
  rewriter.Write(1, is_create ? "INDEX" : "TABLE", TokenType::kIdentifier);
  rewriter.RewriteRest(3);
  return true;
}

}  // namespace scaup
