// Pass: tells scans below an IN which values there are, for an index to look up.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// For a filter with IN directly above a scan of a table that has an index on the column. The filter stays.
class IndexValues {
 public:
  explicit IndexValues(RewriteContext&) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);
};

}  // namespace scaup
