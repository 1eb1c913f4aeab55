// Merges sorted runs from temporary storage.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "common/memory_arbiter.hpp"
#include "execution/query_context.hpp"
#include "execution/sort/spilled_run.hpp"

namespace scaup {

/// Rows that a merge gives out next, in order: which blocks they are in, and where. Holds the blocks.
struct MergedRows {
  struct Place {
    uint32_t block;
    uint32_t row;
  };
  std::vector<std::shared_ptr<const SpilledBlock>> blocks;
  std::array<Place, kVectorSize> places;
  size_t count = 0;

  /// Writes column `column` of these rows to `output` (flat, after Reset) from row `offset` on. Long
  /// strings are not copied.
  void Gather(size_t column, Vector& output, size_t offset) const;
};

/// One merge of runs that all are read at once. One thread at a time. Equal rows come in the order of their
/// runs. Borrows the context and the schema.
class RunMerge {
 public:
  RunMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs);
  /// At most `most` rows, some more than none until the end.
  void Next(size_t most, MergedRows& rows);

 private:
  struct Cursor {
    SpilledRun run;
    size_t next_block = 0;
    std::shared_ptr<const SpilledBlock> block;
    size_t row = 0;
  };
  bool Load(Cursor& cursor);
  bool IsBefore(size_t a, size_t b) const;
  void SiftDown(size_t position);

  QueryContext& context_;
  const SortSchema& schema_;
  std::vector<Cursor> cursors_;
  std::vector<size_t> heap_;  // Cursors that have rows, the least at the front.
  bool is_front_exhausted_ = false;
};

/// Merges any number of runs: as many at once as their share of the memory allows, in several steps if need
/// be. One thread at a time.
class SpilledMerge {
 public:
  /// Merges until one merge is left. Only the first `limit` rows are wanted.
  SpilledMerge(QueryContext& context, const SortSchema& schema, std::vector<SpilledRun> runs, uint64_t limit);
  /// The next rows, at most `most`; none at the end.
  void Next(size_t most, MergedRows& rows);
  /// Rows that are still to come.
  uint64_t rows_left() const { return rows_left_; }
  /// How often runs were merged, the last time included.
  size_t merge_count() const { return merge_count_; }

 private:
  void MergeSome(std::vector<SpilledRun>& runs, size_t first, size_t count, uint64_t limit);

  QueryContext& context_;
  const SortSchema& schema_;
  SpillableReservation memory_;
  MemoryReservation block_memory_{memory_.account()};
  std::unique_ptr<RunMerge> last_;
  uint64_t rows_left_ = 0;
  size_t merge_count_ = 1;
};

}  // namespace scaup
