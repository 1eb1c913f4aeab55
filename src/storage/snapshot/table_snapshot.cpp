// Snapshots of tables.
#include "storage/snapshot/table_snapshot.hpp"

#include <algorithm>

namespace scaup {

void TableSnapshot::Append(std::shared_ptr<const RowGroup> row_group) {
  first_rows.push_back(next_row);
  next_row += row_group->row_count();
  row_count += row_group->row_count();
  row_groups.push_back(std::move(row_group));
}

size_t TableSnapshot::FindRowGroup(RowNumber row) const {
  const auto after = std::upper_bound(first_rows.begin(), first_rows.end(), row);
  return static_cast<size_t>(after - first_rows.begin()) - 1;
}

uint64_t TableView::row_count() const {
  uint64_t count = 0;
  for (const Part& part : parts) count += part.snapshot->live_row_count();
  return count;
}

size_t TableView::row_group_count() const {
  size_t count = 0;
  for (const Part& part : parts) count += part.snapshot->row_groups.size();
  return count;
}

}  // namespace scaup
