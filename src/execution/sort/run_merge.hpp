// Merges a range of each of several sorted runs by one thread.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "execution/run/query_context.hpp"
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

  /// Writes column `column` of these rows to `output` (flat, after Reset). Long strings are not copied.
  void Gather(size_t column, Vector& output) const;
  /// All columns; `output` is these rows afterwards.
  void Gather(DataChunk& output) const;
};

/// The rows of each run from one key to another.
struct MergeRange {
  uint64_t row_count() const;

  std::vector<uint64_t> begins;  ///< by run
  std::vector<uint64_t> ends;
  /// Normalized keys that no row is below or above; empty: unknown.
  std::vector<std::byte> least_key;
  std::vector<std::byte> greatest_key;
};

/// Blocks that a merge holds besides the one of each run: those of the rows given out last.
inline constexpr size_t kExtraMergeBlocks = 4;

/// One merge of a range of runs that all are read at once, by a tree of losers. Equal rows come in the order
/// of their runs. One thread at a time. Borrows the context, the schema and the runs.
class RunMerge {
 public:
  RunMerge(QueryContext& context, const SortSchema& schema, std::span<SpilledRun> runs,
           const MergeRange& range);
  /// At most `most` rows, some more than none until the end.
  void Next(size_t most, MergedRows& rows);

 private:
  struct Cursor {
    SpilledRunReader reader;
    std::vector<uint64_t> words;  // By row of the block.
    size_t row = 0;
    size_t end = 0;
    uint32_t block = 0;  // Which of those given out.
  };
  // The word of a cursor's row above the cursor's number.
  using Entry = uint128_t;
  static constexpr unsigned kCursorBits = 32;
  static constexpr Entry kEnd = ~Entry{0};  // There is no row any more.

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
  size_t word_begin_ = 0;  // Which bytes of the keys are in the words.
  size_t word_bytes_ = 0;
  bool is_decisive_ = false;  // Equal words: equal keys.
  std::vector<Cursor> cursors_;
  std::vector<Entry> tree_;      // Who lost at each node; at the front the winner of all.
  Cursor* exhausted_ = nullptr;  // Its block was given out to the end, and the next one not yet read.
};

}  // namespace scaup
