// Encodes and decodes extents.
#include "storage/file/extent.hpp"

namespace scaup {

void WriteExtent(const Extent& extent, ByteWriter& writer) {
  writer.WriteU64(extent.block.block_id);
  writer.WriteU64(extent.block.checksum);
  writer.WriteU32(extent.block.size_bytes);
  writer.WriteU32(extent.offset);
  writer.WriteU32(extent.size_bytes);
}

Extent ReadExtent(ByteReader& reader) {
  Extent extent;
  extent.block.block_id = reader.ReadU64("block id");
  extent.block.checksum = reader.ReadU64("checksum of a block");
  extent.block.size_bytes = reader.ReadU32("size of a block");
  extent.offset = reader.ReadU32("offset in a block");
  extent.size_bytes = reader.ReadU32("size of an extent");
  // Compared by subtraction, since sums of damaged numbers could overflow.
  const bool fits = extent.size_bytes != 0 && extent.block.size_bytes <= kFileBlockBytes &&
                    extent.offset <= extent.block.size_bytes &&
                    extent.size_bytes <= extent.block.size_bytes - extent.offset;
  if (!fits) reader.Fail("extent", "it lies outside its block");
  return extent;
}

void WriteExtents(const Extents& extents, ByteWriter& writer) {
  writer.WriteVarint(extents.size());
  for (const Extent& extent : extents) WriteExtent(extent, writer);
}

Extents ReadExtents(ByteReader& reader) {
  Extents extents(reader.ReadCount("number of extents", kExtentBytes));
  for (Extent& extent : extents) extent = ReadExtent(reader);
  return extents;
}

}  // namespace scaup
