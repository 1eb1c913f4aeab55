// Where a run of bytes lies in the file: parts of blocks, one after the other.
#pragma once

#include <vector>

#include "common/byte_stream.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

/// Bytes [offset, offset + size_bytes) of a block.
struct Extent {
  BlockPointer block;
  uint32_t offset = 0;
  uint32_t size_bytes = 0;
};

/// A run of bytes of any length.
using Extents = std::vector<Extent>;

/// In the file: block id, checksum, used bytes of the block, offset, size; 28 bytes.
inline constexpr size_t kExtentBytes = 28;
void WriteExtent(const Extent& extent, ByteWriter& writer);
/// Throws Error(kIo, XX001) for an extent that cannot be.
Extent ReadExtent(ByteReader& reader);
void WriteExtents(const Extents& extents, ByteWriter& writer);
Extents ReadExtents(ByteReader& reader);

}  // namespace scaup
