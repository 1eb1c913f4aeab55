// Scan morsels: the parts of a table that the threads of a scan take one after the other.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// Divides a table into morsels of at most `blocks_per_morsel` blocks of one row group, and hands out each of
/// them once. Borrows the view. Thread-safe.
class ScanMorsels {
 public:
  struct Morsel {
    uint32_t part;       ///< of the view
    uint32_t row_group;  ///< of the part
    uint32_t first_block, end_block;
  };

  ScanMorsels(const TableView& view, size_t blocks_per_morsel);

  /// Puts morsels first whose values make a filter's test strict, by their zone maps. The first of them is
  /// divided into its blocks, since after a few rows most others need not be read. REQUIRES: no morsel was
  /// taken; `filter` is a kTest of a stored column of the given type.
  void PutInOrder(const ScanFilter& filter, PhysicalType type);

  size_t count() const { return morsels_.size(); }
  const Morsel& operator[](size_t index) const { return morsels_[index]; }
  const RowGroup& RowGroupOf(const Morsel& morsel) const {
    return *view_.parts[morsel.part].snapshot->row_groups[morsel.row_group];
  }
  /// The number of morsels into which a full row group is divided.
  size_t most_of_row_group() const {
    return (kBlocksPerRowGroup + blocks_per_morsel_ - 1) / blocks_per_morsel_;
  }

  /// Returns the index of the next morsel that no thread has taken; count() or more if there is none.
  size_t Take() { return next_.fetch_add(1, std::memory_order_relaxed); }
  bool has_begun() const { return next_.load(std::memory_order_relaxed) != 0; }
  /// Returns the fraction of morsels that were handed out, 0 to 1.
  double Progress() const;

  /// Returns the offset of each morsel's first row, without regard to filters, followed by the number of
  /// rows. Empty if rows may have been deleted.
  std::vector<uint64_t> Offsets() const;
  /// Returns the least and greatest value of a stored column in each morsel, without regard to filters. For
  /// a morsel without values the first is above the second. Empty if values are not stored as integers of 16
  /// to 64 bits, or if the transaction may see updated values.
  std::vector<std::pair<int64_t, int64_t>> ZoneRanges(size_t column, PhysicalType type) const;

 private:
  bool HasVersions() const;
  ZoneMap ZoneOf(const Morsel& morsel, size_t column, PhysicalType type) const;

  const TableView& view_;
  const size_t blocks_per_morsel_;
  std::vector<Morsel> morsels_;
  std::atomic<size_t> next_{0};
};

}  // namespace scaup
