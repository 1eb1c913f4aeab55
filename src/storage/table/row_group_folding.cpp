// Folding versions into row groups.
#include "storage/table/row_group_folding.hpp"

#include <algorithm>

#include "storage/table/row_patch.hpp"

namespace scaup {

namespace {

bool IsDirty(const TableVersions& versions, RowNumber first, uint64_t count) {
  for (const auto& [row, block] : versions.Blocks(first, first + count)) {
    const RowNumber begin = std::max(first, row), end = std::min(first + count, row + kVectorSize);
    std::lock_guard lock(block->mutex);
    if (block->IsDirty(begin - row, end - row)) return true;
  }
  return false;
}

std::vector<std::shared_ptr<const RowGroup>> Fold(const RowGroup& row_group, RowNumber first,
                                                  const std::shared_ptr<const TableVersions>& versions,
                                                  const ReadView& reader,
                                                  const std::vector<LogicalType>& types,
                                                  MemoryTracker& memory) {
  RowGroupBuilder builder(types, memory);
  VersionReader version_reader(versions, reader);
  std::vector<std::unique_ptr<SegmentReader>> readers;
  std::vector<RowPatch> patches;
  for (size_t i = 0; i < types.size(); i++) {
    readers.push_back(row_group.column(i)->MakeReader(KernelsOf(BestKernelLevel())));
    patches.emplace_back(types[i]);
  }
  DataChunk chunk(types);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    chunk.Release();
    const size_t count = row_group.BlockRows(block);
    const bool has_versions = version_reader.Seek(first + block * kVectorSize, count);
    for (size_t i = 0; i < types.size(); i++) {
      readers[i]->Read(block, count, chunk.column(i));
      if (!has_versions) continue;
      version_reader.Read(static_cast<uint32_t>(i), patches[i]);
      ApplyPatch(patches[i], count, chunk.column(i));
    }
    chunk.SetSize(count);
    builder.Append(chunk);
  }
  builder.Finish();
  return builder.TakeFinished();
}

void AddDeletedRows(const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                    RowNumber first, uint64_t count, std::vector<RowNumber>& deleted) {
  VersionReader version_reader(versions, reader);
  for (uint64_t offset = 0; offset < count; offset += kVectorSize) {
    const size_t rows = std::min<uint64_t>(kVectorSize, count - offset);
    uint8_t mask[kVectorSize] = {};
    if (!version_reader.Seek(first + offset, rows) || !version_reader.ReadDeleted(mask)) continue;
    for (size_t row = 0; row < rows; row++) {
      if (mask[row] != 0) deleted.push_back(first + offset + row);
    }
  }
}

}  // namespace

std::vector<RowNumber> DeletedRows(const std::shared_ptr<const TableVersions>& versions,
                                   const ReadView& reader, const TableSnapshot& snapshot) {
  std::vector<RowNumber> deleted;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++)
    AddDeletedRows(versions, reader, snapshot.first_rows[i], snapshot.row_groups[i]->row_count(), deleted);
  return deleted;
}

TableSnapshot FoldVersions(const TableSnapshot& snapshot,
                           const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                           const std::vector<LogicalType>& types, MemoryTracker& memory) {
  if (!versions->has_blocks()) return snapshot;
  TableSnapshot folded;
  folded.statistics = snapshot.statistics;
  for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
    const auto& row_group = snapshot.row_groups[i];
    const uint64_t row_count = row_group->row_count();
    std::vector<RowNumber> deleted;
    AddDeletedRows(versions, reader, snapshot.first_rows[i], row_count, deleted);
    if (deleted.size() == row_count) continue;
    folded.deleted_count += deleted.size();
    folded.next_row = snapshot.first_rows[i];
    if (!IsDirty(*versions, snapshot.first_rows[i], row_count)) {
      folded.Append(row_group);
      continue;
    }
    for (auto& part : Fold(*row_group, snapshot.first_rows[i], versions, reader, types, memory))
      folded.Append(std::move(part));
  }
  folded.next_row = snapshot.next_row;
  return folded;
}

}  // namespace scaup
