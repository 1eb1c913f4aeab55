// How a stored row group loads the segments of its columns.
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

/// The stored metadata of one column of a row group.
struct StoredColumn {
  const std::shared_ptr<BlockStore>& store;
  const LogicalType& type;
  uint32_t row_count;
  std::vector<std::byte> metadata;
  const std::vector<uint64_t>& block_ids;  ///< of the row group, ascending; include the column's
};

/// A segment, and the bytes of memory that it takes.
struct LoadedSegment {
  std::shared_ptr<const ColumnSegment> segment;
  size_t size_bytes = 0;
};

/// Makes a segment of the class that the encoding in `column.metadata` asks for. Row groups get this function
/// as a parameter, so that they need not know the classes of segments. segment_encodings.hpp has the one for
/// all encodings. Throws Error(kIo, XX001).
using SegmentLoader = LoadedSegment (*)(StoredColumn column);

/// Throws Error(kIo, XX001) if an extent lies in a block that is not among `block_ids`, which ascend. Such a
/// block could be reused. `path` is the file's, for the message.
void CheckAreHeld(const Extents& extents, std::span<const uint64_t> block_ids, const std::string& path);

}  // namespace scaup
