// Merges sorted runs from temporary storage, by one task or by several.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/memory/memory_arbiter.hpp"
#include "execution/sort/merge_ranges.hpp"

namespace scaup {

/// Merges any number of runs: as many at once as their share of the memory allows, in several steps if need
/// be. The last step is divided into ranges by keys, each of which one task merges. Owned by the operator;
/// borrows the context and the schema.
class SpilledMerge {
 public:
  /// Merges until one merge is left, for at most `max_tasks` tasks. Only the first `limit` rows are wanted.
  SpilledMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs, uint64_t limit,
               size_t max_tasks);
  /// Leaves out the first of the rows, most of them without reading them. Before there are tasks.
  void Skip(uint64_t row_count);

  /// How many tasks there may be at once: more find no rows.
  size_t task_count() const { return task_count_; }
  /// Where the rows of each range begin, and behind that how many there are.
  std::vector<uint64_t> RangeOffsets() const;
  /// How often runs were merged, the last time included.
  size_t merge_count() const { return merge_count_; }

  /// Merges one range after the other. One thread at a time; dies before the merge.
  class Task {
   public:
    explicit Task(SpilledMerge& merge) : merge_(merge) {}
    ~Task() { GiveUp(); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    /// The next rows of a range, at most `most`; none at the end.
    void Next(size_t most, MergedRows& rows);
    /// Which range these are of. Ranges are taken in order.
    size_t range() const { return range_; }

   private:
    bool TakeRange();
    void GiveUp();

    SpilledMerge& merge_;
    bool is_counted_ = false;
    size_t range_ = 0;
    uint64_t rows_left_ = 0;
    std::unique_ptr<RunMerge> range_merge_;
  };

 private:
  struct Range {
    MergeRange rows;
    uint64_t end;       // So many of its rows are wanted,
    uint64_t skip = 0;  // but for the first of these.
  };

  void Reserve(size_t most_tasks);
  void MergeSome(size_t first, size_t count, uint64_t limit);
  std::vector<Range> Divide(const MergeRange& whole, size_t count, uint64_t limit);
  void RemoveReaders(const Range& range);
  void DropSkipped(uint64_t& row_count);

  QueryContext& context_;
  const SortSchema& schema_;
  SpillableReservation memory_;
  MemoryReservation block_memory_{memory_.account()};
  std::vector<SpilledRun> runs_;
  size_t most_runs_ = 0;
  size_t merge_count_ = 1;
  size_t task_count_ = 1;
  std::vector<Range> ranges_;
  std::atomic<size_t> next_range_{0};
  std::atomic<size_t> active_tasks_{0};
};

}  // namespace scaup
