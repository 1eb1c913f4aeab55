// A segment in memory: blocks of plain values or of codes into a dictionary, ready for use.
#pragma once

#include <memory>
#include <vector>

#include "common/arena.hpp"
#include "storage/table/column_segment.hpp"
#include "vector/selection_vector.hpp"

namespace scaup {

/// How a block keeps its values.
enum class BlockEncoding : uint8_t {
  kFlat = 1,        ///< an array of values
  kDictionary = 2,  ///< positions in the segment's dictionary
};

/// Up to 1024 values of one column: what one vector of a scan refers to. Immutable.
struct ColumnBlock {
  BlockEncoding encoding = BlockEncoding::kFlat;
  std::unique_ptr<std::byte[]> data;  ///< kFlat
  SelectionRef codes;                 ///< kDictionary
  std::unique_ptr<ValidityWord[]>
      validity;  ///< null: no NULLs; kFlat only (a dictionary has an entry for NULL)
  ZoneMap zone;
};

/// Made by ColumnBuilder; immutable from then on. Shared by row groups that differ in their tail only.
class MemorySegment final : public ColumnSegment {
 public:
  explicit MemorySegment(PhysicalType type_in) : type(type_in) {}
  const ZoneMap& block_zone(size_t block) const override { return blocks[block]->zone; }
  std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const override;
  SegmentSummary Summarize() const override;
  /// Takes a block's zone into the segment's.
  void MergeZone(const ZoneMap& zone) { zone_.Merge(zone, type); }
  /// Makes `vector` refer to a block, without a copy, keeping the segment alive.
  void ReferenceBlock(size_t block, Vector& vector) const;

  PhysicalType type;
  std::vector<std::shared_ptr<const ColumnBlock>> blocks;
  /// Distinct values of a dictionary segment; an entry for NULL if one occurs.
  std::vector<StringRef> dictionary;
  std::vector<ValidityWord> dictionary_validity;  ///< empty: no NULLs
  /// Where the bytes of strings live; shared by segments that resume one another. Only the builder that
  /// resumes the newest of them, under the table's lock, adds to it; what is there never moves.
  std::shared_ptr<Arena> string_heap;
};

}  // namespace scaup
