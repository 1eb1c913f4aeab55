// Writes row groups: compressed columns first, then metadata that refers to them by checksum.
#include "storage/compaction/row_group_writer.hpp"

#include <algorithm>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "document/document_shredder.hpp"
#include "document/value_conversion.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/shredded/segment_encodings.hpp"
#include "storage/snapshot/table_columns.hpp"

namespace scaup {

namespace {

/// The values of a segment in the form that compression expects, without blocks that are all NULL.
struct FlatSegment {
  std::vector<Vector> vectors;  // own what `input` refers to
  SegmentInput input;
};

FlatSegment FlattenSegment(const RowGroup& row_group, const ColumnSegment& segment, const LogicalType& type) {
  FlatSegment flat;
  flat.input.type = PhysicalTypeOf(type);
  const auto reader = segment.MakeReader(KernelsOf(BestKernelLevel()));
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    // Such a block needs no bytes: its zone map says that it is all NULL.
    if (segment.block_zone(block).null_count == count) continue;
    Vector vector(type);
    reader->Read(block, count, vector);
    vector.Flatten(count);
    flat.input.blocks.push_back({vector.Data<std::byte>(), vector.Validity(), static_cast<uint32_t>(count)});
    flat.vectors.push_back(std::move(vector));
  }
  return flat;
}

/// The size of the flat values of a segment, and an upper bound of their compressed size.
size_t FlatBytes(const SegmentInput& input) {
  return input.blocks.size() * kVectorSize * PhysicalSize(input.type);
}
size_t CompressedBytes(const SegmentInput& input) {
  size_t size_bytes = FlatBytes(input);
  if (input.type != PhysicalType::kString) return size_bytes;
  for (const auto& block : input.blocks) {
    const auto* strings = reinterpret_cast<const StringRef*>(block.values);
    for (size_t row = 0; row < block.count; row++) {
      if (block.validity == nullptr || TestValid(block.validity, row)) size_bytes += strings[row].size();
    }
  }
  return size_bytes;
}

/// Fewer documents than this stay records.
constexpr size_t kLeastShreddedRows = kVectorSize;
/// At most this many attribute columns are in memory at once; fewer if they would take much of it.
constexpr size_t kColumnsAtOnce = 32;

size_t ColumnsAtOnce(const MemoryTracker& memory, size_t row_count) {
  return std::clamp<size_t>(MostRowGroupBytes(memory) / (row_count * sizeof(StringRef)), 1, kColumnsAtOnce);
}

bool AreSeparate(size_t columns, const MemoryTracker& memory) {
  return columns != 0 && columns <= RowGroupWriter::kMostSeparateColumns &&
         columns * kFileBlockBytes <= MostRowGroupBytes(memory);
}

constexpr size_t kDocumentStream = kRecordColumn;

/// Splits `count` consecutive values into blocks. `validity` is null if all values are valid.
template <typename T>
SegmentInput BlocksOf(PhysicalType type, const T* values, const ValidityWord* validity, size_t count) {
  SegmentInput input{.type = type, .blocks = {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(values);
  for (size_t first = 0; first < count; first += kVectorSize) {
    input.blocks.push_back({bytes + first * PhysicalSize(type),
                            validity == nullptr ? nullptr : validity + first / 64,
                            static_cast<uint32_t>(std::min(kVectorSize, count - first))});
  }
  return input;
}

}  // namespace

RowGroupWriter::RowGroupWriter(std::shared_ptr<BlockStore> store, size_t separate_columns,
                               std::optional<Encoding> forced)
    : store_(std::move(store)),
      forced_(forced),
      data_(store_->file(), store_->memory(), separate_columns,
            AreSeparate(separate_columns, store_->memory())),
      pending_memory_(store_->memory()) {}

RowGroupWriter::PendingSegment RowGroupWriter::AddSegment(const RowGroup& row_group, size_t column,
                                                          const LogicalType& type) {
  const auto segment = row_group.column(column);
  MemoryReservation scratch(store_->memory());
  // First the flat values are accounted, before they are decoded; then also what compression may need.
  scratch.Resize(row_group.block_count() * kVectorSize * PhysicalSize(PhysicalTypeOf(type)));
  const FlatSegment flat = FlattenSegment(row_group, *segment, type);
  scratch.Resize(FlatBytes(flat.input) + CompressedBytes(flat.input));
  std::vector<ZoneMap> block_zones;
  for (size_t block = 0; block < row_group.block_count(); block++) {
    block_zones.push_back(segment->block_zone(block));
    block_zones.back().row_count = static_cast<uint32_t>(row_group.BlockRows(block));
  }
  return AppendSegment(column, flat.input, segment->zone(), block_zones);
}

RowGroupWriter::PendingSegment RowGroupWriter::AppendSegment(size_t stream, const SegmentInput& input,
                                                             const ZoneMap& zone,
                                                             const std::vector<ZoneMap>& block_zones) {
  CompressedSegment compressed;
  compressed.encoding = Encoding::kConstant;
  bool keeps_nulls = false;  // we must write which values are NULL
  if (!input.blocks.empty()) {
    compressed = CompressSegment(input, forced_);
    // Some encodings store NULLs themselves, so the validity mask need not be written as well.
    const auto decoder = FindCompressionMethod(compressed.encoding)->Open(input.type, compressed.header);
    keeps_nulls = !decoder->encodes_nulls();
  }
  const size_t header_bytes = compressed.header.size();
  // Offsets in segment metadata have 32 bits.
  if (header_bytes + compressed.bytes.size() + input.blocks.size() * kStoredValidityBytes > UINT32_MAX) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
               "a column has more than 4 GiB of data in 131072 rows");
  }
  PendingSegment pending;
  pending.metadata.encoding = compressed.encoding;
  pending.metadata.header_bytes = static_cast<uint32_t>(header_bytes);
  pending.metadata.zone = zone;
  pending.begin = data_.Append(stream, compressed.header);
  uint64_t end = 0;
  size_t input_block = 0;
  for (const ZoneMap& block_zone : block_zones) {
    if (block_zone.null_count != block_zone.row_count) {
      if (block_zone.null_count != 0 && keeps_nulls) {
        // A damaged file can lead here, when one of its columns is written again.
        if (input.blocks[input_block].validity == nullptr) {
          ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
                     "a column block has no NULLs where its zone map counts some");
        }
        data_.Append(stream, std::as_bytes(std::span(input.blocks[input_block].validity, kValidityWords)));
        end += kStoredValidityBytes;
      }
      const uint32_t begin = input_block == 0 ? 0 : compressed.block_ends[input_block - 1];
      const uint32_t size_bytes = compressed.block_ends[input_block] - begin;
      data_.Append(stream, std::span(compressed.bytes).subspan(begin, size_bytes));
      end += size_bytes;
      input_block++;
    }
    pending.metadata.blocks.push_back({static_cast<uint32_t>(end), block_zone});
  }
  pending.size_bytes = header_bytes + end;
  return pending;
}

