// Projections of documents that are kept attribute by attribute.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "document/projection_attributes.hpp"
#include "storage/shredded/document_segment_reader.hpp"
#include "storage/snapshot/table_columns.hpp"

namespace scaup {

/// Reads some projections of the blocks of one row group after the other. A projection of one physical
/// attribute is its column; others convert the values of the attributes that they are made of; whole objects
/// are put together. One thread.
class ShreddedProjections {
 public:
  /// `projections`: columns of `columns` that are no stored ones.
  ShreddedProjections(const TableColumns& columns, std::span<const size_t> projections,
                      const KernelTable& kernels);
  ~ShreddedProjections();

  /// From now on of the row group of `reader`, which must outlive its use; null: of none.
  void Attach(DocumentSegmentReader* reader);

  /// Makes `output` projection `i` of the `count` rows of a block.
  void Read(size_t i, size_t block, size_t count, Vector& output);
  /// Reads the rows selection[0 .. selected), which ascend.
  void ReadRows(size_t i, size_t block, size_t count, const SelectionRef& selection, size_t selected,
                Vector& output);
  /// mask[row] = 1 where a row passes, else 0, where the answer is kSome: for projections that are columns
  /// of the row group, whatever lies over these. Nullopt: read it instead.
  std::optional<ZoneMatch> Filter(size_t i, size_t block, size_t count, const ScanFilter& filter,
                                  uint8_t* mask);
  /// The answer of zones of the whole row group.
  ZoneMatch Match(size_t i, const ScanFilter& filter);

 private:
  struct Projection;
  /// The projection in the present row group.
  Projection& Find(size_t i);
  void ReadValues(Projection& projection, size_t block, size_t count, std::span<const sel_t> rows,
                  Vector& output);
  void ReadUse(const AttributeUse& use, size_t block, size_t count, std::span<const sel_t> rows,
               ConvertedValues& output);
  /// The answer of a test for NULL, which asks for no value.
  ZoneMatch FilterPresence(const Projection& projection, size_t block, size_t count, bool wants_null,
                           uint8_t* mask);
  /// Puts into the mask which rows pass of those that have a value by this use.
  void FilterUse(const AttributeUse& use, const LogicalType& type, size_t block, size_t count,
                 const ScanFilter& filter, uint8_t* mask);
  /// Keeps strings alive that the uses read last have put there.
  void KeepBytes(Vector& output);
  void ReadAssembled(Projection& projection, size_t block, size_t count, std::span<const sel_t> rows,
                     Vector& output);

  const KernelTable& kernels_;
  std::vector<Projection> projections_;
  DocumentSegmentReader* reader_ = nullptr;
  AttributeConverter converter_;
  std::vector<Vector> kept_;  // Have the bytes of the values that are being read.
};

}  // namespace scaup
