// Folding versions into row groups.
#include "storage/compaction/row_group_compaction.hpp"

#include <algorithm>

#include "storage/compaction/row_group_writer.hpp"
#include "storage/row_group/column_builder.hpp"
#include "storage/row_group/row_group_size.hpp"
#include "storage/snapshot/row_patch.hpp"

namespace scaup {

namespace {

/// So many blocks in a row without rows, or those at an end of a row group, are worth leaving out.
constexpr size_t kLeastDeadBlocks = 8;

}  // namespace

RowGroupChanges FindChanges(const TableVersions& versions, RowRange rows) {
  RowGroupChanges changes;
  for (const auto& [row, block] : versions.Blocks(rows.begin, rows.end)) {
    const RowNumber begin = std::max(rows.begin, row), end = std::min(rows.end, row + kVectorSize);
    std::lock_guard lock(block->mutex);
    changes.dirty_values += block->CountDirty(begin - row, end - row, changes.columns);
    changes.has_deleted |= block->has_deleted();
  }
  std::sort(changes.columns.begin(), changes.columns.end());
  return changes;
}

std::shared_ptr<const MemorySegment> RowGroupCompactor::CompactColumn(const RowGroup& row_group,
                                                                      RowNumber first, size_t column,
                                                                      MemoryReservation& reservation) {
  const LogicalType& type = types_[column];
  ColumnBuilder builder(type, memory_);
  VersionReader version_reader(versions_, reader_);
  RowPatch patch(type);
  const auto reader = row_group.column(column)->MakeReader(KernelsOf(BestKernelLevel()));
  const size_t reserved = reservation.size_bytes();
  Vector values(type);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    values.Release();
    reader->Read(block, count, values);
    if (version_reader.Seek(first + block * kVectorSize, count)) {
      version_reader.Read(static_cast<uint32_t>(column), patch);
      ApplyPatch(patch, count, values);
    }
    builder.Append(values, count, 0, count);
    builder.CloseBlock(nullptr);
    reservation.Resize(reserved + builder.size_bytes());
    if (builder.heap_bytes() >= MostHeapBytes(memory_)) return nullptr;
  }
  return builder.Finish();
}

void RowGroupCompactor::CompactAll(const RowGroup& row_group, RowNumber first, BlockRange blocks,
                                   const PartSink& sink) {
  RowGroupBuilder builder(types_, memory_);
  VersionReader version_reader(versions_, reader_);
  std::vector<std::unique_ptr<SegmentReader>> readers;
  std::vector<RowPatch> patches;
  for (size_t i = 0; i < types_.size(); i++) {
    readers.push_back(row_group.column(i)->MakeReader(KernelsOf(BestKernelLevel())));
    patches.emplace_back(types_[i]);
  }
  RowNumber next = first + blocks.begin * kVectorSize;
  const auto hand_over = [&] {
    for (auto& part : builder.TakeFinished()) {
      const size_t row_count = part->row_count();
      sink({next, std::move(part)});
      next += row_count;
    }
  };
  DataChunk chunk(types_);
  for (size_t block = blocks.begin; block < blocks.end; block++) {
    chunk.Release();
    const size_t count = row_group.BlockRows(block);
    const bool has_versions = version_reader.Seek(first + block * kVectorSize, count);
    for (size_t i = 0; i < types_.size(); i++) {
      readers[i]->Read(block, count, chunk.column(i));
      if (!has_versions) continue;
      version_reader.Read(static_cast<uint32_t>(i), patches[i]);
      ApplyPatch(patches[i], count, chunk.column(i));
    }
    chunk.SetSize(count);
    builder.Append(chunk);
    hand_over();
  }
  builder.Finish();
  hand_over();
}

std::optional<std::vector<std::shared_ptr<const MemorySegment>>> RowGroupCompactor::CompactColumns(
    const RowGroup& row_group, RowNumber first, const RowGroupChanges& changes,
    MemoryReservation& reservation) {
  std::vector<std::shared_ptr<const MemorySegment>> columns(types_.size());
  for (const uint32_t column : changes.columns) {
    columns[column] = CompactColumn(row_group, first, column, reservation);
    if (!columns[column] || reservation.size_bytes() >= MostRowGroupBytes(memory_)) return std::nullopt;
  }
  return columns;
}

std::vector<CompactedPart> RowGroupCompactor::Compact(const std::shared_ptr<const RowGroup>& row_group,
                                                      RowNumber first, const RowGroupChanges& changes) {
  std::vector<CompactedPart> parts;
  Compact(row_group, first, changes, [&](CompactedPart part) { parts.push_back(std::move(part)); });
  return parts;
}

void RowGroupCompactor::Split(const RowGroup& row_group, RowNumber first, const PartSink& sink) {
  CompactAll(row_group, first, {0, row_group.block_count()}, sink);
}

void RowGroupCompactor::Compact(const std::shared_ptr<const RowGroup>& row_group, RowNumber first,
                                const RowGroupChanges& changes, const PartSink& sink) {
  if (auto compacted = CompactInOne(row_group, first, changes)) return sink({first, std::move(compacted)});
  CompactAll(*row_group, first, {0, row_group->block_count()}, sink);
}