RowGroupWriter::PendingSegment RowGroupWriter::AddValues(SegmentInput input) {
  MemoryReservation scratch(store_->memory());
  scratch.Resize(CompressedBytes(input));
  ZoneMap zone;
  std::vector<ZoneMap> block_zones;
  for (const SegmentInput::Block& block : input.blocks) {
    block_zones.push_back(ComputeZoneMap(input.type, block.values, block.validity, block.count));
    zone.Merge(block_zones.back(), input.type);
  }
  // Blocks that are all NULL are removed in place; a mask without NULLs is dropped.
  size_t kept = 0;
  for (size_t block = 0; block < block_zones.size(); block++) {
    if (block_zones[block].null_count == block_zones[block].row_count) continue;
    input.blocks[kept] = input.blocks[block];
    if (block_zones[block].null_count == 0) input.blocks[kept].validity = nullptr;
    kept++;
  }
  input.blocks.resize(kept);
  return AppendSegment(kDocumentStream, input, zone, block_zones);
}

RowGroupWriter::PendingSegment RowGroupWriter::AddStrings(const std::vector<std::string>& strings) {
  std::vector<StringRef> values(strings.begin(), strings.end());
  return AddValues(BlocksOf(PhysicalType::kString, values.data(), nullptr, values.size()));
}

