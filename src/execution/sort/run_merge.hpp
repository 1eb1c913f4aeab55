// Run merge: merges one range of several sorted runs with one thread.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "execution/run/query_context.hpp"
#include "execution/sort/spilled_run.hpp"

namespace scaup {

/// The next rows of a merge, in order, as positions in blocks. Pins the blocks.
struct MergedRows {
  /// The position of a row in one of the blocks.
  struct Place {
    uint32_t block;
    uint32_t row;
  };
  std::vector<std::shared_ptr<const SpilledBlock>> blocks;
  std::array<Place, kVectorSize> places;
  size_t count = 0;

  /// Writes column `column` of these rows to `output` (flat, after Reset). Long strings are not copied.
  void Gather(size_t column, Vector& output) const;
  /// Makes `output` these rows, with all columns.
  void Gather(DataChunk& output) const;
};

/// The rows of each run within a range of keys.
struct MergeRange {
  uint64_t row_count() const;

  std::vector<uint64_t> begins;  ///< by run
  std::vector<uint64_t> ends;
  /// Normalized keys that bound all rows; empty if unknown.
  std::vector<std::byte> least_key;
  std::vector<std::byte> greatest_key;
};

/// The blocks that a merge pins besides the current one of each run: blocks of the rows output last.
inline constexpr size_t kExtraMergeBlocks = 4;

/// Merges a range of runs at once by a tree of losers. Equal rows come in the order of their runs. One thread
/// at a time. Borrows the context, the schema and the runs.
class RunMerge {
 public:
  RunMerge(QueryContext& context, const SortSchema& schema, std::span<SpilledRun> runs,
           const MergeRange& range);
  /// Returns at most `most` rows, and at least one until the end.
  void Next(size_t most, MergedRows& rows);

 private:
  /// The next row of one run.
  struct Cursor {
    SpilledRunReader reader;
    std::vector<uint64_t> words;  // By row of the block.
    size_t row = 0;
    size_t end = 0;
    uint32_t block = 0;  // Index among the output blocks.
  };
  // The word of a cursor's row above the cursor's number.
  using Entry = uint128_t;
  static constexpr unsigned kCursorBits = 32;
  static constexpr Entry kEnd = ~Entry{0};  // The cursor has no more rows.

  bool Load(Cursor& cursor);
  Entry EntryOf(size_t cursor) const {
    return Entry{cursors_[cursor].words[cursors_[cursor].row]} << kCursorBits | cursor;
  }
  static size_t CursorOf(Entry entry) { return static_cast<uint32_t>(entry); }
  Entry Play(size_t node);
  template <bool kIsDecisive>
  bool IsBefore(Entry a, Entry b) const;
  bool IsRowBefore(size_t a, size_t b) const;
  template <bool kIsDecisive>
  void Replay(size_t cursor, Entry entry);
  template <bool kIsDecisive>
  void Fill(size_t most, MergedRows& rows);

  QueryContext& context_;
  const SortSchema& schema_;
  size_t word_begin_ = 0;  // The range of key bytes that words contain.
  size_t word_bytes_ = 0;
  bool is_decisive_ = false;  // Equal words mean equal keys.
  std::vector<Cursor> cursors_;
  std::vector<Entry> tree_;      // The loser at each node; the overall winner at index 0.
  Cursor* exhausted_ = nullptr;  // All rows of its block are output, and the next block is not yet read.
};

}  // namespace scaup
