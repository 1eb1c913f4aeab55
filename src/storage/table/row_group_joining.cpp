// Joining small row groups, storing large ones.
#include "storage/table/row_group_joining.hpp"

#include <algorithm>

#include "storage/table/row_group_writer.hpp"

namespace scaup {

namespace {

/// Neighbours that become one row group.
class Run {
 public:
  Run(const std::vector<LogicalType>& types, MemoryTracker& memory) : types_(types), memory_(memory) {}

  bool HasRoomFor(const RowGroup& row_group) const {
    return row_count_ + row_group.row_count() <= kRowsPerRowGroup;
  }
  void Add(std::shared_ptr<const RowGroup> row_group) {
    row_count_ += row_group->row_count();
    has_memory_ |= !row_group->is_stored();
    members_.push_back(std::move(row_group));
  }
  void MoveTo(RowGroupList& target) {
    if (members_.size() > 1 && has_memory_) {
      RowGroupBuilder builder(types_, memory_);
      for (const auto& member : members_) builder.AppendRowGroup(*member);
      builder.Finish();
      members_ = builder.TakeFinished();
    }
    std::move(members_.begin(), members_.end(), std::back_inserter(target));
    members_.clear();
    row_count_ = 0;
    has_memory_ = false;
  }

 private:
  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
  RowGroupList members_;
  size_t row_count_ = 0;
  bool has_memory_ = false;
};

}  // namespace

RowGroupList JoinSmallRowGroups(RowGroupList row_groups, const std::vector<LogicalType>& types,
                                MemoryTracker& memory, bool join_stored) {
  RowGroupList joined;
  Run run(types, memory);
  for (auto& row_group : row_groups) {
    const bool may_join = (join_stored || !row_group->is_stored()) && !row_group->is_heavy();
    if (!may_join || !run.HasRoomFor(*row_group)) run.MoveTo(joined);
    if (may_join) {
      run.Add(std::move(row_group));
    } else {
      joined.push_back(std::move(row_group));
    }
  }
  run.MoveTo(joined);
  return joined;
}

void JoinSmallRowGroups(TableSnapshot& snapshot, const std::vector<LogicalType>& types,
                        MemoryTracker& memory) {
  TableSnapshot joined;
  joined.deleted_count = snapshot.deleted_count;
  joined.statistics = std::move(snapshot.statistics);
  for (size_t begin = 0; begin < snapshot.row_groups.size();) {
    RowGroupList run;
    RowNumber next = snapshot.first_rows[begin];
    joined.next_row = next;
    while (begin < snapshot.row_groups.size() && snapshot.first_rows[begin] == next) {
      next += snapshot.row_groups[begin]->row_count();
      run.push_back(std::move(snapshot.row_groups[begin++]));
    }
    for (auto& row_group : JoinSmallRowGroups(std::move(run), types, memory, true))
      joined.Append(std::move(row_group));
  }
  joined.next_row = snapshot.next_row;
  snapshot = std::move(joined);
}

RowGroupList StoreLargeRowGroups(RowGroupList row_groups, const TableLayout& layout,
                                 const std::shared_ptr<BlockStore>& store, std::optional<Encoding> forced,
                                 uint64_t failed_syncs) {
  RowGroupList result = JoinSmallRowGroups(std::move(row_groups), layout.types, store->memory(), false);
  RowGroupWriter writer(store, layout.types.size(), forced);
  std::vector<size_t> written;
  bool has_stored = false;
  for (size_t i = 0; i < result.size(); i++) {
    has_stored |= result[i]->is_stored();
    if (result[i]->is_stored() || !RowGroupWriter::IsLarge(*result[i])) continue;
    writer.Add(*result[i], layout);
    result[i].reset();
    written.push_back(i);
  }
  if (!written.empty()) {
    const auto stored = writer.Finish();
    for (size_t i = 0; i < written.size(); i++) result[written[i]] = stored[i];
  }
  if (has_stored || !written.empty()) store->file().SyncSince(failed_syncs);
  return result;
}

}  // namespace scaup
