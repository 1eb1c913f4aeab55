// Retained rows store: the rows that an aggregate retains of its groups, in their states or apart from them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/sort/sort_run.hpp"

namespace scaup {

/// Rows of one aggregate with RowRetention, in one table or task. States hold the rows at first, in an arena
/// of the store's own. Where memory is short the rows move apart: to runs sorted by state, and in the order
/// that the aggregate wants, which are spilled. One thread at a time; borrows all.
class RetainedRowsStore {
 public:
  /// With `is_single` all rows belong to one group, though states of several stores may have them.
  RetainedRowsStore(const AggregateSpecification& specification, const FunctionContext& context,
                    MemoryTracker& memory, bool is_single);

  AggregateCall call() { return {context_, specification_.data.get(), *arena_}; }
  /// Adds row i of the arguments to *states[i].
  void Add(DataChunk& arguments, std::byte** states);
  /// The most bytes that adding the rows of a chunk of the operator's input reserves, or nearly so.
  size_t MostAddBytes(DataChunk& input);
  /// The bytes that KeepApart, or Spill of rows that are apart, would free.
  size_t size_bytes() const { return run_ ? run_->size_bytes() : arena_->size_bytes(); }

  bool is_apart() const { return run_ != nullptr; }
  /// Moves the rows of all states apart and writes them away, in runs of at most about `run_bytes`, which
  /// must be free. What comes later is kept apart, too.
  using VisitState = std::function<void(std::byte* state)>;
  void KeepApart(QueryContext& query, size_t run_bytes,
                 const std::function<void(const VisitState& visit)>& for_each_state);
  /// Writes what is apart away.
  void Spill(QueryContext& query);
  void MoveRunsTo(std::vector<SpilledRun>& runs);
  /// Gives the rows of runs to their states, in order. With `single_state` they may be other stores' runs,
  /// too.
  void AddInOrder(QueryContext& context, std::vector<SpilledRun> runs, std::byte* single_state = nullptr);

 private:
  class Taker;
  void Append(std::span<Vector> rows, size_t count, std::byte* const* states);
  void Refer(std::span<Vector> rows, size_t count);
  using VisitRows = std::function<void(std::span<Vector> rows, size_t count, std::byte** states)>;
  void MergeRuns(QueryContext& context, std::vector<SpilledRun> runs, std::byte* single_state,
                 const VisitRows& visit);
  std::vector<SpilledRun> SortChanged(QueryContext& context, PartitionReader rows, std::byte* single_state);
  static void StatesOf(DataChunk& rows, std::byte* single_state, std::byte** states);

  const AggregateSpecification& specification_;
  const RowRetention& keeping_;
  const FunctionContext& context_;
  MemoryTracker& memory_;
  const bool is_single_;
  SortSchema schema_;  // The address of the state, 0 for a single one; then the columns.
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<SortRun> run_;
  std::vector<SpilledRun> spilled_;
  DataChunk rows_;
};

}  // namespace scaup
