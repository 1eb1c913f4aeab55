// Pass: tells scans below a search in text what is searched, for an index to look up.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// For a filter with `matches` directly above a scan of a table that has an index of these texts. The filter
/// stays.
class TextIndexSearch {
 public:
  explicit TextIndexSearch(RewriteContext&) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);
};

}  // namespace scaup
