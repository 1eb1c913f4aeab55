// MATERIALIZE: moves attributes of documents into columns now, rather than in the background.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteMaterialize(Rewriter& rewriter) {
  if (!rewriter.tokens().IsWord(0, "materialize")) return false;
  rewriter.Write(0, "VACUUM", TokenType::kIdentifier);
  rewriter.Write(0, "(", TokenType::kLeftParen);
  rewriter.Write(0, "materialize", TokenType::kIdentifier);
  rewriter.Write(0, ")", TokenType::kRightParen);
  rewriter.RewriteRest(1);
  return true;
}

}  // namespace scaup
