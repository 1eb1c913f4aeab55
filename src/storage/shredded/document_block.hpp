// DocumentBlock: the documents of one block of a scan, and the projections read from them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "storage/shredded/shredded_projections.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/version/table_versions.hpp"

namespace scaup {

/// Reads projections of one block after another: those of filters for all rows, the others for the rows that
/// passed. If documents are stored as records, one pass over them reads all projections of a kind. If they
/// are shredded, only the needed attributes are read. Used by one thread.
class DocumentBlock {
 public:
  /// `filtered` are projections read for whole blocks, `chosen` those read for selected rows.
  DocumentBlock(const TableColumns& columns, std::vector<size_t> filtered, std::span<const size_t> chosen,
                const KernelTable& kernels);

  /// Releases the block.
  void Clear();
  bool is_clear() const { return reader_ == nullptr; }
  /// Moves to a block of `row_count` rows. `reader` reads the records of its row group. `patch` has the
  /// records that were updated since; null for none. Both must live until Clear. REQUIRES: is_clear.
  void Seek(SegmentReader& reader, size_t block, size_t row_count, const RowPatch* patch);

  // REQUIRES: Seek.
  /// Makes `output` the records of rows selection[0 .. count), or of all rows if the selection is null.
  void ReadRecords(const SelectionRef& selection, size_t count, Vector& output);
  /// Applies a filter on one of the filtered projections. If the result is kSome, mask[row] is 1 where a row
  /// passes, else 0.
  ZoneMatch Filter(const ScanFilter& filter, uint8_t* mask);
  /// Makes `output` one of the filtered projections of rows selection[0 .. count), or of all rows if null.
  void ReadFiltered(size_t column, const SelectionRef& selection, size_t count, Vector& output);
  /// Makes `outputs` the chosen projections of rows selection[0 .. count), or of all rows if null.
  void ReadChosen(const SelectionRef& selection, size_t count, std::span<Vector* const> outputs);

 private:
  size_t PlaceOf(size_t column) const;
  /// Returns all records.
  const Vector& Records();
  /// Projects the records of the patch.
  void ReadPatch(DocumentReader& reader, std::vector<std::unique_ptr<RowPatch>>& patches) const;
  /// Returns one of the filtered projections, flat, for all rows.
  Vector& Filtered(size_t place);
  void ReadAllFiltered();
  /// Returns the patch of a filtered projection for this block.
  const RowPatch& FilteredPatch(size_t place);

  const KernelTable& kernels_;
  std::vector<size_t> filtered_, chosen_;
  std::unique_ptr<DocumentReader> filtered_reader_, chosen_reader_;
  ShreddedProjections filtered_shreds_, chosen_shreds_;
  std::vector<std::unique_ptr<RowPatch>> filtered_patches_, chosen_patches_;

  SegmentReader* reader_ = nullptr;
  const SegmentReader* attached_ = nullptr;  // of the row group that the projections are attached to
  bool is_shredded_ = false;
  size_t block_ = 0;
  size_t row_count_ = 0;
  const RowPatch* patch_ = nullptr;
  Vector records_;
  bool has_records_ = false;
  std::vector<Vector> values_;  // by filtered_
  std::vector<bool> has_values_;
  bool has_filtered_patches_ = false;
};

}  // namespace scaup
