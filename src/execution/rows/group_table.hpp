// Group table: finds or creates the row of each group by linear probing over salted 64-bit entries.
#pragma once

#include <cstdint>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "execution/rows/row_layout.hpp"

namespace scaup {

/// A hash table from group keys to rows that hold keys and aggregate states. The row's header is its hash (8
/// bytes). A directory entry has 16 bits of the hash (the salt) above the 48-bit address of a row, so that
/// most entries of other groups are rejected without touching their rows.
///
/// While a single integer key arrives in ascending order, as in a table sorted by it, each row belongs
/// to the last group or to a new one. No directory is built then. One thread at a time; movable.
class GroupTable {
 public:
  static constexpr size_t kHeaderBytes = sizeof(uint64_t);
  /// The bytes of the first directory.
  static constexpr size_t kLeastBytes = 2 * kVectorSize * sizeof(uint64_t);

  /// `layout` has the key columns first (possibly none) and a header of kHeaderBytes; borrowed. `initialize`
  /// makes the states of a template row, of which all new rows are copies.
  using InitializeRow = void (*)(const void* owner, std::byte* row);
  GroupTable(const RowLayout& layout, MemoryTracker& memory, InitializeRow initialize, const void* owner);

  /// rows[i] = the row of the group of keys row i, created if it is new.
  void FindOrCreate(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows);
  /// Finds groups but creates none. The rows without a group go to `missing`, in ascending order. Returns
  /// their number.
  size_t Find(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows, sel_t* missing);
  /// Finds or creates the group of a key in a row of another table with the same layout. Strings are not
  /// copied: the other table's memory must live as long as this table.
  std::byte* FindOrAdopt(const std::byte* foreign_row, bool& is_new);

  size_t group_count() const { return rows_.row_count(); }
  /// The bytes of rows, of the data that they point to, and of the directory.
  size_t size_bytes() const { return rows_.size_bytes() + reservation_.size_bytes(); }
  /// An upper bound of the bytes that FindOrCreate of `count` rows reserves, besides their long strings.
  size_t MostGrowBytes(size_t count) const;
  /// Whether groups are found by the ascending order of their keys.
  bool is_ascending() const { return is_ascending_; }
  RowCollection& rows() { return rows_; }
  const RowCollection& rows() const { return rows_; }
  static uint64_t HashOf(const std::byte* row) {
    uint64_t hash;
    __builtin_memcpy(&hash, row, sizeof(hash));
    return hash;
  }

 private:
  static constexpr uint64_t kPointerMask = (uint64_t{1} << 48) - 1;
  static uint64_t MakeEntry(uint64_t hash, const std::byte* row) {
    return (hash & ~kPointerMask) | reinterpret_cast<uint64_t>(row);
  }
  static std::byte* RowOf(uint64_t entry) { return reinterpret_cast<std::byte*>(entry & kPointerMask); }
  std::byte* MakeRow(uint64_t hash);
  template <bool kMakesGroups>
  size_t Probe(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
               sel_t* missing);
  /// For one non-NULL key of fixed size, which is compared while probing.
  template <bool kMakesGroups, typename Key>
  size_t ProbeKey(const UnifiedView& keys, const uint64_t* hashes, size_t count, std::byte** rows,
                  sel_t* missing);
  /// Returns how many rows are in ascending order.
  template <typename Key>
  size_t AddAscending(const TypedView<Key>& keys, const uint64_t* hashes, size_t count, std::byte** rows);
  template <bool kMakesGroups>
  size_t ProbeKeys(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
                   sel_t* missing);
  void Resize(size_t slot_count);
  size_t SlotsFor(size_t more_groups) const;
  /// Makes space in the directory for more groups, and leaves the ascending mode.
  void ReserveFor(size_t more_groups);
  bool RowsEqual(const std::byte* a, const std::byte* b) const;

  const RowLayout& layout_;
  std::vector<std::byte> new_row_;
  RowCollection rows_;
  MemoryReservation reservation_;
  std::vector<uint64_t> entries_;
  size_t mask_ = 0;
  bool is_ascending_ = false;
  std::byte* last_row_ = nullptr;  // Used in ascending mode.
};

}  // namespace scaup
