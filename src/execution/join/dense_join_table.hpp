// Dense join table: the built side of a join by an integer whose values lie close to each other.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "common/memory/large_array.hpp"
#include "execution/rows/row_layout.hpp"
#include "execution/run/runtime_filter.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Columns whose row is the key's distance from the least one, its slot: finding a partner takes a bit, and
/// reading its columns nothing but their values. Keys are unique. Immutable; any number of threads may read.
class DenseJoinTable {
 public:
  /// Makes a table of rows whose first column is the key, not NULL in any of them. Null where keys are far
  /// between, where one key has several rows, or where memory is short. Works with all threads. Long strings
  /// are not copied: the collections must outlive the table if the layout has strings.
  static std::unique_ptr<DenseJoinTable> TryMake(const RowLayout& layout,
                                                 std::span<const RowCollection* const> collections,
                                                 const RuntimeFilter& range, const FunctionContext& context);

  /// Whether keys in this range are dense enough, if no two of so many rows have the same.
  static bool IsDense(const RuntimeFilter& range, uint64_t row_count);

  /// The rows of `keys` that have a partner, ascending, and by row its slot; returns how many. NULLs have
  /// none.
  size_t Find(const UnifiedView& keys, size_t count, sel_t* found, uint32_t* slots) const;
  /// result[i] = column `column` of the layout in slot slots[rows[i]], for the flat `result` after Reset().
  void Gather(size_t column, const sel_t* rows, size_t count, const uint32_t* slots, Vector& result) const;

 private:
  struct Column {
    Column(size_t size_bytes, size_t words) : values(size_bytes), is_null(words) {}
    LargeArray<std::byte> values;
    std::vector<uint64_t> is_null;  // A bit for each slot.
    std::atomic<bool> has_null{false};
  };

  DenseJoinTable(const RowLayout& layout, const RuntimeFilter& range, const FunctionContext& context,
                 size_t slot_count);
  /// False if a key has several rows.
  bool Insert(const std::byte* first, size_t count);
  template <typename T>
  bool InsertKeys(const std::byte* first, size_t count, uint32_t* slots);

  const RowLayout& layout_;
  MemoryReservation memory_;
  const int64_t least_;
  const size_t slot_count_;
  std::vector<uint64_t> is_taken_;                // A bit for each slot.
  std::vector<std::unique_ptr<Column>> columns_;  // Behind the key.
};

}  // namespace scaup
