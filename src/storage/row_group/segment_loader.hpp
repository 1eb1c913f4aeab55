// How a stored row group gets the segments of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/row_group/column_segment.hpp"

namespace scaup {

/// The metadata of one column of a row group as the file has it.
struct StoredColumn {
  const std::shared_ptr<BlockStore>& store;
  const LogicalType& type;
  uint32_t row_count;
  std::vector<std::byte> metadata;
  const std::vector<uint64_t>&
      block_ids;  ///< of the row group, ascending: the column's blocks are among them
};

/// A segment, and how many bytes of memory it takes.
struct LoadedSegment {
  std::shared_ptr<const ColumnSegment> segment;
  size_t size_bytes = 0;
};

/// Makes the segment whose class the encoding in `column.metadata` asks for. Row groups are given it, so that
/// they need not know the classes of segments: segment_encodings.hpp has the one for all encodings. Throws
/// Error(kIo, XX001).
using SegmentLoader = LoadedSegment (*)(StoredColumn column);

/// Throws Error(kIo, XX001) for a place in a block that is not among `block_ids`, which ascend: somebody else
/// may be given that block. `path`: of the file, for the message.
void CheckAreHeld(const Extents& extents, std::span<const uint64_t> block_ids, const std::string& path);

}  // namespace scaup
