// The parallel Vector Volcano: operators that pull chunks and hold all mutable data in states.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/memory/memory_use.hpp"
#include "common/tree_deletion.hpp"
#include "execution/run/query_context.hpp"
#include "execution/run/runtime_filter.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Counters that EXPLAIN ANALYZE prints; updated while a query runs.
struct OperatorProfile {
  std::atomic<uint64_t> rows{0};
  std::atomic<uint64_t> own_nanoseconds{0};  ///< of all threads, without the operators below
  MemoryUse memory;                          ///< of its grants
};

/// The state of one operator that all threads of a query share. Owned by the parent's SharedState; the root's
/// by the query.
class SharedState : public TreeDeletion<SharedState> {
 public:
  virtual ~SharedState() = default;
  std::vector<std::unique_ptr<SharedState>> children;
  OperatorProfile profile;
};

/// The state of one operator that belongs to one thread. Destroyed before the SharedState.
class LocalState : public TreeDeletion<LocalState> {
 public:
  virtual ~LocalState() = default;
  std::vector<std::unique_ptr<LocalState>> children;
  uint64_t inclusive_nanoseconds = 0;
  bool is_at_end = false;  ///< Next has returned zero rows
};

/// The least and the greatest of a set of integers. For the empty set, least is above greatest.
struct BatchRange {
  int64_t least = INT64_MAX;
  int64_t greatest = INT64_MIN;
};

/// A node of the physical plan. It is immutable, so that plans can be cached and run by many threads.
///
/// A query calls MakeShared, then Prepare; then any number of threads call MakeLocal and pull with Next until
/// they get an empty chunk. Prepare of a pipeline breaker runs the whole pipeline below it in parallel tasks,
/// so that its Next only streams. Pipeline breakers call the Prepare of their inputs themselves.
class PhysicalOperator : public TreeDeletion<PhysicalOperator> {
 public:
  PhysicalOperator(std::string name, std::vector<LogicalType> types)
      : name_(std::move(name)), types_(std::move(types)) {}
  virtual ~PhysicalOperator() = default;

  const std::string& name() const { return name_; }
  const std::vector<LogicalType>& types() const { return types_; }

  virtual std::unique_ptr<SharedState> MakeShared(QueryContext& context) const;
  virtual void Prepare(QueryContext& context, SharedState& shared) const;
  /// Announces that rows whose value in output column `column` is NULL or does not pass `range` are not
  /// needed. The operator may drop them, and scans skip the blocks that zone maps exclude. Called before
  /// Prepare. Operators that do not pass the filter on ignore it.
  virtual void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const;
  virtual std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const;
  /// Fills `output`, whose columns are of types(); zero rows mean the end. The rows are valid until the next
  /// call. After the end every further call returns zero rows. A local state that is made after other threads
  /// have pulled all rows returns zero rows from the first call on. Checks for interruption and counts rows.
  void Next(QueryContext& context, SharedState& shared, LocalState& local, DataChunk& output) const;
  /// The number of threads that can usefully pull. Called after Prepare.
  virtual size_t MaxTasks(QueryContext& context, SharedState& shared) const;
  /// Skips up to `row_count` rows from the start where that is cheaper than pulling them, and returns the
  /// number of rows skipped. Called after Prepare, before any thread pulls.
  virtual uint64_t SkipRows(SharedState&, uint64_t) const { return 0; }
  /// The offset of each batch's first row among all rows, by batch_index, followed by the total row count.
  /// Empty if the offsets are known only after the run. An operator that returns them promises that every
  /// batch comes from one thread, in order. Called after Prepare.
  virtual std::vector<uint64_t> BatchOffsets(QueryContext&, SharedState&) const { return {}; }
  /// The range of an output column's non-NULL values in each batch. Empty if it is not known, or if the
  /// column is not stored as integers of at most 64 bits. Promises the same as BatchOffsets.
  virtual std::vector<BatchRange> BatchRanges(QueryContext&, SharedState&, size_t column) const {
    (void)column;
    return {};
  }
  /// Lines of EXPLAIN ANALYZE that are known only after the run.
  virtual std::vector<std::string> RunDetails(const SharedState&) const { return {}; }

  std::vector<std::unique_ptr<PhysicalOperator>> children;
  std::vector<std::string> details;  ///< lines of EXPLAIN; empty unless the plan is explained
  double estimated_rows = -1;

 protected:
  /// Produces the next chunk; `output` is empty and released. Zero rows mean the end. Produce is not called
  /// again with that local state, so operators need not remember the end.
  virtual void Produce(QueryContext& context, SharedState& shared, LocalState& local,
                       DataChunk& output) const = 0;

 private:
  std::string name_;
  std::vector<LogicalType> types_;
};

using PhysicalOperatorPtr = std::unique_ptr<PhysicalOperator>;

/// The destination of a pipeline task's chunks. One thread at a time.
class ChunkSink {
 public:
  virtual ~ChunkSink() = default;
  virtual void Consume(DataChunk& chunk) = 0;
  /// Called after the last chunk, still on the task's thread.
  virtual void Finish() {}
};

/// The number of tasks in which DrainParallel pulls rows out of `input`, which is already prepared.
size_t DrainTasks(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared);

/// Pulls all rows out of `input`, which is already prepared, in parallel tasks. make_sink(task) is called on
/// the task's thread. The time spent in sinks is charged to `profile`. Returns the sinks in the order of
/// their tasks.
std::vector<std::unique_ptr<ChunkSink>> DrainParallel(
    QueryContext& context, const PhysicalOperator& input, SharedState& input_shared, OperatorProfile& profile,
    const std::function<std::unique_ptr<ChunkSink>(size_t task)>& make_sink, size_t max_tasks = SIZE_MAX);

/// A monotonic clock in nanoseconds.
uint64_t NowNanoseconds();

}  // namespace scaup
