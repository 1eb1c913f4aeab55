// The documents of one block of a scan, and what is read out of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/shredded/shredded_projections.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/version/table_versions.hpp"

namespace scaup {

/// Reads projections of one block after the other: those of filters of all rows, the others of the rows that
/// passed. Records are read, each kind of projections in one pass, where documents are kept as such; where
/// they are kept attribute by attribute, the attributes are. One thread.
class DocumentBlock {
 public:
  /// `filtered`: projections that are read of whole blocks; `chosen`: those that are read of chosen rows.
  DocumentBlock(const TableColumns& columns, std::vector<size_t> filtered, std::span<const size_t> chosen,
                const KernelTable& kernels);

  /// Lets go of the block.
  void Clear();
  bool is_clear() const { return reader_ == nullptr; }
  /// Goes to a block of `row_count` rows. `reader`: of the records of its row group; `patch`: those of them
  /// that are others by now, null for none. Both are needed until Clear. REQUIRES: is_clear.
  void Seek(SegmentReader& reader, size_t block, size_t row_count, const RowPatch* patch);

  // REQUIRES: Seek.
  /// Makes `output` the records of rows selection[0 .. count); null: of all.
  void ReadRecords(const SelectionRef& selection, size_t count, Vector& output);
  /// Applies a filter over one of the filtered projections: mask[row] = 1 where a row passes, else 0, unless
  /// none or all do.
  ZoneMatch Filter(const ScanFilter& filter, uint8_t* mask);
  /// Makes `output` one of the filtered projections of rows selection[0 .. count); null: of all.
  void ReadFiltered(size_t column, const SelectionRef& selection, size_t count, Vector& output);
  /// Makes `outputs` the chosen projections of rows selection[0 .. count); null: of all.
  void ReadChosen(const SelectionRef& selection, size_t count, std::span<Vector* const> outputs);

 private:
  size_t PlaceOf(size_t column) const;
  /// All records.
  const Vector& Records();
  /// Reads what the patch says of some projections.
  void ReadPatch(DocumentReader& reader, std::vector<std::unique_ptr<RowPatch>>& patches) const;
  /// One of the filtered projections, flat, of all rows.
  Vector& Filtered(size_t place);
  void ReadAllFiltered();
  /// The patches of filters, of this block.
  const RowPatch& FilteredPatch(size_t place);

  const KernelTable& kernels_;
  std::vector<size_t> filtered_, chosen_;
  std::unique_ptr<DocumentReader> filtered_reader_, chosen_reader_;
  ShreddedProjections filtered_shreds_, chosen_shreds_;
  std::vector<std::unique_ptr<RowPatch>> filtered_patches_, chosen_patches_;

  SegmentReader* reader_ = nullptr;
  const SegmentReader* attached_ = nullptr;  // Of the row group that the shreds know.
  bool is_shredded_ = false;
  size_t block_ = 0;
  size_t row_count_ = 0;
  const RowPatch* patch_ = nullptr;
  Vector records_;
  bool has_records_ = false;
  std::vector<Vector> values_;  // Of filtered_.
  std::vector<bool> has_values_;
  bool has_filtered_patches_ = false;
};

}  // namespace scaup
