// Join builder: what one thread does with the rows of the right side of a hash join, in bounded memory.
#pragma once

#include <optional>

#include "execution/join/join_table.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// Partitions that are written away when the arbiter wants their memory. One thread at a time.
class SpillablePartitions {
 public:
  /// `memory` is borrowed; nothing else may be in its account that could be given back.
  SpillablePartitions(QueryContext& context, SpillableReservation& memory, std::vector<LogicalType> types,
                      PartitionBits bits);

  /// As HashPartitions::Append.
  void Append(DataChunk& chunk, const uint64_t* hashes, const sel_t* rows, size_t count);
  /// Appends with the free memory of the account alone, without asking others.
  void AppendWithin(DataChunk& chunk, const uint64_t* hashes, size_t count);
  /// Nobody appends any more.
  void Finish();
  void Spill();
  HashPartitions& rows() { return rows_; }
  /// Returns memory of partitions that are done with.
  void GiveBack() { memory_.GiveBack(); }

 private:
  QueryContext& context_;
  SpillableReservation& memory_;
  HashPartitions rows_;
};

/// How the rows of the right side are kept. Borrowed by the builders.
struct JoinBuildRules {
  const RowLayout& layout;               ///< of a JoinTable: keys, then the other columns
  const std::vector<bool>& nulls_equal;  ///< by key
  bool keeps_all;                        ///< rows with a NULL key, too, which find no partner
};

/// Collects rows for a join table. Where memory is short it divides them by the hashes of their keys instead,
/// to be joined partition by partition (the GRACE hash join: Kitsuregawa, Tanaka, Moto-oka, 1983). At level 0
/// it takes the input of one task, above a partition. One thread at a time, which may change.
class JoinBuilder {
 public:
  /// The bits of a key's hash that choose its partition, and those that divide it again: apart from those
  /// that a join table takes (above) and its tags (below).
  static constexpr unsigned kShifts[] = {8, 16, 24};
  static PartitionBits BitsOf(const QueryContext& context, size_t level);

  static bool IsLastLevel(size_t level) { return level == std::size(kShifts); }
  /// Tests divide all rows so often.
  static constexpr size_t kForcedLevels = 2;

  JoinBuilder(QueryContext& context, const JoinBuildRules& rules, size_t level);

  /// From the beginning: rows are not divided, as at the last level or where that is of no use; Add refuses
  /// those for which, with a join table, there is no memory, and those beyond `most_rows`.
  void StopWhenFull(uint64_t most_rows);
  /// Takes rows of the layout's columns. False where it stops and these were not taken; it takes the first.
  bool Add(DataChunk& rows);
  /// Nobody adds any more.
  void Finish();
  /// Divides all rows, as where memory is short. REQUIRES: it does not stop.
  void Divide();

  bool has_null_key() const { return has_null_key_; }
  bool is_divided() const { return divided_ != nullptr; }
  uint64_t row_count() { return divided_ ? divided_->rows().row_count() : rows_.row_count(); }
  /// The rows, in its memory. REQUIRES: is not divided.
  const RowCollection& rows() const { return rows_; }
  RowCollection TakeRows() { return std::move(rows_); }
  MemoryTracker& account() { return memory_.account(); }
  /// Whether there is memory in the account for the rows' table. If not, rows are to be divided.
  bool TryGrowForTable();
  /// The memory for the table, which is made next.
  void ReleaseReserve() { reserve_.Reset(); }
  /// REQUIRES: is divided.
  SpillablePartitions& divided() { return *divided_; }
  /// Returns memory that is of no use any more, once the rows are in a table, or parts are done with.
  void GiveBack();

 private:
  bool ReserveFor(DataChunk& rows);
  bool IsTooLarge();
  size_t MostAddBytes(DataChunk& rows) const;
  void Scatter(DataChunk& rows, const uint64_t* hashes, const bool* has_null, const sel_t* kept,
               size_t count);

  QueryContext& context_;
  const JoinBuildRules& rules_;
  const size_t level_;
  SpillableReservation memory_;
  MemoryReservation reserve_;  // For dividing, or for a table.
  bool stops_ = false;
  uint64_t most_rows_ = UINT64_MAX;
  RowCollection rows_;
  bool has_null_key_ = false;
  std::unique_ptr<SpillablePartitions> divided_;
};

}  // namespace scaup
