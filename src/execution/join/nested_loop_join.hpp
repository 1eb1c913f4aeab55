// Nested-loop join: tests every pair of rows; for other conditions, cross products and small inputs.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Supports all join types and any condition. The right input is materialized and may be spilled; the left
/// input streams.
class NestedLoopJoin final : public PhysicalOperator {
 public:
  /// `condition` is a predicate over left columns followed by right columns. If it is null, every pair
  /// matches.
  NestedLoopJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                 ExpressionPtr condition, std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

  /// Whether the right side is a scalar subquery. Its errors are raised only if there is a left row.
  bool right_is_scalar = false;
  /// Makes the right side run when the first left row passes `needed`, a predicate over left columns, or
  /// never; null if all rows pass. REQUIRES: a kSingle or kInner join without a condition.
  void RunRightOnDemand(ExpressionPtr needed);

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  /// Whether only the existence of a match matters for a left row.
  bool IsExistence() const { return !EmitsRight(join_type_); }
  void CollectRight(QueryContext& context, Shared& shared) const;
  /// Returns whether the right side has run. Runs it if a row of the input needs it.
  bool HasRight(QueryContext& context, Shared& shared, Local& local) const;
  /// Advances to the next left rows and right piece whose pairs are to be tested; false if there are none
  /// left.
  bool BeginPairs(const Shared& shared, Local& local) const;
  /// Finds the next of these pairs; false if there are none left.
  bool FindPairs(Local& local) const;
  void MakePairs(Local& local) const;
  bool TestPairs(Shared& shared, Local& local, DataChunk& output) const;
  bool EmitUnmatchedRight(Shared& shared, DataChunk& output) const;

  LogicalJoinType join_type_;
  ExpressionPtr condition_;
  bool runs_right_on_demand_ = false;
  ExpressionPtr needed_;
};

}  // namespace scaup
