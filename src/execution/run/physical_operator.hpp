// The parallel Vector Volcano: operators that pull chunks, with all that changes in shared and local states.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/tree_deletion.hpp"
#include "execution/run/query_context.hpp"
#include "execution/run/runtime_filter.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// Counted while a query runs, printed by EXPLAIN ANALYZE.
struct OperatorProfile {
  std::atomic<uint64_t> rows{0};
  std::atomic<uint64_t> own_nanoseconds{0};  ///< all threads together, without the operators below
};

/// State of one operator that the threads of one query share. Owned by the parent's SharedState, the root's
/// by the query.
class SharedState : public TreeDeletion<SharedState> {
 public:
  virtual ~SharedState() = default;
  std::vector<std::unique_ptr<SharedState>> children;
  OperatorProfile profile;
};

/// State that one thread has of one operator. Dies before the SharedState.
class LocalState : public TreeDeletion<LocalState> {
 public:
  virtual ~LocalState() = default;
  std::vector<std::unique_ptr<LocalState>> children;
  uint64_t inclusive_nanoseconds = 0;
  bool is_at_end = false;  ///< Next has returned zero rows
};

/// The least and the greatest of some integers; of none, the former is the larger.
struct BatchRange {
  int64_t least = INT64_MAX;
  int64_t greatest = INT64_MIN;
};

/// A node of the physical plan: immutable, so that plans can be kept and run by many threads.
///
/// A query calls MakeShared, then Prepare, then any number of threads each call MakeLocal and pull with Next
/// until they get an empty chunk. Prepare of a pipeline breaker runs the whole pipeline below it, in parallel
/// tasks, so that Next only streams. Breakers run the Prepare of their inputs themselves.
class PhysicalOperator : public TreeDeletion<PhysicalOperator> {
 public:
  PhysicalOperator(std::string name, std::vector<LogicalType> types)
      : name_(std::move(name)), types_(std::move(types)) {}
  virtual ~PhysicalOperator() = default;

  const std::string& name() const { return name_; }
  const std::vector<LogicalType>& types() const { return types_; }

  virtual std::unique_ptr<SharedState> MakeShared(QueryContext& context) const;
  virtual void Prepare(QueryContext& context, SharedState& shared) const;
  /// Tells that nobody wants rows whose value in output column `column` is NULL or out of `range`: they may
  /// be left out, and scans below then skip what zone maps exclude. Called before Prepare. Operators that do
  /// not pass it on ignore it.
  virtual void ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const;
  virtual std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const;
  /// Fills `output`, whose columns are of types(); zero rows mean the end. What it refers to is valid until
  /// the next call. After the end it goes on returning zero rows, however often it is called; so it does from
  /// the first call on with a local state that is made once other threads have pulled all rows. Checks for
  /// interruption and counts rows.
  void Next(QueryContext& context, SharedState& shared, LocalState& local, DataChunk& output) const;
  /// How many threads can usefully pull; called after Prepare.
  virtual size_t MaxTasks(QueryContext& context, SharedState& shared) const;
  /// Leaves out the first `row_count` rows where that is cheaper than to pull them; returns how many are left
  /// out. Called after Prepare, before anybody pulls.
  virtual uint64_t SkipRows(SharedState&, uint64_t) const { return 0; }
  /// Where the rows of each batch_index begin among all rows, and the number of rows at the end. Empty where
  /// that is known only after the run. REQUIRES: every batch comes from one thread, in order. Called after
  /// Prepare.
  virtual std::vector<uint64_t> BatchOffsets(QueryContext&, SharedState&) const { return {}; }
  /// In which range the values of an output column lie in each batch, NULLs apart; empty where that is not
  /// known, or the column is not stored as integers of at most 64 bits. REQUIRES: as BatchOffsets.
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
  /// Produces the next chunk; `output` is empty and released. Zero rows are the end: it is not called again
  /// with the same local state, so that none needs to remember that it has come to its end.
  virtual void Produce(QueryContext& context, SharedState& shared, LocalState& local,
                       DataChunk& output) const = 0;

 private:
  std::string name_;
  std::vector<LogicalType> types_;
};

using PhysicalOperatorPtr = std::unique_ptr<PhysicalOperator>;

/// Where a task of a pipeline puts its chunks. One thread at a time.
class ChunkSink {
 public:
  virtual ~ChunkSink() = default;
  virtual void Consume(DataChunk& chunk) = 0;
  /// After the last chunk, still on the task's thread.
  virtual void Finish() {}
};

/// Pulls everything out of `input` (prepared already) in parallel tasks; make_sink(task) is called on the
/// task's thread. The time spent in sinks is charged to `profile`. Returns the sinks, in order of their
/// tasks.
std::vector<std::unique_ptr<ChunkSink>> DrainParallel(
    QueryContext& context, const PhysicalOperator& input, SharedState& input_shared, OperatorProfile& profile,
    const std::function<std::unique_ptr<ChunkSink>(size_t task)>& make_sink, size_t max_tasks = SIZE_MAX);

/// A monotonic clock in nanoseconds.
uint64_t NowNanoseconds();

}  // namespace scaup
