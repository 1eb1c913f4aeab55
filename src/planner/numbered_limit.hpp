// LIMIT by the numbers of rows: within groups of rows, or with ties.
#pragma once

#include <vector>

#include "planner/query_planner.hpp"

namespace scaup {

/// LIMIT and OFFSET that count within the rows of equal `partition_by`, in the order of `order_by`.
struct NumberedLimit {
  std::vector<ExpressionPtr> partition_by;
  std::vector<SortKey> order_by;
  ExpressionPtr limit;   ///< BIGINT over the input; null or NULL: none
  ExpressionPtr offset;  ///< the same
  bool with_ties =
      false;  ///< rows that `order_by` does not tell from the last one are counted as one with it
};

/// The rows of the input that a limit leaves. Columns with their numbers come out behind the input's. Throws
/// Error(kOutOfRange, 2201W and 2201X) for negative counts, at once for constants.
LogicalOperatorPtr LimitByNumber(QueryPlanner& planner, LogicalOperatorPtr input, NumberedLimit limit);
/// The first value, or where it is NULL the second, which has the same type.
ExpressionPtr FirstNotNull(ExpressionPtr first, ExpressionPtr second);

}  // namespace scaup
