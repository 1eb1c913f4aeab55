// Compaction: merges in-place changes into new row groups.
#include "storage/compaction/row_group_compaction.hpp"

#include <algorithm>

#include "storage/compaction/row_group_writer.hpp"
#include "storage/row_group/column_builder.hpp"
#include "storage/row_group/memory_segment.hpp"
#include "storage/row_group/row_group_size.hpp"
#include "storage/snapshot/row_patch.hpp"

namespace scaup {

namespace {

/// A gap of at least this many blocks without visible rows splits a row group, so that the gap's memory is
/// freed.
constexpr size_t kLeastDeadBlocks = 8;

}  // namespace

RowGroupChanges FindChanges(const TableVersions& versions, RowRange rows) {
  RowGroupChanges changes;
  for (const auto& [row, block] : versions.Blocks(rows.begin, rows.end)) {
    // Version blocks need not align with row groups, so ranges are intersected.
    const RowNumber begin = std::max(rows.begin, row), end = std::min(rows.end, row + kVectorSize);
    MutexLock lock(block->mutex);
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
  // Only this column is decoded; the others are shared with the old row group.
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    // Releases what the vector shares with the block before, so that its memory is not copied on write.
    values.Release();
    reader->Read(block, count, values);
    if (version_reader.Seek(first + block * kVectorSize, count)) {
      version_reader.Read(static_cast<uint32_t>(column), patch);
      ApplyPatch(patch, count, values);
    }
    // One version block at a time: the new column has the same blocks as the old one.
    builder.Append(values, count, 0, count);
    builder.CloseBlock(nullptr);
    // The reservation grows with the column, so that a shortage shows before the memory is used.
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
  // The builder may split the rows anywhere, but never reorders them; so each part begins where the one
  // before ended.
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
    // One lookup per block serves all columns; most blocks have no versions.
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
    // Stops early: a row group that must be split will be read again by CompactAll in any case.
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
  // Tries to share the unchanged columns; only if that fails is everything rebuilt.
  if (auto compacted = CompactInOne(row_group, first, changes)) return sink({first, std::move(compacted)});
  CompactAll(*row_group, first, {0, row_group->block_count()}, sink);
}

std::shared_ptr<const RowGroup> RowGroupCompactor::CompactInOne(
    const std::shared_ptr<const RowGroup>& row_group, RowNumber first, const RowGroupChanges& changes) {
  MemoryReservation reservation(memory_);
  if (auto stored = std::dynamic_pointer_cast<const StoredRowGroup>(row_group)) {
    // Small row groups share file blocks with others. They are rebuilt, to be packed anew with their
    // neighbours.
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
  // Shared columns are accounted with both row groups. The old one usually goes soon, and the sum is right
  // then.
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
  // A block counts as dead only if the version reader finds every row of it deleted.
  VersionReader version_reader(versions_, reader_);
  const size_t block_count = row_group.block_count();
  for (size_t block = 0; block < block_count; block++) {
    const size_t count = row_group.BlockRows(block);
    uint8_t mask[kVectorSize] = {};
    const bool is_dead = version_reader.Seek(first + block * kVectorSize, count) &&
                         version_reader.ReadDeleted(mask) && std::find(mask, mask + count, 0) == mask + count;
    if (is_dead) continue;
    // Short gaps are rebuilt along with their neighbours, as many small row groups would cost more than they
    // free.
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
  // Copying must free at least as much as it copies.
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
    // Blocks without deletions are skipped without touching the mask.
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
  // Without versions no row changed, so all row groups are handed over as they are.
  const bool has_versions = versions->has_blocks();
  RowGroupCompactor compactor(versions, reader, types, memory);
  // Without versions, the snapshot's own count of deleted rows holds.
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
    // A row group without visible rows disappears; its row numbers are not reused.
    if (deleted.size() == row_count) continue;
    deleted_count += deleted.size();
    const RowGroupChanges changes = FindChanges(*versions, {first, first + row_count});
    // Deletions alone do not change a row group, as they are stored beside it.
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
        // Gaps of skipped row groups stay gaps in the numbering.
        compacted.next_row = part.first_row;
        compacted.Append(std::move(part.row_group));
      });
  compacted.next_row = snapshot.next_row;
  return compacted;
}

}  // namespace scaup
