// Optimizer: rewrites a logical plan into a cheaper one with the same result, by a fixed list of passes.
#pragma once

#include <span>

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// One row of the list of passes.
struct OptimizerPass {
  const char* name;    ///< what settings.disabled_optimizers calls it
  const char* reason;  ///< why it stands where it stands
  LogicalOperatorPtr (*rewrite)(RewriteContext& context, LogicalOperatorPtr plan);
  bool reads_statistics;  ///< what it makes is good for the transaction's snapshot alone
};

/// All passes in the order in which they run.
std::span<const OptimizerPass> OptimizerPasses();

/// Owned by whoever runs a statement; one thread. The context is borrowed and must outlive it.
class Optimizer {
 public:
  explicit Optimizer(const OptimizerContext& context) : context_(context) {}

  /// The plan that comes out has the same column types and names, and uses statistics of the transaction's
  /// snapshot: it is valid for that snapshot alone.
  LogicalOperatorPtr Optimize(LogicalOperatorPtr plan);
  /// Optimizes for any snapshot, with parameters that have no values yet: by the passes that read no
  /// statistics. REQUIRES: no function of the plan is stable only.
  LogicalOperatorPtr OptimizeForAnySnapshot(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RunPasses(LogicalOperatorPtr plan, bool may_read_statistics);

  const OptimizerContext& context_;
};

}  // namespace scaup
