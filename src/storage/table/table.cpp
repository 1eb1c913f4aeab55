// Table: snapshots by commit, and how inserted rows become part of the next one.
#include "storage/table/table.hpp"

namespace scaup {

namespace {

/// A row group at most this full is joined with the one before it.
constexpr size_t kJoinRows = kRowsPerRowGroup / 2;

/// Appends all rows of a row group to the builder.
void AppendRowGroup(const RowGroup& row_group, const std::vector<LogicalType>& types,
                    RowGroupBuilder& builder) {
  DataChunk chunk(types);
  for (size_t block = 0; block < row_group.block_count(); block++) {
    chunk.Release();
    for (size_t i = 0; i < types.size(); i++)
      ReferenceBlock(row_group.shared_column(i), block, chunk.column(i));
    chunk.SetSize(row_group.BlockRows(block));
    builder.Append(chunk);
  }
}

}  // namespace

/// Publishes, or drops, the rows that a transaction inserted.
class Table::InsertUndo final : public UndoEntry {
 public:
  InsertUndo(std::shared_ptr<Table> table, std::vector<std::shared_ptr<const RowGroup>> row_groups,
             std::vector<ColumnStatistics> statistics)
      : table_(std::move(table)), row_groups_(std::move(row_groups)), statistics_(std::move(statistics)) {}

  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    table_->Publish(std::exchange(row_groups_, {}), statistics_, commit_timestamp);
    statistics_ = {};
  }
  bool CleanUp(Timestamp oldest_start) noexcept override { return table_->Prune(oldest_start); }
  void Rollback() noexcept override { row_groups_.clear(); }

 private:
  std::shared_ptr<Table> table_;
  std::vector<std::shared_ptr<const RowGroup>> row_groups_;
  std::vector<ColumnStatistics> statistics_;
};

Table::Table(std::vector<LogicalType> types, MemoryTracker& memory)
    : types_(std::move(types)), memory_(memory) {
  auto empty = std::make_shared<TableSnapshot>();
  empty->statistics.resize(types_.size());
  versions_.push_back({0, std::move(empty)});
}

std::shared_ptr<const TableSnapshot> Table::Snapshot(const Transaction& transaction) const {
  std::lock_guard lock(mutex_);
  for (size_t i = versions_.size(); i-- > 1;) {
    if (versions_[i].timestamp <= transaction.start_timestamp()) return versions_[i].snapshot;
  }
  return versions_[0].snapshot;
}

void Table::Insert(Transaction& transaction, std::vector<std::shared_ptr<const RowGroup>> row_groups,
                   const std::vector<ColumnStatistics>& statistics) {
  if (row_groups.empty()) return;
  transaction.AddUndo(std::make_unique<InsertUndo>(shared_from_this(), std::move(row_groups), statistics));
}

void Table::Publish(std::vector<std::shared_ptr<const RowGroup>> row_groups,
                    const std::vector<ColumnStatistics>& statistics, Timestamp commit_timestamp) noexcept {
  std::lock_guard lock(mutex_);
  const TableSnapshot& previous = *versions_.back().snapshot;
  auto next = std::make_shared<TableSnapshot>(previous);
  for (auto& row_group : row_groups) {
    next->row_count += row_group->row_count();
    if (!TryJoin(*next, *row_group)) next->row_groups.push_back(std::move(row_group));
  }
  for (size_t i = 0; i < types_.size(); i++)
    next->statistics[i].Merge(statistics[i], PhysicalTypeOf(types_[i]));
  if (versions_.back().timestamp == commit_timestamp) {
    versions_.back().snapshot = std::move(next);  // A second insert of the same transaction.
  } else {
    versions_.push_back({commit_timestamp, std::move(next)});
  }
}

bool Table::Prune(Timestamp oldest_start) noexcept {
  std::lock_guard lock(mutex_);
  while (versions_.size() > 1 && versions_[1].timestamp <= oldest_start) versions_.erase(versions_.begin());
  return versions_.size() == 1;
}

bool Table::TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept {
  if (snapshot.row_groups.empty() || row_group.row_count() > kJoinRows) return false;
  const RowGroup& last = *snapshot.row_groups.back();
  if (last.row_count() + row_group.row_count() > kRowsPerRowGroup) return false;
  try {
    RowGroupBuilder builder(types_, memory_);
    builder.Resume(last);
    AppendRowGroup(row_group, types_, builder);
    builder.Finish();
    snapshot.row_groups.back() = builder.TakeFinished().front();
    return true;
  } catch (const std::exception&) {
    // No memory for the copy: a commit must not fail, so the row group stays on its own.
    return false;
  }
}

}  // namespace scaup
