// SnapshotHistory: prepares, publishes and prunes the snapshots of a table.
#include "storage/table/snapshot_history.hpp"

#include "common/throw.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/row_group/row_group_size.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

/// A row group with at most this many rows is joined with the one before it.
constexpr size_t kJoinRows = kRowsPerRowGroup / 2;

bool TryJoin(TableSnapshot& snapshot, const RowGroup& row_group, const std::vector<LogicalType>& types,
             MemoryTracker& memory) noexcept {
  if (snapshot.row_groups.empty() || row_group.row_count() > kJoinRows) return false;
  // Stored row groups are joined by checkpoints, which write them anew.
  if (row_group.is_stored() || snapshot.row_groups.back()->is_stored()) return false;
  const auto is_heavy = [&](const RowGroup& item) { return IsHeavy(item, types.size(), memory); };
  if (is_heavy(row_group) || is_heavy(*snapshot.row_groups.back())) return false;
  const auto& last = static_cast<const MemoryRowGroup&>(*snapshot.row_groups.back());
  if (last.row_count() + row_group.row_count() > kRowsPerRowGroup) return false;
  // Row numbers must be consecutive within a row group.
  if (snapshot.first_rows.back() + last.row_count() != snapshot.next_row) return false;
  try {
    RowGroupBuilder builder(types, memory);
    builder.Resume(last);
    builder.AppendRowGroup(row_group);
    builder.Finish();
    auto joined = builder.TakeFinished();
    // Reserved before anything changes: from here on nothing fails.
    snapshot.row_groups.reserve(snapshot.row_groups.size() + joined.size());
    snapshot.first_rows.reserve(snapshot.first_rows.size() + joined.size());
    snapshot.next_row = snapshot.first_rows.back();
    snapshot.row_count -= last.row_count();
    snapshot.row_groups.pop_back();
    snapshot.first_rows.pop_back();
    for (auto& part : joined) snapshot.Append(std::move(part));
    return true;
  } catch (const std::exception&) {
    // Without memory for the copy, the row group stays on its own.
    return false;
  }
}

}  // namespace

void AppendJoined(TableSnapshot& snapshot, const std::shared_ptr<const RowGroup>& row_group,
                  const std::vector<LogicalType>& types, MemoryTracker& memory) {
  if (!TryJoin(snapshot, *row_group, types, memory)) snapshot.Append(row_group);
}

SnapshotHistory::SnapshotHistory(const std::vector<LogicalType>& types, MemoryTracker& memory,
                                 std::shared_ptr<AttributeDictionary> attributes)
    : types_(types), memory_(memory), attributes_(std::move(attributes)) {
  auto empty = std::make_shared<TableSnapshot>();
  empty->statistics.resize(types_.size());
  if (attributes_) empty->attributes = std::make_shared<const AttributeCensus>();
  published_.push_back({0, std::move(empty)});
}

std::shared_ptr<const TableSnapshot> SnapshotHistory::At(Timestamp start) const {
  MutexLock lock(mutex_);
  for (auto version = published_.rbegin(); version != published_.rend(); ++version) {
    if (version->timestamp <= start) return version->snapshot;
  }
  return published_.front().snapshot;
}

std::shared_ptr<const TableSnapshot> SnapshotHistory::Newest() const {
  MutexLock lock(mutex_);
  return published_.back().snapshot;
}

RowNumber SnapshotHistory::Prepare(const TableChanges& changes,
                                   const std::vector<std::shared_ptr<const RowGroup>>& inserted) {
  MutexLock lock(mutex_);
  const TableSnapshot& previous =
      prepared_.empty() ? *published_.back().snapshot : *prepared_.back().snapshot;
  auto next = std::make_shared<TableSnapshot>(previous);
  const RowNumber first_row = next->next_row;
  for (const auto& row_group : inserted) AppendJoined(*next, row_group, types_, memory_);
  next->deleted_count += changes.deleted_count;
  for (size_t i = 0; i < types_.size(); i++)
    next->statistics[i].Merge(changes.statistics[i], PhysicalTypeOf(types_[i]));
  if (attributes_) next->attributes = previous.attributes->After(changes.attribute_changes, *attributes_);
  prepared_.push_back({0, std::move(next)});
  return first_row;
}

std::shared_ptr<const AttributeCensus> SnapshotHistory::PreparedAttributes() const {
  MutexLock lock(mutex_);
  SCAUP_ASSERT(!prepared_.empty());
  return prepared_.back().snapshot->attributes;
}

void SnapshotHistory::Cancel() noexcept {
  MutexLock lock(mutex_);
  SCAUP_ASSERT(!prepared_.empty());
  prepared_.pop_back();
}

void SnapshotHistory::Publish(Timestamp commit_timestamp) noexcept {
  MutexLock lock(mutex_);
  SCAUP_ASSERT(!prepared_.empty());
  prepared_.front().timestamp = commit_timestamp;
  published_.splice(published_.end(), prepared_, prepared_.begin());
}

bool SnapshotHistory::Prune(Timestamp oldest_start) noexcept {
  MutexLock lock(mutex_);
  // A snapshot is needed as long as some transaction began before the next one.
  while (published_.size() > 1 && std::next(published_.begin())->timestamp <= oldest_start)
    published_.pop_front();
  return published_.size() == 1;
}

void SnapshotHistory::ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot) noexcept {
  // Under the mutex, since readers take the newest snapshot at any time. The old snapshot is freed after it.
  MutexLock lock(mutex_);
  published_.back().snapshot.swap(snapshot);
}

}  // namespace scaup
