// DocumentSegmentReader: reads shredded documents.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "storage/shredded/document_segment.hpp"
#include "storage/shredded/reservoir_directory.hpp"

namespace scaup {

class DocumentAssembly;

/// Reads shredded documents. As a SegmentReader of records it reassembles them; other functions read single
/// attributes. Used by one thread.
class DocumentSegmentReader final : public SegmentReader {
 public:
  DocumentSegmentReader(std::shared_ptr<const DocumentSegment> segment, const KernelTable& kernels);
  ~DocumentSegmentReader() override;

  void Read(size_t block, size_t count, Vector& output) override;
  void Gather(size_t block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) override;
  void Filter(size_t block, size_t count, const ScanFilter& filter, uint8_t* mask) override;

  const DocumentSegment& documents() const { return segment_; }
  /// Returns the shapes of the rows of a block; valid until another block is read.
  std::span<const int32_t> ShapesOf(size_t block, size_t count) {
    Seek(block, count);
    return {shapes_of_rows_.Data<int32_t>(), count};
  }
  /// Returns the reader of a physical attribute, null for any other. Values have type OwnTypeOf.
  SegmentReader* ColumnOf(AttributeId attribute);
  /// Returns whether any document of the row group has the attribute, physical or not.
  bool Has(AttributeId attribute) const { return !shapes().With(attribute).empty(); }
  /// Returns the rows of a block that have the attribute, ascending; valid until the function is called for
  /// it with another block.
  std::span<const sel_t> FindRows(AttributeId attribute, size_t block, size_t count);
  /// Gathers values of an attribute from the reservoir into `values`, a BLOB vector that was reset. `places`
  /// are positions in the result of FindRows, ascending.
  void GatherValues(AttributeId attribute, size_t block, size_t count, std::span<const sel_t> places,
                    Vector& values);
  /// Writes the records of some rows, ascending, to the flat `output` from row `offset` on. The records have
  /// only attributes in `wanted`, which is indexed by attribute and may be shorter; null means all.
  void Assemble(size_t block, size_t count, std::span<const sel_t> rows, const std::vector<bool>* wanted,
                Vector& output, size_t offset);

 private:
  friend class DocumentAssembly;
  /// The rows in which an attribute occurs.
  struct Presence {
    std::vector<uint8_t> by_shape;  // 1 if the shape has it
    size_t block = SIZE_MAX;
    size_t row_count = 0;  // rows with the attribute in that block
    sel_t rows[kVectorSize];
  };
  const DocumentShapes& shapes() const;
  SegmentReader& PartReader(size_t part);
  /// Moves to a block and reads the shapes of its rows.
  void Seek(size_t block, size_t count);
  /// Returns the directory of the current block.
  ReservoirDirectory& Directory();
  /// Sets values[offset + i] to the value listed[i] of the reservoir; `listed` ascends.
  void GatherListed(std::span<const uint32_t> listed, Vector& values);

  const DocumentSegment& segment_;
  const KernelTable& kernels_;
  std::vector<std::unique_ptr<SegmentReader>> parts_;  // null until needed
  mutable const DocumentShapes* shapes_ = nullptr;     // of segment_, null until needed
  std::unordered_map<AttributeId, std::unique_ptr<Presence>> presences_;

  size_t block_ = SIZE_MAX;  // the current block
  size_t count_ = 0;         // its row count
  Vector shapes_of_rows_;    // the shapes of its rows, flat
  bool has_directory_ = false;
  Vector directory_bytes_;
  ReservoirDirectory directory_;
  std::unique_ptr<DocumentAssembly> assembly_;
};

}  // namespace scaup
