// Hash join: builds a hash table of the right input (build side), and probes it with the left (probe side).
#pragma once

#include "execution/join/hash_join_specification.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// A hash join of any join type. The right input is the build side. Output columns: the columns of the sides
/// that the join type emits, left before right, then the mark.
/// The operator only runs the steps, which are classes of their own: HashJoinBuild collects and stores the
/// build side, HashJoinProbe finds partners, PartitionedJoin is for build sides that do not fit in memory.
class HashJoin final : public PhysicalOperator {
 public:
  /// `residual` (may be null) is a predicate over left columns followed by right columns.
  HashJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
           std::vector<HashJoinKey> keys, ExpressionPtr residual, std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  std::vector<BatchRange> BatchRanges(QueryContext& context, SharedState& shared,
                                      size_t column) const override;

  /// Whether the right side of an inner join is a scalar subquery. A second row of it is an error only if
  /// there is a left row to compare.
  bool right_is_scalar = false;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  void Build(QueryContext& context, Shared& shared) const;
  bool NextInput(QueryContext& context, Shared& shared, Local& local) const;

  HashJoinSpecification join_;
};

}  // namespace scaup
