// Extents: where a run of bytes lies in the file.
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

/// A run of bytes of any length, as consecutive extents.
using Extents = std::vector<Extent>;

/// Encoded size of an extent: block id, checksum, used bytes of the block, offset, size.
inline constexpr size_t kExtentBytes = 28;
void WriteExtent(const Extent& extent, ByteWriter& writer);
/// Throws Error(kIo, XX001) for an extent outside its block.
Extent ReadExtent(ByteReader& reader);
void WriteExtents(const Extents& extents, ByteWriter& writer);
Extents ReadExtents(ByteReader& reader);

}  // namespace scaup
