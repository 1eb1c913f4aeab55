// Range join probe: finds the partners of one chunk of left rows after the other.
#pragma once

#include <optional>

#include "execution/join/join_output.hpp"
#include "execution/join/range_join_build.hpp"
#include "execution/join/range_join_specification.hpp"
#include "execution/range/range_search.hpp"
#include "execution/run/query_context.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

/// Finds the partners of a chunk of left rows together, and emits pairs in batches of 1024. A left row with
/// many consecutive partners is paired with whole pieces of the right side. Used by one thread; borrows the
/// specification and the build side.
class RangeJoinProbe {
 public:
  RangeJoinProbe(const RangeJoinSpecification& join, QueryContext& context);

  /// Sets the right rows to probe; null between blocks.
  void SetBuildSide(RangeJoinBuildSide* built);
  /// The chunk of left rows, which the caller fills before Begin.
  DataChunk& input() { return input_; }
  ProbeMatches& matches() { return matches_; }

  /// Looks up the keys of the input.
  void Begin();
  /// Ends the probe of rows that have a match. REQUIRES: one match suffices.
  void DropMatched();
  /// Ends the probe of all rows. REQUIRES: one match suffices, and there is no residual.
  void NoteExistence(QueryContext& context);
  /// Finds the next pairs, at most 1024; false if there are no more.
  bool FindPairs(QueryContext& context);
  /// Tests these pairs, and emits them where the join type does; false if there are none to emit.
  bool TestPairs(DataChunk& output);
  /// Emits unmatched right rows of the next piece that has some; false if there are none left.
  bool EmitUnmatchedRight(DataChunk& output);

 private:
  void VisitRow(size_t row);
  void MakePairs();
  void MakeStretch();

  const RangeJoinSpecification& join_;
  RangeJoinBuildSide* built_ = nullptr;
  DataChunk input_;
  ExpressionExecutor key_executor_;
  DataChunk keys_;
  std::optional<RangeSearch> search_;
  // Left rows whose partners are not all found yet, and by row the position at which the search continues.
  sel_t open_[kVectorSize];
  size_t open_count_ = 0;
  size_t next_open_ = 0;
  uint64_t positions_[kVectorSize];
  size_t most_per_visit_ = 0;
  // The pairs found: one left row with consecutive right rows, or arbitrary pairs.
  bool is_stretch_ = false;
  size_t pair_count_ = 0;
  SelectionRef left_rows_;
  uint64_t right_rows_[kVectorSize];
  DataChunk pairs_;
  std::optional<ExpressionExecutor> residual_;
  ProbeMatches matches_;
};

}  // namespace scaup
