// Encodes and decodes the metadata of stored segments.
#include "storage/row_group/row_group.hpp"
#include "storage/row_group/stored_segment.hpp"

namespace scaup {

void SegmentMetadata::Write(PhysicalType type, ByteWriter& writer) const {
  writer.WriteU8(static_cast<uint8_t>(encoding));
  writer.WriteVarint(header_bytes);
  WriteExtents(extents, writer);
  WriteZoneMap(zone, type, writer);
  // Sizes instead of ends, as they are shorter in the variable-length format.
  uint32_t begin = 0;
  for (const Block& block : blocks) {
    writer.WriteVarint(block.end - begin);
    WriteZoneMap(block.zone, type, writer);
    begin = block.end;
  }
}

SegmentMetadata SegmentMetadata::Read(PhysicalType type, uint32_t row_count, ByteReader& reader) {
  SegmentMetadata metadata;
  metadata.encoding = static_cast<Encoding>(reader.ReadU8("encoding"));
  const uint64_t header_bytes = reader.ReadVarint("size of a segment's header");
  metadata.extents = ReadExtents(reader);
  uint64_t total = 0;
  for (const Extent& extent : metadata.extents) total += extent.size_bytes;
  // The sum cannot overflow 64 bits: the extents are 32-bit sizes, and their number is bounded by the input.
  if (header_bytes > total || total > UINT32_MAX) reader.Fail("segment", "its parts do not fit its size");
  metadata.header_bytes = static_cast<uint32_t>(header_bytes);
  metadata.zone = ReadZoneMap(type, row_count, reader);
  metadata.blocks.resize((row_count + kVectorSize - 1) / kVectorSize);
  uint64_t end = 0;
  for (size_t i = 0; i < metadata.blocks.size(); i++) {
    const uint64_t size_bytes = reader.ReadVarint("size of a column block");
    // Compared by subtraction, since sums of damaged numbers could overflow.
    if (size_bytes > total - header_bytes - end) reader.Fail("column block", "it ends after its segment");
    end += size_bytes;
    metadata.blocks[i].end = static_cast<uint32_t>(end);
    const uint32_t rows = static_cast<uint32_t>(std::min<uint64_t>(kVectorSize, row_count - i * kVectorSize));
    metadata.blocks[i].zone = ReadZoneMap(type, rows, reader);
  }
  return metadata;
}

}  // namespace scaup
