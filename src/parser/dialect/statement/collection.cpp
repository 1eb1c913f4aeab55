// CREATE COLLECTION and DROP COLLECTION: become statements for tables, which are marked as collections.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteCollection(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  const bool is_create = tokens.AreWords(0, {"create", "collection"});
  if (!is_create && !tokens.AreWords(0, {"drop", "collection"})) return false;
  rewriter.result().is_collection = true;
  const size_t name = tokens.AreWords(2, {"if", "not", "exists"}) ? 5 : 2;
  const size_t end = tokens.NameEnd(name), last = tokens.size() - 1;
  if (is_create && end != tokens.size()) tokens.ThrowSyntaxError(end);
  rewriter.Copy(0);
  rewriter.Write(1, "TABLE", TokenType::kTable);
  rewriter.RewriteRest(2);
  if (!is_create) return true;
  // The grammar wants a list of columns, if only an empty one.
  rewriter.Write(last, "(", TokenType::kLeftParen);
  rewriter.Write(last, ")", TokenType::kRightParen);
  return true;
}

}  // namespace scaup
