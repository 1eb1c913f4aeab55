// Nested-loop join: every pair of rows is tested. For joins without an equality or an inequality, cross
// products, inputs of few rows.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// All join types on any condition. The right input is kept, in memory or not; the left one streams.
class NestedLoopJoin final : public PhysicalOperator {
 public:
  /// `condition` (null: every pair matches) is a predicate over left columns followed by right columns.
  NestedLoopJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                 ExpressionPtr condition, std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

  /// Whether the right side of an inner join is a scalar subquery. Several rows of it are an error only where
  /// there is a left row to compare.
  bool right_is_scalar = false;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  /// Whether the first match of a left row is all there is to know.
  bool IsExistence() const { return !EmitsRight(join_type_); }
  void CollectRight(QueryContext& context, Shared& shared) const;
  /// To the next left rows and right piece whose pairs are tested; false where there are no more.
  bool BeginPairs(const Shared& shared, Local& local) const;
  /// Finds the next of these pairs; false where there are no more.
  bool FindPairs(Local& local) const;
  void MakePairs(Local& local) const;
  bool TestPairs(Shared& shared, Local& local, DataChunk& output) const;
  bool EmitUnmatchedRight(Shared& shared, DataChunk& output) const;

  LogicalJoinType join_type_;
  ExpressionPtr condition_;
};

}  // namespace scaup
