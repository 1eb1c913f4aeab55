// Group table: finds or makes the row of each group; linear probing over salted 64-bit entries.
#pragma once

#include <cstdint>
#include <vector>

#include "execution/rows/row_layout.hpp"

namespace scaup {

/// A hash table from group keys to rows that hold keys and aggregate states. The row's header is its hash (8
/// bytes). A directory entry is 16 bits of the hash (the salt) above the 48-bit address of a row, so that
/// most other groups are passed without touching their rows. While the rows that come have a single integer
/// key that never descends, as those of a table in its order, each is in the last group or in a new one, and
/// there is no directory. One thread at a time; movable.
class GroupTable {
 public:
  static constexpr size_t kHeaderBytes = sizeof(uint64_t);

  /// `layout` has all key columns first (there may be no others) and a header of kHeaderBytes; borrowed.
  /// `initialize` makes the states of a row that all new rows are copies of.
  using InitializeRow = void (*)(const void* owner, std::byte* row);
  GroupTable(const RowLayout& layout, MemoryTracker& memory, InitializeRow initialize, const void* owner);

  /// rows[i] = the row of the group of keys row i, made where it is new.
  void FindOrCreate(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows);
  /// Finds groups and makes none: the rows that have no group go to `missing`, in order. Returns how many.
  size_t Find(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows, sel_t* missing);
  /// Finds or creates the group of a key that lies in a row of another table of the same layout. Its strings
  /// are not copied: that table's memory must live as long as this one.
  std::byte* FindOrAdopt(const std::byte* foreign_row, bool& is_new);

  size_t group_count() const { return rows_.row_count(); }
  /// The bytes of rows, of what they point to, and of the directory.
  size_t size_bytes() const { return rows_.size_bytes() + reservation_.size_bytes(); }
  /// The most bytes that FindOrCreate of so many rows reserves, besides their long strings.
  size_t MostGrowBytes(size_t count) const;
  /// Whether groups are found by the order of their keys.
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
  /// For one key of fixed size that is nowhere NULL: compared where it is found.
  template <bool kMakesGroups, typename Key>
  size_t ProbeKey(const UnifiedView& keys, const uint64_t* hashes, size_t count, std::byte** rows,
                  sel_t* missing);
  /// Returns how many rows are in order.
  template <typename Key>
  size_t AddAscending(const TypedView<Key>& keys, const uint64_t* hashes, size_t count, std::byte** rows);
  template <bool kMakesGroups>
  size_t ProbeKeys(std::span<Vector> keys, const uint64_t* hashes, size_t count, std::byte** rows,
                   sel_t* missing);
  void Resize(size_t slot_count);
  size_t SlotsFor(size_t more_groups) const;
  /// Makes the directory ready for more groups.
  void ReserveFor(size_t more_groups);
  bool RowsEqual(const std::byte* a, const std::byte* b) const;

  const RowLayout& layout_;
  std::vector<std::byte> new_row_;
  RowCollection rows_;
  MemoryReservation reservation_;
  std::vector<uint64_t> entries_;
  size_t mask_ = 0;
  bool is_ascending_ = false;
  std::byte* last_row_ = nullptr;  // While they ascend.
};

}  // namespace scaup
