// Hash join: builds a hash table of its right input, the build side, and probes it with the left input, the
// probe side.
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

/// A hash join of any join type. The right input is the build side. Output columns: those of the sides that
/// the type emits, left before right, then the mark.
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

  /// Whether the right side of an inner join is a scalar subquery. Several rows of it are an error only where
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
  /// Whether the join's kind allows a dense table.
  bool MayBeDense() const;
  /// Makes a dense table instead of a directory, where keys allow it.
  void BuildDense(QueryContext& context, Shared& shared, const RuntimeFilter& range) const;
  /// Lists the rows of the build side, for joins that emit those without a partner at the end.
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
  /// Defers the output of probe rows while further blocks of the build side follow, and notes which have
  /// found a partner; false where all is known of them.
  bool DeferProbeRows(Local& local) const;
  /// Recalls which left rows have found a partner before.
  void RecallMatches(Local& local) const;
  /// Hashes the keys of a chunk of the probe side, in the way of the build side, and selects the rows that
  /// may have a part in the output. Returns how many.
  size_t HashProbeKeys(ExpressionExecutor& executor, DataChunk& input, DataChunk& keys, uint64_t* hashes,
                       sel_t* kept) const;

  bool NextInput(QueryContext& context, Shared& shared, Local& local) const;
  /// One runtime filter for each key, without keys yet.
  std::vector<RuntimeFilter> KeyRanges() const;
  void FilterProbeSide(Shared& shared, std::vector<RuntimeFilter>& ranges) const;
  /// Adds the bitmap of a key to its runtime filter, where it would reject many probe rows.
  void AddToBitmap(const JoinTable& table, size_t key, RuntimeFilter& range) const;
  void BeginProbe(Shared& shared, Local& local) const;
  bool ProbeStep(Local& local, DataChunk& output) const;
  /// Compares each probe row with the entry of its hash chain that it has reached; selects those that match
  /// and returns how many.
  size_t FindMatches(Local& local, sel_t* matches) const;
  /// Marks both sides of the matches; returns how many of them, moved to the front, make a row.
  size_t NoteMatches(Local& local, sel_t* matches, size_t count) const;
  /// Goes on to the next entry of each hash chain; where one match is enough, probe rows that have one stop.
  void WalkOn(Local& local) const;
  void EmitLeft(const Local& local, const sel_t* matches, size_t count, DataChunk& output) const;
  size_t FilterByResidual(Local& local, sel_t* matches, size_t count) const;
  bool EmitUnmatchedRight(Shared& shared, Local& local, DataChunk& output) const;
  /// Gathers the build columns of the entries that `left_rows` have reached in their hash chains.
  void GatherRight(const Local& local, const sel_t* left_rows, size_t count, DataChunk& output,
                   size_t first_column) const;
  void GatherRows(std::byte* const* rows, size_t count, DataChunk& output, size_t first_column) const;

  LogicalJoinType join_type_;
  std::vector<ExpressionPtr> left_keys_;
  std::vector<ExpressionPtr> right_keys_;
  std::vector<bool> nulls_equal_;
  ExpressionPtr residual_;
  bool stores_payload_;
  RowLayout layout_;                     // Keys, then the right columns that are no key.
  std::vector<size_t> right_to_layout_;  // Where each right column stands in the layout.
  std::vector<size_t> payload_columns_;  // Right columns behind the keys in the layout.
};

}  // namespace scaup
