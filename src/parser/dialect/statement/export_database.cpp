// EXPORT DATABASE and IMPORT DATABASE: copy all tables to and from the files of a directory.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteExportDatabase(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"export", "database"})) return false;
  rewriter.result().form = StatementForm::kExportDatabase;
  if (!tokens.Is(2, TokenType::kString)) tokens.ThrowSyntaxError(2);
  if (tokens.size() > 3) {
    if (!tokens.Is(3, '(')) tokens.ThrowSyntaxError(3);
    const size_t close = tokens.Partner(3);
    if (close + 1 < tokens.size()) tokens.ThrowSyntaxError(close + 1);
  }
  rewriter.Write(0, "COPY", TokenType::kIdentifier);
  rewriter.Copy(1);
  rewriter.Write(1, "TO", TokenType::kIdentifier);
  rewriter.RewriteRest(2);
  return true;
}

bool RewriteImportDatabase(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"import", "database"})) return false;
  rewriter.result().form = StatementForm::kImportDatabase;
  if (!tokens.Is(2, TokenType::kString)) tokens.ThrowSyntaxError(2);
  if (tokens.size() > 3) tokens.ThrowSyntaxError(3);
  rewriter.Write(0, "COPY", TokenType::kIdentifier);
  rewriter.Copy(1);
  rewriter.Write(1, "FROM", TokenType::kFrom);
  rewriter.Copy(2);
  return true;
}

}  // namespace scaup
