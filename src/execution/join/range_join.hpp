// Range join: joins by inequalities (bands, points in intervals, overlaps), with an index of right rows.
#pragma once

#include "execution/range/range_index.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"

namespace scaup {

class SpillableRows;

/// The inequality left op right.
struct RangeJoinCondition {
  ComparisonOp op;
  ExpressionPtr left;   ///< over left columns
  ExpressionPtr right;  ///< over right columns
};

/// Joins by inequalities, of all types that emit left columns. The right input is the build side, stored in a
/// RangeIndex; the left input streams. Each left row costs about one binary search, and as much again for
/// each partner.
///
/// If the right side does not fit in memory, both sides are materialized, and one block of right rows after
/// the other is indexed. A mark is NULL where SQL requires it only with a single condition and no residual;
/// otherwise it is false there.
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
  struct JoinBuildSide;
  struct Blocks;
  struct Shared;
  struct Local;
  using RightParts = std::vector<std::unique_ptr<SpillableRows>>;
  size_t AddRightKey(ExpressionPtr key);
  void ChooseFirstKey();
  /// Whether only the existence of a match matters for a left row.
  bool IsExistence() const { return !EmitsRight(join_type_); }
  RightParts CollectRight(QueryContext& context, Shared& shared) const;
  bool TryBuildAll(QueryContext& context, Shared& shared, RightParts& right) const;
  void FinishBuild(QueryContext& context, JoinBuildSide& built) const;
  void FilterProbeSide(Shared& shared) const;
  bool NextInput(QueryContext& context, Shared& shared, Local& local) const;
  void BeginProbe(Local& local) const;
  void NoteExistence(QueryContext& context, Local& local) const;
  bool FindPairs(QueryContext& context, Local& local) const;
  void VisitRow(Local& local, size_t row) const;
  void MakePairs(Local& local) const;
  void MakeStretch(Local& local) const;
  bool TestPairs(Local& local, DataChunk& output) const;
  bool EmitUnmatchedRight(Shared& shared, Local& local, DataChunk& output) const;
  // Joins block by block (range_join_blocks.cpp).
  void BeginBlocks(QueryContext& context, Shared& shared, RightParts right) const;
  bool BeginBlock(QueryContext& context, Shared& shared, Local& local) const;
  void CollectBlock(QueryContext& context, Blocks& blocks, Local& local, JoinBuildSide& block,
                    ColumnCollection& rows) const;
  void ReadLeft(Shared& shared, Local& local, size_t piece) const;
  void RecallMatches(Shared& shared, Local& local) const;
  void DeferProbeRows(Shared& shared, Local& local) const;
  bool EmitLeft(Shared& shared, Local& local, DataChunk& output) const;

  LogicalJoinType join_type_;
  std::vector<ExpressionPtr> left_keys_;      // By condition.
  std::vector<ExpressionPtr> computed_keys_;  // Right keys that are not columns of the right side.
  ExpressionPtr residual_;
  RangeSchema schema_;
};

}  // namespace scaup
