// Range join: joins by inequalities (bands, points in intervals, overlaps), with an index of right rows.
#pragma once

#include "execution/join/range_join_specification.hpp"
#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Joins by inequalities, of all types that emit left columns. The right input is the build side, stored in a
/// RangeIndex; the left input streams. Each left row costs about one binary search, and as much again for
/// each partner.
///
/// If the right side does not fit in memory, both sides are materialized, and one block of right rows after
/// the other is indexed. A mark is NULL where SQL requires it only with a single condition and no residual;
/// otherwise it is false there.
/// The operator only runs the steps, which are classes of their own: RangeJoinBuildSide has the index,
/// RangeJoinProbe finds partners, RangeJoinBlocks is for right sides that do not fit in memory.
class RangeJoin final : public PhysicalOperator {
 public:
  /// `residual` (may be null) is an additional predicate over left columns followed by right columns.
  RangeJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
            std::vector<RangeJoinCondition> conditions, ExpressionPtr residual,
            std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  void FilterProbeSide(Shared& shared) const;
  bool NextInput(QueryContext& context, Shared& shared, Local& local) const;

  RangeJoinSpecification join_;
};

}  // namespace scaup
