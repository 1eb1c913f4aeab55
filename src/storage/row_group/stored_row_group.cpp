// Stored row groups: pointers, and loading of column metadata.
#include "storage/row_group/stored_row_group.hpp"

namespace scaup {

void StoredRowGroupPointer::Write(ByteWriter& writer) const {
  writer.WriteVarint(row_count);
  WriteExtents(metadata, writer);
  writer.WriteVarint(block_ids.size());
  // Block ids ascend, so their differences are short in the variable-length format.
  uint64_t previous = 0;
  for (const uint64_t block_id : block_ids) {
    writer.WriteVarint(block_id - previous);
    previous = block_id;
  }
}

StoredRowGroupPointer StoredRowGroupPointer::Read(ByteReader& reader) {
  StoredRowGroupPointer pointer;
  const uint64_t row_count = reader.ReadVarint("rows of a row group");
  if (row_count == 0 || row_count > kRowsPerRowGroup)
    reader.Fail("row group", "its number of rows cannot be");
  pointer.row_count = static_cast<uint32_t>(row_count);
  pointer.metadata = ReadExtents(reader);
  pointer.block_ids.resize(reader.ReadCount("blocks of a row group", 1));
  uint64_t previous = 0;
  for (uint64_t& block_id : pointer.block_ids) {
    block_id = previous + reader.ReadVarint("block id");
    if (block_id < previous) reader.Fail("block id", "it is too large");
    previous = block_id;
  }
  return pointer;
}

StoredRowGroup::StoredRowGroup(std::shared_ptr<BlockStore> store, std::vector<LogicalType> types,
                               StoredRowGroupPointer pointer, SegmentLoader load_segment)
    : RowGroup(pointer.row_count),
      store_(std::move(store)),
      types_(std::move(types)),
      pointer_(std::move(pointer)),
      load_segment_(load_segment),
      columns_(types_.size()) {
  // Checked before the blocks are held: a damaged id would extend the file's block list.
  store_->file().CheckBlockIds(pointer_.block_ids);
  CheckAreHeld(pointer_.metadata, pointer_.block_ids, store_->file().path());
  for (const uint64_t block_id : pointer_.block_ids)
    holds_.push_back(store_->file().allocator().Hold(block_id));
}

StoredRowGroup::~StoredRowGroup() { store_->metadata().Drop(columns_); }

std::shared_ptr<const ColumnSegment> StoredRowGroup::column(size_t index) const {
  MetadataCache& cache = store_->metadata();
  auto loaded = cache.Find(columns_[index]);
  if (loaded == nullptr) {
    // Loaded without a lock. If two threads load the same column, the first result is cached.
    auto [segment, size_bytes] = Load(index);
    loaded = cache.Keep(columns_[index], std::move(segment), size_bytes);
  }
  return std::static_pointer_cast<const ColumnSegment>(std::move(loaded));
}

LoadedSegment StoredRowGroup::Load(size_t index) const {
  const std::string& path = store_->file().path();
  // A column's part begins where the part before it ends.
  const uint64_t directory_bytes = 4 * types_.size();
  const size_t first = index == 0 ? 0 : 4 * (index - 1);
  const auto ends = store_->Read(pointer_.metadata, first, index == 0 ? 4 : 8);
  ByteReader end_reader(ends, path);
  const uint64_t begin = index == 0 ? 0 : end_reader.ReadU32("place of a column's metadata");
  const uint64_t end = end_reader.ReadU32("place of a column's metadata");
  if (end < begin) end_reader.Fail("place of a column's metadata", "it ends before it begins");
  auto bytes = store_->Read(pointer_.metadata, directory_bytes + begin, end - begin);
  return load_segment_({store_, types_[index], pointer_.row_count, std::move(bytes), pointer_.block_ids});
}

}  // namespace scaup