std::optional<RowGroupWriter::PendingColumn> RowGroupWriter::AddDocuments(const RowGroup& row_group,
                                                                          const TableLayout& layout,
                                                                          AttributeStatistics* statistics) {
  const auto segment = row_group.column(kRecordColumn);
  // A few documents are not worth the metadata of many columns, and NULLs have no place among shapes.
  if (row_group.row_count() < kLeastShreddedRows || segment->zone().null_count != 0) return std::nullopt;
  MemoryReservation scratch(store_->memory());
  scratch.Resize(row_group.block_count() * kVectorSize * sizeof(StringRef));
  const FlatSegment records = FlattenSegment(row_group, *segment, TypeId::kBlob);
  DocumentShredder shredder(*layout.attributes, layout.policy);
  // Three passes: collect the shapes, decide which attributes get columns, then write.
  for (const auto& block : records.input.blocks)
    shredder.Add(reinterpret_cast<const StringRef*>(block.values), block.count);
  shredder.Analyze();

  PendingColumn pending;
  DocumentMetadata& documents = pending.documents.emplace();
  documents.policy = layout.policy;
  documents.shape_count = shredder.shapes().size();
  std::vector<std::string> shapes;
  for (ShapeId shape = 0; shape < documents.shape_count; shape++)
    shapes.push_back(shredder.shapes().Encode(shape));
  pending.segments.push_back(AddStrings(shapes));
  pending.segments.push_back(AddValues(
      BlocksOf(PhysicalType::kInt32, shredder.shapes_of_rows().data(), nullptr, shredder.row_count())));
  // The reservoir holds the attributes that get no column of their own. Its scope ends before the columns are
  // made.
  {
    scratch.Resize(2 * FlatBytes(records.input) + CompressedBytes(records.input));
    const Reservoir reservoir = shredder.MakeReservoir();
    documents.value_count = reservoir.values.size();
    if (statistics != nullptr) statistics->AddReservoir(reservoir, *layout.attributes);
    pending.segments.push_back(AddStrings(reservoir.directory));
    pending.segments.push_back(AddValues(
        BlocksOf(PhysicalType::kString, reservoir.values.data(), nullptr, reservoir.values.size())));
  }
  // Columns are made in groups, so that documents with many attributes do not need memory for all at once.
  const size_t column_count = shredder.physical().size();
  const size_t at_once = ColumnsAtOnce(store_->memory(), row_group.row_count());
  for (size_t begin = 0; begin < column_count; begin += at_once) {
    const size_t end = std::min(column_count, begin + at_once);
    scratch.Resize((end - begin) * row_group.row_count() * sizeof(StringRef));
    for (const PhysicalAttribute& column : shredder.MakeColumns(begin, end)) {
      documents.physical.push_back({column.id, column.type});
      pending.segments.push_back(
          AddValues(BlocksOf(PhysicalTypeOf(OwnTypeOf(column.type)), column.values.data(),
                             column.validity.data(), shredder.row_count())));
      if (statistics != nullptr) statistics->AddColumn(column, pending.segments.back().metadata.zone);
    }
  }
  if (statistics != nullptr) statistics->AddCounts(shredder.row_count(), shredder.counts());
  return pending;
}

