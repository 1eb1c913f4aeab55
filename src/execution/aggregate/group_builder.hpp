// Group builder: what one thread does with the rows of a GROUP BY, in bounded memory.
#pragma once

#include <mutex>
#include <optional>

#include "execution/aggregate/aggregate_table.hpp"
#include "execution/rows/hash_partitions.hpp"

namespace scaup {

/// Aggregates rows in a table as long as that pays and fits; the rows of further groups it divides by the
/// hashes of their groups, to be aggregated partition by partition, and writes them away where memory is
/// short. (After Leis, Boncz, Kemper, Neumann: Morsel-Driven Parallelism, 2014, section 4.4; that rows, not
/// groups, are divided spares states that hold pointers from being written.)
///
/// Level 0 takes the input of one task: its table stays as small as the caches, unless it makes much fewer
/// groups than there are rows. A group may then have rows in both places. At the levels above a builder takes
/// a partition; its table takes what memory allows, and all rows of its groups: what is left has other
/// groups. Where states keep more rows of these than fit, the rows are sorted in temporary storage instead,
/// and come back in order. One thread at a time, which may change.
class GroupBuilder {
 public:
  GroupBuilder(QueryContext& context, const AggregateLayout& layout, size_t level);

  void Add(DataChunk& input);
  /// Nobody adds any more.
  void Finish();
  /// Nobody adds until Resume, which another thread may call.
  void Pause();
  void Resume();

  /// Gives rows that states keep, and that were moved apart, back to them. Only one builder of those that
  /// share the mutex does so at once.
  void FinishRows(std::mutex& one_at_a_time);
  /// Does the same with rows that are still in the states; false if there are none.
  bool TryFinishInLessMemory(std::mutex& one_at_a_time);

  AggregateTable& table() { return *table_; }
  /// Frees the table; what is left stays.
  void ReleaseTable();
  /// The rows that are not in the table; null if all are.
  HashPartitions* rest() { return rest_ ? &*rest_ : nullptr; }
  /// Returns memory of partitions that are done with.
  void GiveBack() { memory_.GiveBack(); }

  static PartitionBits BitsOf(const QueryContext& context, size_t level);

 private:
  enum class Mode : uint8_t {
    kGrowing,  ///< all rows go to the table
    kProbing,  ///< those of its groups
    kPassing,  ///< none
  };
  bool is_last_level() const { return level_ == std::size(kGroupPartitionShifts); }
  bool IsTooLarge();
  void ReserveFor(DataChunk& input);
  void AddReserved(DataChunk& input);
  size_t MostTableGrowBytes(DataChunk& input) const;
  void Yield();
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
  SpillableReservation memory_;
  std::optional<SpillableReservation::Busy> paused_;
  MemoryReservation reserve_;       // For dividing rows,
  MemoryReservation kept_reserve_;  // and for moving those apart that states keep.
  std::unique_ptr<AggregateTable> table_;
  std::optional<HashPartitions> rest_;
  Mode mode_ = Mode::kGrowing;
  uint64_t row_count_ = 0;       // Of the table, while it grows.
  size_t reconsider_bytes_ = 0;  // When it has become so large.
  size_t frozen_bytes_ = 0;      // How large it was when it stopped growing.
  uint64_t probed_rows_ = 0;
  uint64_t missing_rows_ = 0;
};

}  // namespace scaup
