// Hash join: builds a hash table of the right input (build side), and probes it with the left (probe side).
#pragma once

#include "execution/join/join_table.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "expression/expression_executor.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// One equality of a hash join. `left` and `right` have the same type; each refers to its own input.
struct HashJoinKey {
  ExpressionPtr left;
  ExpressionPtr right;
  bool nulls_equal = false;  ///< IS NOT DISTINCT FROM
};

class JoinBuilder;

/// A hash join of any join type. The right input is the build side. Output columns: the columns of the sides
/// that the join type emits, left before right, then the mark.
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
  friend class HashJoinBuildSink;
  friend class HashJoinProbeSink;
  struct JoinBuildSide;
  struct Part;
  struct Shared;
  struct Local;
  void Build(QueryContext& context, Shared& shared) const;
  /// Whether the join type and keys allow a dense table.
  bool MayBeDense() const;
  /// Makes a dense table (perfect hash table) instead of a directory, if the keys allow it.
  void BuildDense(QueryContext& context, Shared& shared, const RuntimeFilter& range) const;
  /// Lists the rows of the build side, for joins that emit unmatched build rows.
  void ListRightRows(JoinBuildSide& built) const;

  // A build side that does not fit in memory is partitioned and spilled, and so is the probe side
  // (hash_join_parts.cpp).
  void PartitionBuildSide(QueryContext& context, Shared& shared) const;
  void PartitionProbeSide(QueryContext& context, Shared& shared) const;
  /// Builds the hash table of the next partition, ready to be probed; false if there is none.
  bool BeginPart(QueryContext& context, Shared& shared, Local& local) const;
  bool TakePart(Shared& shared, Part& part) const;
  bool BuildPart(QueryContext& context, Shared& shared, Local& local, Part& part) const;
  void RepartitionPart(QueryContext& context, Shared& shared, Local& local, Part& part,
                       std::shared_ptr<JoinBuilder> builder) const;
  /// Defers the output of probe rows while further blocks of the build side follow, and records their
  /// matches. Returns false if all their matches are known.
  bool DeferProbeRows(Local& local) const;
  /// Restores matches that probe rows have found in earlier blocks.
  void RecallMatches(Local& local) const;
  /// Hashes the keys of a probe chunk in the same way as the build side's, and selects the rows that may
  /// contribute to the output. Returns their number.
  size_t HashProbeKeys(ExpressionExecutor& executor, DataChunk& input, DataChunk& keys, uint64_t* hashes,
                       sel_t* kept) const;

  bool NextInput(QueryContext& context, Shared& shared, Local& local) const;
  /// Makes one runtime filter for each key, still without keys.
  std::vector<RuntimeFilter> KeyRanges() const;
  void FilterProbeSide(Shared& shared, std::vector<RuntimeFilter>& ranges) const;
  /// Adds the bitmap of a key to its runtime filter if it would reject many probe rows.
  void AddToBitmap(const JoinTable& table, size_t key, RuntimeFilter& range) const;
  void BeginProbe(Shared& shared, Local& local) const;
  bool ProbeStep(Local& local, DataChunk& output) const;
  /// Compares each probe row with the row that it has reached in its hash chain. Selects the matches and
  /// returns their number.
  size_t FindMatches(Local& local, sel_t* matches) const;
  /// Records the matches for both sides. Returns how many of them, moved to the front, produce a row.
  size_t NoteMatches(Local& local, sel_t* matches, size_t count) const;
  /// Advances to the next row of each hash chain. Where one match suffices, matched probe rows stop.
  void WalkOn(Local& local) const;
  void EmitLeft(const Local& local, const sel_t* matches, size_t count, DataChunk& output) const;
  size_t FilterByResidual(Local& local, sel_t* matches, size_t count) const;
  bool EmitUnmatchedRight(Shared& shared, Local& local, DataChunk& output) const;
  /// Gathers the build columns of the rows that `left_rows` have reached in their hash chains.
  void GatherRight(const Local& local, const sel_t* left_rows, size_t count, DataChunk& output,
                   size_t first_column) const;
  void GatherRows(std::byte* const* rows, size_t count, DataChunk& output, size_t first_column) const;

  LogicalJoinType join_type_;
  std::vector<ExpressionPtr> left_keys_;
  std::vector<ExpressionPtr> right_keys_;
  std::vector<bool> nulls_equal_;
  ExpressionPtr residual_;
  bool stores_payload_;
  RowLayout layout_;                     // Keys, then the payload columns.
  std::vector<size_t> right_to_layout_;  // Position of each right column in the layout.
  std::vector<size_t> payload_columns_;  // Right columns that are no key.
};

}  // namespace scaup
