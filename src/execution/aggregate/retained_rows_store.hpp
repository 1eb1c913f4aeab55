// Retained rows store: the rows that an aggregate retains for its groups, in their states or in spilled runs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/sort/sort_run.hpp"

namespace scaup {

class SpillableRows;

/// The rows of one aggregate with RowRetention, in one table or task. At first the states hold the rows in an
/// arena of the store. When memory is short, the rows move to runs that are sorted by state and then by the
/// order of the aggregate, and the runs are spilled. Once all rows have come, they return to their states:
/// all at once, or, if states grow by them, as many states at a time as there is memory for. One thread at a
/// time; borrows all arguments.
class RetainedRowsStore {
 public:
  /// With `is_single`, all rows belong to one group, even if the states of several stores hold them.
  RetainedRowsStore(const AggregateSpecification& specification, const FunctionContext& context,
                    MemoryTracker& memory, bool is_single);
  ~RetainedRowsStore();

  /// The bytes of a run of at most 1024 rows, without long strings.
  static size_t LeastRunBytes(const AggregateFunction& function);

  AggregateCall call() { return {context_, specification_.data.get(), returned_ ? *returned_ : *arena_}; }
  /// Adds row i of the arguments to *states[i].
  void Add(DataChunk& arguments, std::byte** states);
  /// An estimate, mostly an upper bound, of the bytes that adding a chunk of the operator's input reserves.
  size_t MostAddBytes(DataChunk& input);
  /// The bytes that SpillRows frees.
  size_t size_bytes() const { return adds_to_run() ? run_->size_bytes() : arena_->size_bytes(); }

  /// Whether SpillRows takes rows out of states, for which it needs memory of a run.
  bool takes_rows() const { return !adds_to_run(); }
  /// Moves the rows of all states to runs of at most about `run_bytes`, and spills them. That much memory
  /// must be free. Rows that are added later go to runs as well, or are taken by the next call.
  using VisitState = std::function<void(std::byte* state)>;
  void SpillRows(QueryContext& query, size_t run_bytes,
                 const std::function<void(const VisitState& visit)>& for_each_state);
  void MoveRunsTo(std::vector<SpilledRun>& runs);
  /// Gives the rows of runs to their states, in order. With `single_state`, runs of other stores are allowed,
  /// too. Without `grant` it opens one of its own.
  void AddInOrder(QueryContext& context, std::vector<SpilledRun> runs, std::byte* single_state = nullptr,
                  MemoryGrant* grant = nullptr);

  bool collects() const { return retention_.collects; }
  /// Begins to return all spilled rows to their states, states in the order of their addresses, with memory
  /// of `grant`.
  void BeginReturn(QueryContext& query, MemoryGrant& grant);
  /// Returns the rows of states in [first, last]; rows of states before them are dropped.
  void ReturnRows(std::byte* first, std::byte* last);
  /// The bytes by which states have grown since BeginReturn or ReleaseReturned.
  size_t returned_bytes() const { return returned_ ? returned_->size_bytes() : 0; }
  /// Frees the rows that were returned. Their states must not be used any more.
  void ReleaseReturned();

 private:
  class Taker;
  class Returner;
  /// Whether rows are added to the run, not to states.
  bool adds_to_run() const { return run_ != nullptr && retention_.note != nullptr; }
  void Append(std::span<Vector> rows, size_t count, std::byte* const* states);
  void Refer(std::span<Vector> rows, size_t count);
  /// Changes rows after their first pass, and gives them to their states again, in their new order.
  void AddChanged(QueryContext& context, const SpillableRows& rows, std::byte* single_state,
                  MemoryGrant* grant);
  static void StatesOf(DataChunk& rows, std::byte* single_state, std::byte** states);

  const AggregateSpecification& specification_;
  const RowRetention& retention_;
  const FunctionContext& context_;
  MemoryTracker& memory_;
  const bool is_single_;
  SortSchema schema_;  // The address of the state (0 if single), then the columns.
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<SortRun> run_;
  DataChunk rows_;
  DataChunk arguments_;
  std::unique_ptr<Returner> returner_;
  std::unique_ptr<Arena> returned_;  // Of the states whose rows have been returned.
};

}  // namespace scaup