std::shared_ptr<const RowGroup> RowGroupCompactor::CompactInOne(
    const std::shared_ptr<const RowGroup>& row_group, RowNumber first, const RowGroupChanges& changes) {
  MemoryReservation reservation(memory_);
  if (auto stored = std::dynamic_pointer_cast<const StoredRowGroup>(row_group)) {
    // Small ones share blocks of the file with others: these are packed anew.
    if (!RowGroupWriter::IsLarge(*stored, types_.size(), memory_) || changes.columns.size() == types_.size())
      return nullptr;
    auto columns = CompactColumns(*row_group, first, changes, reservation);
    if (!columns) return nullptr;
    return std::make_shared<const PartlyStoredRowGroup>(std::move(stored), std::move(*columns),
                                                        std::move(reservation));
  }
  const auto in_memory = std::dynamic_pointer_cast<const MemoryRowGroup>(row_group);
  if (!in_memory) return nullptr;
  size_t shared_bytes = 0;
  for (size_t i = 0; i < types_.size(); i++) {
    if (!std::binary_search(changes.columns.begin(), changes.columns.end(), i))
      shared_bytes += in_memory->memory_column(i)->size_bytes;
  }
  // What is shared is accounted with each of those who share it: the other one goes sooner.
  reservation.Resize(shared_bytes);
  auto columns = CompactColumns(*row_group, first, changes, reservation);
  if (!columns) return nullptr;
  for (size_t i = 0; i < types_.size(); i++) {
    if (!(*columns)[i]) (*columns)[i] = in_memory->memory_column(i);
  }
  return std::make_shared<const MemoryRowGroup>(
      std::move(*columns), row_group->row_count(),
      std::make_shared<SharedReservation>(std::move(reservation), row_group->row_count()));
}

std::vector<RowGroupCompactor::BlockRange> RowGroupCompactor::LiveBlocks(const RowGroup& row_group,
                                                                         RowNumber first) {
  std::vector<BlockRange> live;
  VersionReader version_reader(versions_, reader_);
  const size_t block_count = row_group.block_count();
  for (size_t block = 0; block < block_count; block++) {
    const size_t count = row_group.BlockRows(block);
    uint8_t mask[kVectorSize] = {};
    const bool is_dead = version_reader.Seek(first + block * kVectorSize, count) &&
                         version_reader.ReadDeleted(mask) && std::find(mask, mask + count, 0) == mask + count;
    if (is_dead) continue;
    const bool is_near = !live.empty() && block - live.back().end < kLeastDeadBlocks;
    if (is_near) {
      live.back().end = block + 1;
    } else {
      live.push_back({block, block + 1});
    }
  }
  return live;
}

std::optional<std::vector<CompactedPart>> RowGroupCompactor::CompactLiveBlocks(const RowGroup& row_group,
                                                                               RowNumber first) {
  const std::vector<BlockRange> live = LiveBlocks(row_group, first);
  size_t live_count = 0;
  for (const BlockRange& range : live) live_count += range.end - range.begin;
  if (live_count * 2 > row_group.block_count()) return std::nullopt;
  std::vector<CompactedPart> parts;
  for (const BlockRange& range : live) {
    CompactAll(row_group, first, range, [&](CompactedPart part) { parts.push_back(std::move(part)); });
  }
  return parts;
}

void RowGroupCompactor::AddDeletedRows(RowNumber first, uint64_t count, std::vector<RowNumber>& deleted) {
  VersionReader version_reader(versions_, reader_);
  for (uint64_t offset = 0; offset < count; offset += kVectorSize) {
    const size_t rows = std::min<uint64_t>(kVectorSize, count - offset);
    uint8_t mask[kVectorSize] = {};
    if (!version_reader.Seek(first + offset, rows) || !version_reader.ReadDeleted(mask)) continue;
    for (size_t row = 0; row < rows; row++) {
      if (mask[row] != 0) deleted.push_back(first + offset + row);
    }
  }
}

std::vector<RowNumber> DeletedRows(const std::shared_ptr<const TableVersions>& versions,
                                   const ReadView& reader, const TableSnapshot& snapshot,
                                   const std::vector<LogicalType>& types, MemoryTracker& memory) {
  RowGroupCompactor compactor(versions, reader, types, memory);
  std::vector<RowNumber> deleted;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++)
    compactor.AddDeletedRows(snapshot.first_rows[i], snapshot.row_groups[i]->row_count(), deleted);
  return deleted;
}

uint64_t CompactVersions(const TableSnapshot& snapshot, const std::shared_ptr<const TableVersions>& versions,
                         const ReadView& reader, const std::vector<LogicalType>& types, MemoryTracker& memory,
                         const RowGroupCompactor::PartSink& sink) {
  const bool has_versions = versions->has_blocks();
  RowGroupCompactor compactor(versions, reader, types, memory);
  uint64_t deleted_count = has_versions ? 0 : snapshot.deleted_count;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
    const auto& row_group = snapshot.row_groups[i];
    const RowNumber first = snapshot.first_rows[i];
    const uint64_t row_count = row_group->row_count();
    if (!has_versions) {
      sink({first, row_group});
      continue;
    }
    std::vector<RowNumber> deleted;
    compactor.AddDeletedRows(first, row_count, deleted);
    if (deleted.size() == row_count) continue;
    deleted_count += deleted.size();
    const RowGroupChanges changes = FindChanges(*versions, {first, first + row_count});
    if (changes.dirty_values == 0) {
      sink({first, row_group});
    } else {
      compactor.Compact(row_group, first, changes, sink);
    }
  }
  return deleted_count;
}

TableSnapshot CompactVersions(const TableSnapshot& snapshot,
                              const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                              const std::vector<LogicalType>& types, MemoryTracker& memory) {
  TableSnapshot compacted;
  compacted.statistics = snapshot.statistics;
  compacted.attributes = snapshot.attributes;
  compacted.deleted_count =
      CompactVersions(snapshot, versions, reader, types, memory, [&](CompactedPart part) {
        compacted.next_row = part.first_row;
        compacted.Append(std::move(part.row_group));
      });
  compacted.next_row = snapshot.next_row;
  return compacted;
}

}  // namespace scaup
