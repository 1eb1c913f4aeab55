// Calls of foreign functions for many rows at once.
#pragma once

#include <memory>
#include <vector>

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Computes calls of foreign functions for up to most_rows() rows at once, because a call costs as much as
/// many of its rows. Outputs some columns of the input, then a column for each call, in the chunks of the
/// input.
class BatchedCalls final : public PhysicalOperator {
 public:
  /// `kept` are the numbers of the input columns to output. The calls are FunctionExpressions.
  BatchedCalls(PhysicalOperatorPtr child, std::vector<size_t> kept, std::vector<ExpressionPtr> calls);
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  std::vector<uint64_t> BatchOffsets(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Local;
  void Gather(QueryContext& context, SharedState& shared, Local& local) const;

  std::vector<size_t> kept_;
  std::vector<ExpressionPtr> calls_;
  std::vector<ExpressionPtr> arguments_;  // of all calls, one after the other
};

/// Returns whether a call of a foreign function is anywhere in an expression.
bool HasForeignCall(const Expression& expression);
/// Replaces the calls of foreign functions that `expressions` make for every row by columns of a BatchedCalls
/// or WholeCalls on top of `child`, which is returned; there are several if a call is an argument of another
/// one. Returns `child` itself if there are none. Calls that only some rows need, as in a branch of CASE,
/// remain.
PhysicalOperatorPtr BatchForeignCalls(PhysicalOperatorPtr child, std::vector<ExpressionPtr>& expressions);

}  // namespace scaup