void RowGroupWriter::Add(const RowGroup& row_group, const TableLayout& layout, bool all_columns,
                         AttributeStatistics* statistics) {
  const auto* partly = all_columns ? nullptr : dynamic_cast<const PartlyStoredRowGroup*>(&row_group);
  const std::vector<LogicalType>& types = layout.types;
  PendingRowGroup pending;
  pending.row_count = static_cast<uint32_t>(row_group.row_count());
  pending.types = types;
  size_t segment_count = 0;
  for (size_t i = 0; i < types.size(); i++) {
    // Compression takes long enough for the user to notice.
    RunningCall::CheckInterrupt();
    // In a collection only the record column is shredded.
    std::optional<PendingColumn> documents;
    if (layout.attributes != nullptr && i == kRecordColumn) {
      documents = AddDocuments(row_group, layout, statistics);
      if (!documents && statistics != nullptr) statistics->AddRowGroup(row_group, *layout.attributes);
    }
    if (documents) {
      pending.columns.push_back(std::move(*documents));
    } else if (partly == nullptr || partly->is_changed(i)) {
      pending.columns.push_back({i, {AddSegment(row_group, i, types[i])}, {}});
    } else {
      // This column did not change since the last checkpoint: its segment is referenced instead of written.
      const auto segment = std::static_pointer_cast<const StoredSegment>(row_group.column(i));
      pending.columns.push_back({i, {{.metadata = segment->metadata(), .is_kept = true}}, {}});
    }
    segment_count += pending.columns.back().segments.size();
  }
  // Metadata is accounted until Finish, as a large load has many row groups.
  const size_t metadata_bytes =
      segment_count * (sizeof(PendingSegment) + row_group.block_count() * sizeof(SegmentMetadata::Block));
  pending_memory_.Resize(pending_memory_.size_bytes() + metadata_bytes);
  pending_.push_back(std::move(pending));
}

std::vector<std::shared_ptr<const StoredRowGroup>> RowGroupWriter::Finish() {
  if (pending_.empty()) return {};
  // Data first: its blocks must have been written before metadata can name their checksums.
  data_.Finish();
  StreamWriter metadata(store_->file(), store_->memory(), 1, false);
  for (PendingRowGroup& row_group : pending_) {
    ByteWriter parts, ends;
    for (size_t i = 0; i < row_group.columns.size(); i++) {
      PendingColumn& column = row_group.columns[i];
      for (PendingSegment& segment : column.segments) {
        if (!segment.is_kept)
          segment.metadata.extents = data_.Locate(column.stream, segment.begin, segment.size_bytes);
      }
      if (column.documents) {
        for (const PendingSegment& segment : column.segments)
          column.documents->parts.push_back(segment.metadata);
        column.documents->Write(parts);
      } else {
        column.segments.front().metadata.Write(PhysicalTypeOf(row_group.types[i]), parts);
      }
      // The ends allow a reader to load the metadata of one column alone.
      ends.WriteU32(static_cast<uint32_t>(parts.size()));
    }
    row_group.metadata_begin = metadata.Append(0, ends.bytes());
    metadata.Append(0, parts.bytes());
    row_group.metadata_bytes = ends.size() + parts.size();
  }
  metadata.Finish();
  // The metadata's own location is known only after it has been written.
  std::vector<std::shared_ptr<const StoredRowGroup>> stored;
  for (PendingRowGroup& row_group : pending_) {
    StoredRowGroupPointer pointer;
    pointer.row_count = row_group.row_count;
    pointer.metadata = metadata.Locate(0, row_group.metadata_begin, row_group.metadata_bytes);
    for (const Extent& extent : pointer.metadata) pointer.block_ids.push_back(extent.block.block_id);
    for (const PendingColumn& column : row_group.columns) {
      for (const PendingSegment& segment : column.segments) {
        for (const Extent& extent : segment.metadata.extents)
          pointer.block_ids.push_back(extent.block.block_id);
      }
    }
    // Columns share blocks, so ids repeat.
    std::sort(pointer.block_ids.begin(), pointer.block_ids.end());
    pointer.block_ids.erase(std::unique(pointer.block_ids.begin(), pointer.block_ids.end()),
                            pointer.block_ids.end());
    stored.push_back(
        std::make_shared<const StoredRowGroup>(store_, row_group.types, std::move(pointer), &LoadSegment));
  }
  pending_.clear();
  pending_memory_.Reset();
  return stored;
}

}  // namespace scaup
