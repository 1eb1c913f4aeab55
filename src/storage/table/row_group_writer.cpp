// Row groups to the file: column by column, compressed; then the metadata, which refers to the data by
// checksum.
#include "storage/table/row_group_writer.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// The values of a segment as compression wants them; blocks that are all NULL are left out.
struct FlatSegment {
  std::vector<Vector> vectors;  // Keep what `input` refers to.
  SegmentInput input;
};

FlatSegment FlattenSegment(const RowGroup& row_group, const ColumnSegment& segment, const LogicalType& type) {
  FlatSegment flat;
  flat.input.type = PhysicalTypeOf(type);
  const auto reader = segment.MakeReader(KernelsOf(BestKernelLevel()));
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    if (segment.block_zone(block).null_count == count) continue;
    Vector vector(type);
    reader->Read(block, count, vector);
    vector.Flatten(count);
    flat.input.blocks.push_back({vector.Data<std::byte>(), vector.Validity(), static_cast<uint32_t>(count)});
    flat.vectors.push_back(std::move(vector));
  }
  return flat;
}

void AppendBytes(std::span<const std::byte> bytes, std::vector<std::byte>& target) {
  target.insert(target.end(), bytes.begin(), bytes.end());
}

}  // namespace

RowGroupWriter::RowGroupWriter(std::shared_ptr<BlockStore> store, size_t separate_columns,
                               std::optional<Encoding> forced)
    : store_(std::move(store)),
      forced_(forced),
      data_(store_->file(), store_->memory(), separate_columns,
            separate_columns != 0 && separate_columns <= kMostSeparateColumns) {}

RowGroupWriter::PendingSegment RowGroupWriter::AddSegment(const RowGroup& row_group, size_t column,
                                                          const LogicalType& type) {
  const auto segment = row_group.column(column);
  const FlatSegment flat = FlattenSegment(row_group, *segment, type);
  CompressedSegment compressed;
  compressed.encoding = Encoding::kConstant;
  bool keeps_nulls = false;  // Whether which values are NULL is for us to write.
  if (!flat.input.blocks.empty()) {
    compressed = CompressSegment(flat.input, forced_);
    const auto decoder = FindCompressionMethod(compressed.encoding)->Open(flat.input.type, compressed.header);
    keeps_nulls = !decoder->encodes_nulls();
  }
  PendingSegment pending;
  pending.metadata.encoding = compressed.encoding;
  pending.metadata.header_bytes = static_cast<uint32_t>(compressed.header.size());
  pending.metadata.zone = segment->zone();
  std::vector<std::byte> bytes = std::move(compressed.header);
  size_t input_block = 0;
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const ZoneMap& zone = segment->block_zone(block);
    if (zone.null_count != row_group.BlockRows(block)) {
      if (zone.null_count != 0 && keeps_nulls) {
        if (flat.input.blocks[input_block].validity == nullptr) {
          ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
                     "a column block has no NULLs where its zone map counts some");
        }
        AppendBytes(std::as_bytes(std::span(flat.input.blocks[input_block].validity, kValidityWords)), bytes);
      }
      const uint32_t begin = input_block == 0 ? 0 : compressed.block_ends[input_block - 1];
      AppendBytes(std::span(compressed.bytes).subspan(begin, compressed.block_ends[input_block] - begin),
                  bytes);
      input_block++;
    }
    const auto end = static_cast<uint32_t>(bytes.size() - pending.metadata.header_bytes);
    pending.metadata.blocks.push_back({end, zone});
  }
  if (bytes.size() > UINT32_MAX) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               "a column has more than 4 GiB of data in 131072 rows");
  }
  pending.size_bytes = bytes.size();
  pending.begin = data_.Append(column, bytes);
  return pending;
}

void RowGroupWriter::Add(const RowGroup& row_group, const std::vector<LogicalType>& types) {
  PendingRowGroup pending;
  pending.row_count = static_cast<uint32_t>(row_group.row_count());
  pending.types = types;
  for (size_t i = 0; i < types.size(); i++) pending.segments.push_back(AddSegment(row_group, i, types[i]));
  pending_.push_back(std::move(pending));
}

std::vector<std::shared_ptr<const StoredRowGroup>> RowGroupWriter::Finish() {
  if (pending_.empty()) return {};
  data_.Finish();
  StreamWriter metadata(store_->file(), store_->memory(), 1, false);
  for (PendingRowGroup& row_group : pending_) {
    ByteWriter parts, ends;
    for (size_t i = 0; i < row_group.segments.size(); i++) {
      PendingSegment& segment = row_group.segments[i];
      segment.metadata.extents = data_.Locate(i, segment.begin, segment.size_bytes);
      segment.metadata.Write(PhysicalTypeOf(row_group.types[i]), parts);
      ends.WriteU32(static_cast<uint32_t>(parts.size()));
    }
    row_group.metadata_begin = metadata.Append(0, ends.bytes());
    metadata.Append(0, parts.bytes());
    row_group.metadata_bytes = ends.size() + parts.size();
  }
  metadata.Finish();
  std::vector<std::shared_ptr<const StoredRowGroup>> stored;
  for (PendingRowGroup& row_group : pending_) {
    StoredRowGroupPointer pointer;
    pointer.row_count = row_group.row_count;
    pointer.metadata = metadata.Locate(0, row_group.metadata_begin, row_group.metadata_bytes);
    for (const Extent& extent : pointer.metadata) pointer.block_ids.push_back(extent.block.block_id);
    for (const PendingSegment& segment : row_group.segments) {
      for (const Extent& extent : segment.metadata.extents)
        pointer.block_ids.push_back(extent.block.block_id);
    }
    std::sort(pointer.block_ids.begin(), pointer.block_ids.end());
    pointer.block_ids.erase(std::unique(pointer.block_ids.begin(), pointer.block_ids.end()),
                            pointer.block_ids.end());
    stored.push_back(std::make_shared<const StoredRowGroup>(store_, row_group.types, std::move(pointer)));
  }
  pending_.clear();
  return stored;
}

}  // namespace scaup
