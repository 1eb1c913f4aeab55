// SUMMARIZE: statistics of the columns of a query or relation. The query becomes a string argument.
#include "parser/dialect/extensions.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

bool RewriteSummarize(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsName(0, "summarize")) return false;
  rewriter.result().form = StatementForm::kPragmaFunction;
  if (tokens.size() == 1) tokens.ThrowSyntaxError(1);
  const size_t begin = tokens[1].origin, last = tokens.size() - 1, end = tokens[last].origin_end;
  // The name of a relation becomes a query that begins with FROM.
  std::string query = tokens.BeginsQuery(1) ? "" : "FROM ";
  query += tokens.sql().substr(begin, end - begin);
  rewriter.Write(0, "SELECT", TokenType::kSelect);
  rewriter.Write(0, "summarize", TokenType::kIdentifier);
  rewriter.Write(0, "(", TokenType::kLeftParen);
  rewriter.WriteAt(begin, end, QuotedText(query), TokenType::kString);
  rewriter.Write(last, ")", TokenType::kRightParen);
  return true;
}

}  // namespace scaup
