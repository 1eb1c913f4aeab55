// Dense join table: a perfect hash table for a build side with densely packed integer keys.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/large_array.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/rows/row_layout.hpp"
#include "execution/run/runtime_filter.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// A table of columns that is indexed by the key's distance from the least key, the slot. A probe tests one
/// bit, and reading a column takes one access. Keys are unique. Immutable; any number of threads may read it.
class DenseJoinTable {
 public:
  /// Makes a table of rows whose first column is the key, which is never NULL. Returns null if the keys are
  /// too sparse, if a key has several rows, or if memory is short. Works with all threads. Long strings are
  /// not copied: if the layout has strings, the collections must outlive the table.
  static std::unique_ptr<DenseJoinTable> TryMake(const RowLayout& layout,
                                                 std::span<const RowCollection* const> collections,
                                                 const RuntimeFilter& range, const FunctionContext& context);

  /// Whether keys in this range are dense enough for `row_count` rows with unique keys.
  static bool IsDense(const RuntimeFilter& range, uint64_t row_count);

  /// Writes the rows of `keys` that have a partner, in ascending order, and the slot of each row. Returns
  /// their number. NULL keys have no partner.
  size_t Find(const UnifiedView& keys, size_t count, sel_t* found, uint32_t* slots) const;
  /// result[i] = column `column` of the layout in slot slots[rows[i]], for a flat `result` after Reset().
  void Gather(size_t column, const sel_t* rows, size_t count, const uint32_t* slots, Vector& result) const;

 private:
  struct Column {
    Column(size_t size_bytes, size_t words) : values(size_bytes), is_null(words) {}
    LargeArray<std::byte> values;
    std::vector<uint64_t> is_null;  // One bit for each slot.
    std::atomic<bool> has_null{false};
  };

  DenseJoinTable(const RowLayout& layout, const RuntimeFilter& range, const FunctionContext& context,
                 size_t slot_count);
  /// Returns false if a key has several rows.
  bool Insert(const std::byte* first, size_t count);
  template <typename T>
  bool InsertKeys(const std::byte* first, size_t count, uint32_t* slots);

  const RowLayout& layout_;
  MemoryReservation memory_;
  const int64_t least_;
  const size_t slot_count_;
  std::vector<uint64_t> is_taken_;                // One bit for each slot.
  std::vector<std::unique_ptr<Column>> columns_;  // All columns but the key.
};

}  // namespace scaup
