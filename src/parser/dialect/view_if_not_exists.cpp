// CREATE VIEW IF NOT EXISTS: the grammar allows IF NOT EXISTS for materialized views only.
#include "parser/dialect/extensions.hpp"

namespace scaup {

bool RewriteViewIfNotExists(Rewriter& rewriter) {
  if (!rewriter.tokens().AreWords(0, {"create", "view", "if", "not", "exists"})) return false;
  rewriter.result().if_not_exists = true;
  rewriter.Rewrite(0, 2);
  rewriter.RewriteRest(5);
  return true;
}

}  // namespace scaup
