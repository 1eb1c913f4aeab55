// Group builder: aggregates the rows of one thread of a GROUP BY in bounded memory.
#pragma once

#include <optional>

#include "common/lock/mutex.hpp"
#include "execution/aggregate/aggregate_table.hpp"
#include "execution/rows/hash_partitions.hpp"

namespace scaup {

/// Aggregates rows in a hash table as long as that pays and fits. Rows of further groups are partitioned by
/// the hashes of their groups, spilled when memory is short, and aggregated partition by partition. Rows are
/// partitioned rather than groups, so that states with pointers need not be serialized. (After Leis, Boncz,
/// Kemper, Neumann: Morsel-Driven Parallelism, 2014, section 4.4.)
///
/// Level 0 takes the input of one task. Its table stays within the caches unless it has far fewer groups than
/// rows. A group may then have rows both in the table and in the partitions.
///
/// At higher levels a builder takes one partition. Its table grows up to the memory limit and takes all rows
/// of its groups; the rows left over belong to other groups. If the states retain more rows than fit, the
/// rows are sorted in temporary storage and come back in order. One thread at a time, which may change.
class GroupBuilder {
 public:
  /// Takes its memory from `grant`.
  GroupBuilder(QueryContext& context, const AggregateLayout& layout, size_t level, MemoryGrant& grant);

  void Add(DataChunk& input);
  /// Ends adding.
  void Finish();
  /// Goes on with adding after Finish, perhaps on another thread.
  void Resume();

  /// Returns spilled retained rows to their states. The mutex is shared by several builders and lets one of
  /// them do this at a time.
  void FinishRows(Mutex& one_at_a_time);
  /// Spills rows that are still in the states and returns them in order; false if there are none.
  bool TryFinishInLessMemory(Mutex& one_at_a_time);

  AggregateTable& table() { return *table_; }
  /// Frees the table; the partitions stay.
  void ReleaseTable();
  /// The partitions of rows that are not in the table; null if all rows are.
  HashPartitions* rest() { return rest_ ? &*rest_ : nullptr; }
  /// Returns the memory of partitions that have been read.
  void GiveBack() { memory_.GiveBack(); }

 private:
  /// The destination of rows. A builder only ever moves to a later mode.
  enum class Mode : uint8_t {
    kGrowing,  ///< all rows go to the table
    kProbing,  ///< rows of known groups go to the table
    kPassing,  ///< all rows go to the partitions
  };
  size_t ReserveBytes() const { return HashPartitions::ReserveBytes(context_.TaskShareBytes(grant_)); }
  bool is_last_level() const { return level_ == std::size(kGroupPartitionShifts); }
  bool IsTooLarge();
  bool TryReserveFor(DataChunk& input);
  void AddReserved(DataChunk& input);
  void AddHalves(DataChunk& input);
  size_t MostTableGrowBytes(DataChunk& input) const;
  void Yield();
  void SpillRows();
  size_t MostTableBytes() const;
  bool KeepsMuch();
  void KeepRowsApart();
  size_t FixedBytes() const;
  void Freeze();
  void ReconsiderTable();
  void ReconsiderProbing(size_t rows, size_t missing);

  QueryContext& context_;
  const AggregateLayout& layout_;
  const size_t level_;
  MemoryGrant& grant_;
  TaskMemory memory_;
  MemoryReservation reserve_;       // For partitioning rows.
  MemoryReservation kept_reserve_;  // For spilling retained rows.
  std::unique_ptr<AggregateTable> table_;
  std::optional<HashPartitions> rest_;
  Mode mode_ = Mode::kGrowing;
  uint64_t row_count_ = 0;       // Rows added while the table grows.
  size_t reconsider_bytes_ = 0;  // The table size at which to decide again.
  size_t frozen_bytes_ = 0;      // The table size when it stopped growing.
  uint64_t probed_rows_ = 0;
  uint64_t missing_rows_ = 0;
};

/// The bits of a group's hash that select its partition at `level`.
PartitionBits GroupPartitionBits(const QueryContext& context, size_t level);
/// The minimum of a task's memory with which it can group rows at `level`.
size_t LeastGroupingBytes(const QueryContext& context, const AggregateLayout& layout, size_t level);

}  // namespace scaup
