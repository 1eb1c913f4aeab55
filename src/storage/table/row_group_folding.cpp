// Folding versions into row groups.
#include "storage/table/row_group_folding.hpp"

#include <algorithm>

#include "storage/table/column_builder.hpp"
#include "storage/table/row_group_writer.hpp"
#include "storage/table/row_patch.hpp"

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

std::shared_ptr<const MemorySegment> RowGroupFolder::FoldColumn(const RowGroup& row_group, RowNumber first,
                                                                size_t column,
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
  }
  return builder.Finish();
}

std::vector<FoldedPart> RowGroupFolder::FoldAll(const RowGroup& row_group, RowNumber first,
                                                BlockRange blocks) {
  RowGroupBuilder builder(types_, memory_);
  VersionReader version_reader(versions_, reader_);
  std::vector<std::unique_ptr<SegmentReader>> readers;
  std::vector<RowPatch> patches;
  for (size_t i = 0; i < types_.size(); i++) {
    readers.push_back(row_group.column(i)->MakeReader(KernelsOf(BestKernelLevel())));
    patches.emplace_back(types_[i]);
  }
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
  }
  builder.Finish();
  std::vector<FoldedPart> parts;
  RowNumber next = first + blocks.begin * kVectorSize;
  for (auto& part : builder.TakeFinished()) {
    const size_t row_count = part->row_count();
    parts.push_back({next, std::move(part)});
    next += row_count;
  }
  return parts;
}

std::optional<std::vector<std::shared_ptr<const MemorySegment>>> RowGroupFolder::FoldColumns(
    const RowGroup& row_group, RowNumber first, const RowGroupChanges& changes,
    MemoryReservation& reservation) {
  std::vector<std::shared_ptr<const MemorySegment>> columns(types_.size());
  for (const uint32_t column : changes.columns) {
    columns[column] = FoldColumn(row_group, first, column, reservation);
    const auto& heap = columns[column]->string_heap;
    if (heap && heap->size_bytes() >= kMostHeapBytes) return std::nullopt;
  }
  return columns;
}

std::vector<FoldedPart> RowGroupFolder::Fold(const std::shared_ptr<const RowGroup>& row_group,
                                             RowNumber first, const RowGroupChanges& changes) {
  const auto fold_all = [&] { return FoldAll(*row_group, first, {0, row_group->block_count()}); };
  MemoryReservation reservation(memory_);
  if (auto stored = std::dynamic_pointer_cast<const StoredRowGroup>(row_group)) {
    // Small ones share blocks of the file with others: these are packed anew.
    if (!RowGroupWriter::IsLarge(*stored) || changes.columns.size() == types_.size()) return fold_all();
    auto columns = FoldColumns(*row_group, first, changes, reservation);
    if (!columns) return fold_all();
    return {{first, std::make_shared<const PartlyStoredRowGroup>(std::move(stored), std::move(*columns),
                                                                 std::move(reservation))}};
  }
  const auto in_memory = std::dynamic_pointer_cast<const MemoryRowGroup>(row_group);
  if (!in_memory) return fold_all();
  size_t shared_bytes = 0;
  for (size_t i = 0; i < types_.size(); i++) {
    if (!std::binary_search(changes.columns.begin(), changes.columns.end(), i))
      shared_bytes += in_memory->memory_column(i)->size_bytes;
  }
  // What is shared is accounted with each of those who share it: the other one goes sooner.
  reservation.Resize(shared_bytes);
  auto columns = FoldColumns(*row_group, first, changes, reservation);
  if (!columns) return fold_all();
  for (size_t i = 0; i < types_.size(); i++) {
    if (!(*columns)[i]) (*columns)[i] = in_memory->memory_column(i);
  }
  return {{first, std::make_shared<const MemoryRowGroup>(std::move(*columns), row_group->row_count(),
                                                         std::move(reservation))}};
}

std::vector<RowGroupFolder::BlockRange> RowGroupFolder::LiveBlocks(const RowGroup& row_group,
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

std::optional<std::vector<FoldedPart>> RowGroupFolder::FoldLive(const RowGroup& row_group, RowNumber first) {
  const std::vector<BlockRange> live = LiveBlocks(row_group, first);
  size_t live_count = 0;
  for (const BlockRange& range : live) live_count += range.end - range.begin;
  if (live_count * 2 > row_group.block_count()) return std::nullopt;
  std::vector<FoldedPart> parts;
  for (const BlockRange& range : live) {
    for (auto& part : FoldAll(row_group, first, range)) parts.push_back(std::move(part));
  }
  return parts;
}

void RowGroupFolder::AddDeletedRows(RowNumber first, uint64_t count, std::vector<RowNumber>& deleted) {
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
  RowGroupFolder folder(versions, reader, types, memory);
  std::vector<RowNumber> deleted;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++)
    folder.AddDeletedRows(snapshot.first_rows[i], snapshot.row_groups[i]->row_count(), deleted);
  return deleted;
}

TableSnapshot FoldVersions(const TableSnapshot& snapshot,
                           const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                           const std::vector<LogicalType>& types, MemoryTracker& memory) {
  if (!versions->has_blocks()) return snapshot;
  RowGroupFolder folder(versions, reader, types, memory);
  TableSnapshot folded;
  folded.statistics = snapshot.statistics;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
    const auto& row_group = snapshot.row_groups[i];
    const RowNumber first = snapshot.first_rows[i];
    const uint64_t row_count = row_group->row_count();
    std::vector<RowNumber> deleted;
    folder.AddDeletedRows(first, row_count, deleted);
    if (deleted.size() == row_count) continue;
    folded.deleted_count += deleted.size();
    folded.next_row = first;
    const RowGroupChanges changes = FindChanges(*versions, {first, first + row_count});
    if (changes.dirty_values == 0) {
      folded.Append(row_group);
      continue;
    }
    for (auto& part : folder.Fold(row_group, first, changes)) folded.Append(std::move(part.row_group));
  }
  folded.next_row = snapshot.next_row;
  return folded;
}

}  // namespace scaup
