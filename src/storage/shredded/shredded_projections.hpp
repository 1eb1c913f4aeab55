// ShreddedProjections: reads projections of shredded documents.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "document/projection_attributes.hpp"
#include "storage/shredded/document_segment_reader.hpp"
#include "storage/snapshot/table_columns.hpp"

namespace scaup {

/// Reads projections of the blocks of one row group after another. A projection of one physical attribute is
/// its column. Other projections convert the values of the attributes that they consist of, and whole objects
/// are reassembled. Used by one thread.
class ShreddedProjections {
 public:
  /// `projections` are columns of `columns` that are not stored.
  ShreddedProjections(const TableColumns& columns, std::span<const size_t> projections,
                      const KernelTable& kernels);
  ~ShreddedProjections();

  /// Moves to the row group of `reader`, which must outlive its use; null detaches.
  void Attach(DocumentSegmentReader* reader);

  /// Makes `output` projection `i` of the `count` rows of a block.
  void Read(size_t i, size_t block, size_t count, Vector& output);
  /// Does the same for rows selection[0 .. selected), which ascend.
  void ReadRows(size_t i, size_t block, size_t count, const SelectionRef& selection, size_t selected,
                Vector& output);
  /// Applies a filter to projection `i`. If the result is kSome, mask[row] is 1 where a row passes, else 0.
  /// Returns nullopt if the projection must be read instead, because too many values would have to be
  /// converted.
  std::optional<ZoneMatch> Filter(size_t i, size_t block, size_t count, const ScanFilter& filter,
                                  uint8_t* mask);
  /// Matches the filter against the zone map of the whole row group.
  ZoneMatch Match(size_t i, const ScanFilter& filter);

 private:
  struct Projection;
  /// Returns the projection, attached to the current row group.
  Projection& Find(size_t i);
  void ReadValues(Projection& projection, size_t block, size_t count, std::span<const sel_t> rows,
                  Vector& output);
  void ReadUse(const AttributeUse& use, size_t block, size_t count, std::span<const sel_t> rows,
               ConvertedValues& output);
  /// Answers an IS [NOT] NULL test, which needs no values.
  ZoneMatch FilterPresence(const Projection& projection, size_t block, size_t count, bool wants_null,
                           uint8_t* mask);
  /// Updates the mask for the rows that have a value by this use.
  void FilterUse(const AttributeUse& use, const LogicalType& type, size_t block, size_t count,
                 const ScanFilter& filter, uint8_t* mask);
  /// Makes the output keep alive the strings that the last uses have read.
  void KeepBytes(Vector& output);
  void ReadAssembled(Projection& projection, size_t block, size_t count, std::span<const sel_t> rows,
                     Vector& output);

  const KernelTable& kernels_;
  std::vector<Projection> projections_;
  DocumentSegmentReader* reader_ = nullptr;
  AttributeConverter converter_;
  std::vector<Vector> kept_;  // own the bytes of the values being read
};

}  // namespace scaup
