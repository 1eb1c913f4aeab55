// Generic plans, which run for any values of their parameters.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/planner.hpp"
#include "scaup/result.hpp"

namespace scaup {

/// A physical plan that runs again and again, with other values of its parameters and on other snapshots,
/// without parsing, binding or planning. Immutable; shared by the cache or prepared statement and by running
/// statements, on any thread. It fits one version of the catalog.
///
/// Planning for each execution finds better plans if values and statistics matter. So generic plans are made
/// only if they do not: for statements that insert given rows, and for those that find at most one row by all
/// columns of a unique index.
struct GenericPlan {
  PhysicalOperatorPtr root;
  std::vector<ResultColumn> columns;  ///< none where it gives no rows
  std::vector<ParameterExpression> parameters;
  /// Calls such as now(), which have one value in a statement: computed when it starts, as parameters behind
  /// the others.
  std::vector<ExpressionPtr> computed;
  size_t first_computed = 0;  ///< the index of their first parameter
  bool returns_rows = false;
  bool only_reads = false;
  bool touches_tables = true;       ///< reads or changes a table
  std::vector<uint64_t> table_ids;  ///< tables that it scans

  /// Returns the values by parameter, in the types that the plan wants. Throws as SubstituteParameters.
  std::vector<Value> ParameterValues(std::span<const Value> values, const FunctionContext& context) const;
};

/// Makes a generic plan; returns null if each execution should be planned by itself. `plan` is the planner's,
/// not optimized.
std::shared_ptr<const GenericPlan> MakeGenericPlan(const LogicalPlan& plan, const OptimizerContext& context);

}  // namespace scaup
