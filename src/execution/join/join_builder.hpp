// Join builder: collects the rows of one thread for a hash join's build side, in bounded memory.
#pragma once

#include <optional>

#include "common/check.hpp"
#include "execution/join/join_table.hpp"
#include "execution/rows/spillable_partitions.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// How rows of the build side are stored. Borrowed by the builders.
struct JoinBuildRules {
  const RowLayout& layout;               ///< the layout of a JoinTable: keys, then payload columns
  const std::vector<bool>& nulls_equal;  ///< by key
  bool keeps_all;                        ///< also retains rows with a NULL key, which never match
};

/// Collects rows for a join table. If memory is short, it partitions them by the hashes of their keys
/// instead, to be joined partition by partition (GRACE hash join: Kitsuregawa, Tanaka, Moto-oka, 1983). At
/// level 0 it takes the input of one task, at higher levels a partition. One thread at a time, which may
/// change.
class JoinBuilder {
 public:
  /// The bits of a key's hash that select its partition at each level. They do not overlap the bits that
  /// select a join table's slot (highest) and tag (lowest).
  static constexpr unsigned kShifts[] = {8, 16, 24};
  static PartitionBits BitsOf(const QueryContext& context, size_t level);

  static bool IsLastLevel(size_t level) { return level == std::size(kShifts); }
  /// The number of levels at which tests force all rows to be partitioned.
  static constexpr size_t kForcedLevels = 2;

  /// The minimum of a task's memory with which it can collect rows at `level`.
  static size_t LeastBytes(const QueryContext& context, const RowLayout& layout, size_t level);

  /// Takes its memory from `grant`.
  JoinBuilder(QueryContext& context, const JoinBuildRules& rules, size_t level, MemoryGrant& grant);

  /// Disables partitioning, at the last level or where it would not help. Add then refuses rows for which
  /// there is no memory together with a join table, and rows beyond `most_rows`. REQUIRES: no rows have been
  /// added.
  void StopWhenFull(uint64_t most_rows);
  /// Takes rows of the layout's columns. Returns false if they were refused; the first rows are never
  /// refused.
  bool Add(DataChunk& rows);
  /// Ends adding.
  void Finish();
  /// Partitions all rows. REQUIRES: StopWhenFull was not called.
  void Partition();

  bool has_null_key() const { return has_null_key_; }
  bool is_partitioned() const { return partitions_ != nullptr; }
  uint64_t row_count() { return partitions_ ? partitions_->rows().row_count() : rows_.row_count(); }
  /// The rows, which use this builder's memory. REQUIRES: !is_partitioned().
  const RowCollection& rows() const {
    SCAUP_ASSERT(!is_partitioned());
    return rows_;
  }
  RowCollection TakeRows() { return std::move(rows_); }
  MemoryTracker& account() { return memory_.account(); }
  /// Reserves the memory of the rows' table; false if there is not enough and the rows must be partitioned.
  bool TryGrowForTable();
  /// Frees the reserve for the table, which is built next.
  void ReleaseReserve() { reserve_.Reset(); }
  /// The partitions. REQUIRES: is_partitioned().
  SpillablePartitions& partitions() {
    SCAUP_ASSERT(is_partitioned());
    return *partitions_;
  }
  /// Returns memory that is no longer needed, once the rows are in a table or partitions have been processed.
  void GiveBack();

 private:
  bool ReserveFor(DataChunk& rows);
  bool IsTooLarge();
  void Scatter(DataChunk& rows, const uint64_t* hashes, const bool* has_null, const sel_t* kept,
               size_t count);

  QueryContext& context_;
  const JoinBuildRules& rules_;
  const size_t level_;
  const MemoryGrant& grant_;
  TaskMemory memory_;
  MemoryReservation reserve_;  // For partitioning, or for a table.
  bool stops_ = false;
  uint64_t most_rows_ = UINT64_MAX;
  RowCollection rows_;
  bool has_null_key_ = false;
  std::unique_ptr<SpillablePartitions> partitions_;
};

}  // namespace scaup
