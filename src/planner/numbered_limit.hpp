// Numbered limits: LIMIT within groups of rows, or with ties, by the numbers of rows.
#pragma once

#include <vector>

#include "planner/query_planner.hpp"

namespace scaup {

/// LIMIT and OFFSET that count rows within groups of equal `partition_by`, in the order of `order_by`. A
/// value.
struct NumberedLimit {
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  ExpressionPtr limit;      ///< BIGINT over the input; null or NULL: none
  ExpressionPtr offset;     ///< the same
  bool with_ties = false;   ///< rows that `order_by` does not tell from the last one are counted with it
  bool is_percent = false;  ///< `limit` is a DOUBLE: that part of the group's rows, in percent, rounded down
};

/// Returns the rows of the input that a limit leaves. Their numbers follow as further columns. Throws
/// Error(kOutOfRange, 2201W and 2201X) for negative counts; at once for constants, otherwise at execution.
LogicalOperatorPtr LimitByNumber(QueryPlanner& planner, LogicalOperatorPtr input, NumberedLimit limit);
/// Returns the first value, or the second if the first is NULL. Both have the same type.
ExpressionPtr FirstNotNull(ExpressionPtr first, ExpressionPtr second);

}  // namespace scaup
