// Row groups to the file: column by column, compressed; then the metadata, which refers to the data by
// checksum.
#include "storage/table/row_group_writer.hpp"

#include <algorithm>

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

/// What the values of a segment take when they are flat, and what they take at most when they are compressed.
size_t FlatBytes(const FlatSegment& flat) {
  return flat.input.blocks.size() * kVectorSize * PhysicalSize(flat.input.type);
}
size_t CompressedBytes(const FlatSegment& flat) {
  size_t size_bytes = FlatBytes(flat);
  if (flat.input.type != PhysicalType::kString) return size_bytes;
  for (const auto& block : flat.input.blocks) {
    const auto* strings = reinterpret_cast<const StringRef*>(block.values);
    for (size_t row = 0; row < block.count; row++) {
      if (block.validity == nullptr || TestValid(block.validity, row)) size_bytes += strings[row].size();
    }
  }
  return size_bytes;
}

}  // namespace

RowGroupWriter::RowGroupWriter(std::shared_ptr<BlockStore> store, size_t separate_columns,
                               std::optional<Encoding> forced)
    : store_(std::move(store)),
      forced_(forced),
      data_(store_->file(), store_->memory(), separate_columns,
            separate_columns != 0 && separate_columns <= kMostSeparateColumns),
      pending_memory_(store_->memory()) {}

RowGroupWriter::PendingSegment RowGroupWriter::AddSegment(const RowGroup& row_group, size_t column,
                                                          const LogicalType& type) {
  const auto segment = row_group.column(column);
  MemoryReservation scratch(store_->memory());
  scratch.Resize(row_group.block_count() * kVectorSize * PhysicalSize(PhysicalTypeOf(type)));
  const FlatSegment flat = FlattenSegment(row_group, *segment, type);
  scratch.Resize(FlatBytes(flat) + CompressedBytes(flat));
  CompressedSegment compressed;
  compressed.encoding = Encoding::kConstant;
  bool keeps_nulls = false;  // Whether which values are NULL is for us to write.
  if (!flat.input.blocks.empty()) {
    compressed = CompressSegment(flat.input, forced_);
    const auto decoder = FindCompressionMethod(compressed.encoding)->Open(flat.input.type, compressed.header);
    keeps_nulls = !decoder->encodes_nulls();
  }
  const size_t header_bytes = compressed.header.size();
  if (header_bytes + compressed.bytes.size() + flat.input.blocks.size() * kStoredValidityBytes > UINT32_MAX) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               "a column has more than 4 GiB of data in 131072 rows");
  }
  PendingSegment pending;
  pending.metadata.encoding = compressed.encoding;
  pending.metadata.header_bytes = static_cast<uint32_t>(header_bytes);
  pending.metadata.zone = segment->zone();
  pending.begin = data_.Append(column, compressed.header);
  uint64_t end = 0;
  size_t input_block = 0;
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const ZoneMap& zone = segment->block_zone(block);
    if (zone.null_count != row_group.BlockRows(block)) {
      if (zone.null_count != 0 && keeps_nulls) {
        if (flat.input.blocks[input_block].validity == nullptr) {
          ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
                     "a column block has no NULLs where its zone map counts some");
        }
        data_.Append(column,
                     std::as_bytes(std::span(flat.input.blocks[input_block].validity, kValidityWords)));
        end += kStoredValidityBytes;
      }
      const uint32_t begin = input_block == 0 ? 0 : compressed.block_ends[input_block - 1];
      const uint32_t size_bytes = compressed.block_ends[input_block] - begin;
      data_.Append(column, std::span(compressed.bytes).subspan(begin, size_bytes));
      end += size_bytes;
      input_block++;
    }
    pending.metadata.blocks.push_back({static_cast<uint32_t>(end), zone});
  }
  pending.size_bytes = header_bytes + end;
  return pending;
}

void RowGroupWriter::Add(const RowGroup& row_group, const std::vector<LogicalType>& types, bool all_columns) {
  const auto* partly = all_columns ? nullptr : dynamic_cast<const PartlyStoredRowGroup*>(&row_group);
  PendingRowGroup pending;
  pending.row_count = static_cast<uint32_t>(row_group.row_count());
  pending.types = types;
  for (size_t i = 0; i < types.size(); i++) {
    if (partly == nullptr || partly->is_changed(i)) {
      pending.segments.push_back(AddSegment(row_group, i, types[i]));
    } else {
      const auto segment = std::static_pointer_cast<const StoredSegment>(row_group.column(i));
      pending.segments.push_back({.metadata = segment->metadata(), .is_kept = true});
    }
  }
  const size_t metadata_bytes =
      types.size() * (sizeof(PendingSegment) + row_group.block_count() * sizeof(SegmentMetadata::Block));
  pending_memory_.Resize(pending_memory_.size_bytes() + metadata_bytes);
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
      if (!segment.is_kept) segment.metadata.extents = data_.Locate(i, segment.begin, segment.size_bytes);
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
  pending_memory_.Reset();
  return stored;
}

}  // namespace scaup
