// Retained rows store: the rows that an aggregate retains for its groups, in their states or in spilled runs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/sort/sort_run.hpp"

namespace scaup {

/// The rows of one aggregate with RowRetention, in one table or task. At first the states hold the rows in an
/// arena of the store. When memory is short, the rows move to runs that are sorted by state and then by the
/// order of the aggregate, and the runs are spilled. One thread at a time; borrows all arguments.
class RetainedRowsStore {
 public:
  /// With `is_single`, all rows belong to one group, even if the states of several stores hold them.
  RetainedRowsStore(const AggregateSpecification& specification, const FunctionContext& context,
                    MemoryTracker& memory, bool is_single);

  /// The bytes of a run of at most 1024 rows, without long strings.
  static size_t LeastRunBytes(const AggregateFunction& function);

  AggregateCall call() { return {context_, specification_.data.get(), *arena_}; }
  /// Adds row i of the arguments to *states[i].
  void Add(DataChunk& arguments, std::byte** states);
  /// An estimate, mostly an upper bound, of the bytes that adding a chunk of the operator's input reserves.
  size_t MostAddBytes(DataChunk& input);
  /// The bytes that KeepApart frees or, once rows are in runs, Spill.
  size_t size_bytes() const { return run_ ? run_->size_bytes() : arena_->size_bytes(); }

  bool is_apart() const { return run_ != nullptr; }
  /// Moves the rows of all states to runs of at most about `run_bytes`, and spills them. That much memory
  /// must be free. Rows that are added later go to runs as well.
  using VisitState = std::function<void(std::byte* state)>;
  void KeepApart(QueryContext& query, size_t run_bytes,
                 const std::function<void(const VisitState& visit)>& for_each_state);
  /// Spills the rows of the current run.
  void Spill(QueryContext& query);
  void MoveRunsTo(std::vector<SpilledRun>& runs);
  /// Gives the rows of runs to their states, in order. With `single_state`, runs of other stores are allowed,
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
  SortSchema schema_;  // The address of the state (0 if single), then the columns.
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<SortRun> run_;
  std::vector<SpilledRun> spilled_;
  DataChunk rows_;
};

}  // namespace scaup
