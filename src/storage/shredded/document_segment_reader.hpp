// Reads documents that are kept attribute by attribute.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "storage/shredded/document_segment.hpp"
#include "storage/shredded/reservoir_directory.hpp"

namespace scaup {

class DocumentAssembly;

/// As a reader of a column of records it puts them together; who wants single attributes asks for these.
/// One thread.
class DocumentSegmentReader final : public SegmentReader {
 public:
  DocumentSegmentReader(std::shared_ptr<const DocumentSegment> segment, const KernelTable& kernels);
  ~DocumentSegmentReader() override;

  void Read(size_t block, size_t count, Vector& output) override;
  void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) override;
  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override;

  const DocumentSegment& documents() const { return segment_; }
  /// The shapes of the rows of a block; valid until another block is read.
  std::span<const int32_t> ShapesOf(size_t block, size_t count) {
    Seek(block, count);
    return {shapes_of_rows_.Data<int32_t>(), count};
  }
  /// The reader of a physical attribute; null for any other. Values are of OwnTypeOf its type.
  SegmentReader* ColumnOf(AttributeId attribute);
  /// Whether some document of the row group has it, physical or not.
  bool Has(AttributeId attribute) const { return !shapes().With(attribute).empty(); }
  /// The rows of a block that have the attribute, ascending; valid until another block is asked for it.
  std::span<const sel_t> FindRows(AttributeId attribute, size_t block, size_t count);
  /// Gathers an attribute with values in the reservoir: makes `values`, which is after Reset and a BLOB,
  /// those of the rows that FindRows gives whose places among them are listed, ascending.
  void GatherValues(AttributeId attribute, size_t block, size_t count, std::span<const sel_t> places,
                    Vector& values);
  /// Puts the records of some rows, ascending, into the flat `output` from row `offset` on: of their
  /// attributes only those in `wanted` (by attribute; shorter where the others are not). Null: all.
  void Assemble(size_t block, size_t count, std::span<const sel_t> rows, const std::vector<bool>* wanted,
                Vector& output, size_t offset);

 private:
  friend class DocumentAssembly;
  /// Where an attribute occurs.
  struct Presence {
    std::vector<uint8_t> by_shape;  // 1: the shape has it.
    size_t block = SIZE_MAX;
    size_t row_count = 0;  // Of that block, and which ones:
    sel_t rows[kVectorSize];
  };
  const DocumentShapes& shapes() const;
  SegmentReader& PartReader(size_t part);
  /// Goes to a block, and reads of which shape its rows are.
  void Seek(size_t block, size_t count);
  /// The directory of the present block.
  ReservoirDirectory& Directory();
  /// values[offset + i] = values listed[i] of the reservoir, which ascend.
  void GatherListed(std::span<const uint32_t> listed, Vector& values);

  const DocumentSegment& segment_;
  const KernelTable& kernels_;
  std::vector<std::unique_ptr<SegmentReader>> parts_;  // Null where none was needed yet.
  mutable const DocumentShapes* shapes_ = nullptr;     // Of segment_, once they were needed.
  std::unordered_map<AttributeId, std::unique_ptr<Presence>> presences_;

  size_t block_ = SIZE_MAX;  // The present one,
  size_t count_ = 0;         // how many rows it has,
  Vector shapes_of_rows_;    // flat, and of which shapes they are.
  bool has_directory_ = false;
  Vector directory_bytes_;
  ReservoirDirectory directory_;
  std::unique_ptr<DocumentAssembly> assembly_;
};

}  // namespace scaup
