// Pass: tells scans below a full-text search what is searched, so that they can use a text index.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Applies to a filter with `matches` directly above a scan of a table with an index on these texts. The
/// filter remains.
class TextIndexSearch {
 public:
  explicit TextIndexSearch(RewriteContext&) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);
};

}  // namespace scaup
