// The optimizer: rewrites a logical plan into a cheaper equivalent one, by a fixed list of passes.
#pragma once

#include <span>

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// A row of the list of passes.
struct OptimizerPass {
  const char* name;    ///< the name in settings.disabled_optimizers
  const char* reason;  ///< why the pass has its place in the list
  LogicalOperatorPtr (*rewrite)(RewriteContext& context, LogicalOperatorPtr plan);
  bool reads_statistics;  ///< whether its result is valid only for the transaction's snapshot
};

/// All passes in the order in which they run.
std::span<const OptimizerPass> OptimizerPasses();

/// Optimizes the plans of one statement. One thread at a time. The context is borrowed and must outlive it.
class Optimizer {
 public:
  explicit Optimizer(const OptimizerContext& context) : context_(context) {}

  /// Returns an equivalent plan with the same column types and names. It uses statistics of the transaction's
  /// snapshot and is valid only for that snapshot.
  LogicalOperatorPtr Optimize(LogicalOperatorPtr plan);
  /// Optimizes for any snapshot and any parameter values, by the passes that read no statistics. REQUIRES: no
  /// function of the plan is merely stable.
  LogicalOperatorPtr OptimizeForAnySnapshot(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RunPasses(LogicalOperatorPtr plan, bool may_read_statistics);

  const OptimizerContext& context_;
};

}  // namespace scaup
