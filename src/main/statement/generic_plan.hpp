// Plans that run for any values of their parameters.
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

/// A statement ready to run, again and again, with other values of its parameters and on other snapshots:
/// parsing, binding and planning are done. Immutable and shared: whoever runs it keeps it. It fits one
/// version of the catalog.
///
/// Planning anew for each execution finds better plans where it may look at values and statistics. So this is
/// made where there is nothing to find: of statements that insert given rows, and of those that find at most
/// one row by all columns of a unique index.
struct GenericPlan {
  PhysicalOperatorPtr root;
  std::vector<ResultColumn> columns;  ///< none where it gives no rows
  std::vector<ParameterExpression> parameters;
  bool only_reads = false;
  std::vector<uint64_t> table_ids;  ///< that it scans

  /// By parameter, in the types that the plan wants. Throws as SubstituteParameters.
  std::vector<Value> ParameterValues(std::span<const Value> values, const TimeZone& zone) const;
};

/// Null where each execution is to be planned by itself. `plan` is as the planner made it.
std::shared_ptr<const GenericPlan> MakeGenericPlan(const LogicalPlan& plan, const OptimizerContext& context);

}  // namespace scaup
