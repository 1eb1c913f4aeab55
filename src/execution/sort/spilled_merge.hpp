// Spilled merge: merges sorted runs from temporary storage, with one task or several.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "common/memory/memory_grants.hpp"
#include "execution/sort/merge_ranges.hpp"

namespace scaup {

/// Merges any number of runs. As many runs are merged at once as their share of the memory allows, in several
/// passes if necessary. The last pass is split into key ranges, each of which is merged by one task. Owned by
/// the operator; borrows the context and the schema.
class SpilledMerge {
 public:
  /// Merges until a single merge is left, for at most `max_tasks` tasks. Only the first `limit` rows are
  /// needed. Takes its memory from `grant`, which outlives it, or opens a grant of its own. `use`, if not
  /// null, counts that grant and what is spilled.
  SpilledMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs, uint64_t limit,
               size_t max_tasks, MemoryUse* use, MemoryGrant* grant = nullptr);
  /// Mostly enough bytes for a merge by one task of runs that were written with this much memory.
  static size_t LeastBytes(size_t memory_bytes);
  /// Skips the first `row_count` rows, most of them without reading them. REQUIRES: there are no tasks yet.
  void Skip(uint64_t row_count);

  /// The number of tasks that may run at once; further tasks find no rows.
  size_t task_count() const { return task_count_; }
  /// The offset of each range's first row among all rows, followed by the total row count.
  std::vector<uint64_t> RangeOffsets() const;
  /// The number of merges of runs, including the last one.
  size_t merge_count() const { return merge_count_; }

  /// Merges one range after the other. One thread at a time; destroyed before the merge.
  class Task {
   public:
    explicit Task(SpilledMerge& merge) : merge_(merge) {}
    ~Task() { GiveUp(); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    /// Returns the next rows of a range, at most `most`; no rows at the end.
    void Next(size_t most, MergedRows& rows);
    /// The range of these rows. Ranges are taken in order.
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
  /// A key range of the last merge.
  struct Range {
    MergeRange rows;
    uint64_t end;       // The number of rows needed,
    uint64_t skip = 0;  // without the first `skip` of them.
  };

  void Reserve(size_t most_tasks, MemoryUse* use, MemoryGrant* grant);
  void MergeSome(size_t first, size_t count, uint64_t limit);
  std::vector<Range> Divide(const MergeRange& whole, size_t count, uint64_t limit);
  void RemoveReaders(const Range& range);
  void DropSkipped(uint64_t& row_count);

  QueryContext& context_;
  const SortSchema& schema_;
  std::vector<SpilledRun> runs_;
  std::optional<MemoryGrant> own_grant_;
  std::optional<TaskMemory> memory_;
  std::optional<MemoryReservation> block_memory_;
  size_t most_runs_ = 0;
  size_t merge_count_ = 1;
  size_t task_count_ = 1;
  std::vector<Range> ranges_;
  std::atomic<size_t> next_range_{0};
  std::atomic<size_t> active_tasks_{0};
};

/// Reads all rows of a merge with one task, chunk by chunk. One thread at a time.
class MergedChunks {
 public:
  /// As for SpilledMerge.
  MergedChunks(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs, MemoryUse* use,
               MemoryGrant* grant = nullptr)
      : merge_(context, schema, std::move(runs), UINT64_MAX, 1, use, grant), task_(merge_) {}
  /// Makes `output` the next rows, with as many columns as it has. They are valid until the next call.
  /// Returns false at the end.
  bool Next(DataChunk& output);

 private:
  SpilledMerge merge_;
  SpilledMerge::Task task_;
  MergedRows rows_;
};

}  // namespace scaup
