// Hash join probe: finds the partners of one chunk of probe rows after the other.
#pragma once

#include <memory>

#include "execution/join/hash_join_specification.hpp"
#include "execution/join/join_build_side.hpp"
#include "execution/join/join_output.hpp"
#include "execution/run/query_context.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

/// Probes in rounds: each round compares all open probe rows with one row of their hash chains. Used by one
/// thread; borrows the specification and the build side.
class HashJoinProbe {
 public:
  /// `has_null_key` and `has_build_rows` describe the whole build side, for marks.
  HashJoinProbe(const HashJoinSpecification& join, QueryContext& context, bool has_null_key,
                bool has_build_rows);

  /// Sets the rows to probe; null between partitions.
  void SetBuildSide(JoinBuildSide* built) { built_ = built; }
  /// The chunk of probe rows, which the caller fills before Begin.
  DataChunk& input() { return input_; }
  ProbeMatches& matches() { return matches_; }

  /// Looks up the keys of the input.
  void Begin();
  bool has_open_rows() const { return open_count_ != 0; }
  /// Ends the probe of rows that have matched before Begin, if one match is all that they need.
  void DropMatched();
  /// Runs one round. Returns false if it emits nothing. REQUIRES: has_open_rows().
  bool Step(DataChunk& output);
  /// Emits the unmatched rows of the next run of build rows; false if there are none left.
  bool EmitUnmatchedRight(DataChunk& output);

 private:
  /// Compares each probe row with the row that it has reached in its hash chain. Selects the matches and
  /// returns their number.
  size_t FindMatches(sel_t* matches);
  /// Records the matches for both sides. Returns how many of them, moved to the front, produce a row.
  size_t NoteMatches(sel_t* matches, size_t count);
  /// Advances to the next row of each hash chain. Where one match suffices, matched probe rows stop.
  void WalkOn();
  size_t FilterByResidual(sel_t* matches, size_t count);
  void EmitLeft(const sel_t* matches, size_t count, DataChunk& output);
  /// Gathers the build columns of the rows that `left_rows` have reached in their hash chains.
  void GatherRight(const sel_t* left_rows, size_t count, DataChunk& output, size_t first_column);
  void GatherRows(std::byte* const* rows, size_t count, DataChunk& output, size_t first_column);

  const HashJoinSpecification& join_;
  const bool has_null_key_;
  const bool has_build_rows_;
  JoinBuildSide* built_ = nullptr;
  DataChunk input_;
  ExpressionExecutor keys_executor_;
  DataChunk keys_;
  std::unique_ptr<ExpressionExecutor> residual_executor_;
  DataChunk pairs_;
  Vector truth_{TypeId::kBoolean};  // Result of a mark join's residual.
  ProbeMatches matches_;
  std::byte* rows_[kVectorSize];  // By probe row: its current row in the chain,
  uint32_t slots_[kVectorSize];   // or the slot of its partner in a dense table.
  sel_t open_[kVectorSize];       // Probe rows whose chain has more rows.
  size_t open_count_ = 0;
};

}  // namespace scaup
