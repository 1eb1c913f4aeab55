// Rows that are materialized for several readers.
#pragma once

#include <string>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Materializes the rows of children[0] under the number `share`, for the LogicalSharedScans in children[1],
/// whose columns are the output. The rows are computed when the first of these scans needs them, or never. If
/// children[0] changes data, it runs even if nothing reads the rows of its RETURNING.
struct LogicalMaterialize final : LogicalOperator {
  LogicalMaterialize(size_t share_in, std::string label_in, LogicalOperatorPtr definition,
                     LogicalOperatorPtr reader);
  std::vector<ColumnBinding> Bindings() const override { return children[1]->Bindings(); }
  std::vector<LogicalType> Types() const override { return children[1]->Types(); }
  std::vector<std::string> Names() const override { return children[1]->Names(); }
  std::string Name() const override { return "Materialize"; }
  LogicalOperatorPtr Clone() const override;
  std::vector<std::string> Details() const override;
  size_t share;            ///< unique in the plan, like table indexes
  std::string label;       ///< for EXPLAIN: the name of a WITH query
  bool is_change = false;  ///< children[0] writes: it is in WITH, or its RETURNING has subqueries
  /// Whether children[0] is the statement itself, whose rows are counted, and children[1] its RETURNING.
  bool is_returning = false;
  /// Whether it is the topmost of a statement with parts that write. None of them writes before all have
  /// read, so that they see the same rows.
  bool is_statement = false;
};

}  // namespace scaup
