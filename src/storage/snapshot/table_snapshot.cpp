// Snapshots and views of tables.
#include "storage/snapshot/table_snapshot.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

void TableSnapshot::Append(std::shared_ptr<const RowGroup> row_group) {
  first_rows.push_back(next_row);
  next_row += row_group->row_count();
  row_count += row_group->row_count();
  row_groups.push_back(std::move(row_group));
}

size_t TableSnapshot::FindRowGroup(RowNumber row) const {
  SCAUP_ASSERT(!first_rows.empty() && row >= first_rows.front());
  const auto after = std::upper_bound(first_rows.begin(), first_rows.end(), row);
  return static_cast<size_t>(after - first_rows.begin()) - 1;
}

uint64_t TableView::row_count() const {
  uint64_t count = 0;
  for (const Part& part : parts) count += part.snapshot->live_row_count();
  return count;
}

namespace {

/// Returns how many of the rows [begin, begin + count), at most 1024, are deleted for the reader.
size_t CountDeleted(VersionReader& versions, RowNumber begin, size_t count) {
  uint8_t is_deleted[kVectorSize] = {};
  if (!versions.Seek(begin, count) || !versions.ReadDeleted(is_deleted)) return 0;
  return static_cast<size_t>(std::count(is_deleted, is_deleted + count, uint8_t{1}));
}

}  // namespace

uint64_t TableView::CountVisibleRows() const {
  uint64_t count = 0;
  for (const Part& part : parts) {
    const TableSnapshot& snapshot = *part.snapshot;
    count += snapshot.row_count;
    // Without version blocks no row was deleted, which is the common case.
    if (!part.versions || !part.versions->has_blocks()) continue;
    VersionReader versions(part.versions, reader);
    for (size_t i = 0; i < snapshot.row_groups.size(); i++) {
      const RowNumber begin = snapshot.first_rows[i], end = begin + snapshot.row_groups[i]->row_count();
      // Row groups need not begin at block boundaries of the versions, so ranges are intersected.
      for (const auto& [block_begin, block] : part.versions->Blocks(begin, end)) {
        const RowNumber from = std::max(begin, block_begin), to = std::min(end, block_begin + kVectorSize);
        if (from < to) count -= CountDeleted(versions, from, to - from);
      }
    }
  }
  return count;
}

size_t TableView::row_group_count() const {
  size_t count = 0;
  for (const Part& part : parts) count += part.snapshot->row_groups.size();
  return count;
}

}  // namespace scaup
