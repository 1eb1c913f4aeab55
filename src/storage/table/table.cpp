// Table: snapshots by commit, and how inserted rows become part of the next one.
#include "storage/table/table.hpp"

#include "storage/table/stored_row_group.hpp"
#include "storage/wal/log_record_kind.hpp"
#include "vector/chunk_bytes.hpp"

namespace scaup {

namespace {

/// A row group at most this full is joined with the one before it.
constexpr size_t kJoinRows = kRowsPerRowGroup / 2;

// The parts of an insert in the log.
constexpr uint8_t kEndOfParts = 0;
constexpr uint8_t kRowsPart = 1;
constexpr uint8_t kStoredPart = 2;

}  // namespace

/// Publishes, or drops, the rows that a transaction inserted.
class Table::InsertUndo final : public UndoEntry {
 public:
  InsertUndo(std::shared_ptr<Table> table, std::vector<std::shared_ptr<const RowGroup>> row_groups,
             std::vector<ColumnStatistics> statistics)
      : table_(std::move(table)), row_groups_(std::move(row_groups)), statistics_(std::move(statistics)) {}

  /// The record: the table's id; parts, each rows (1) or a stored row group (2), to the end (0); then the
  /// statistics of all of them, if there are stored ones.
  void Log(ByteWriter& writer) const override {
    if (table_->is_dropped_.load()) return;
    writer.WriteU8(static_cast<uint8_t>(LogRecordKind::kInsert));
    writer.WriteU64(table_->id());
    bool has_stored = false;
    for (const auto& row_group : row_groups_) {
      if (!row_group->is_stored()) {
        LogRows(*row_group, writer);
        continue;
      }
      const auto& pointer = static_cast<const StoredRowGroup&>(*row_group).pointer();
      writer.WriteU8(kStoredPart);
      pointer.Write(writer);
      // Even if the rows are dropped soon: whoever replays the log must not find something else there.
      table_->store()->file().allocator().RetainUntilCheckpoint(pointer.block_ids);
      has_stored = true;
    }
    writer.WriteU8(kEndOfParts);
    writer.WriteBool(has_stored);
    if (!has_stored) return;
    for (size_t i = 0; i < statistics_.size(); i++)
      statistics_[i].Write(PhysicalTypeOf(table_->types()[i]), writer);
  }

  void Prepare() override {
    table_->PreparePublish(row_groups_, statistics_);
    is_prepared_ = true;
  }
  void CancelPrepare() noexcept override {
    if (std::exchange(is_prepared_, false)) table_->CancelPublish();
  }
  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    table_->Publish(commit_timestamp);
    is_prepared_ = false;
    row_groups_ = {};
    statistics_ = {};
  }
  bool CleanUp(Timestamp oldest_start) noexcept override { return table_->Prune(oldest_start); }
  void Rollback() noexcept override { row_groups_.clear(); }

 private:
  void LogRows(const RowGroup& row_group, ByteWriter& writer) const {
    DataChunk chunk(table_->types());
    for (size_t block = 0; block < row_group.block_count(); block++) {
      chunk.Release();
      for (size_t i = 0; i < chunk.column_count(); i++) {
        row_group.column(i)
            ->MakeReader(KernelsOf(BestKernelLevel()))
            ->Read(block, row_group.BlockRows(block), chunk.column(i));
      }
      chunk.SetSize(row_group.BlockRows(block));
      writer.WriteU8(kRowsPart);
      WriteChunk(writer, chunk);
    }
  }

  std::shared_ptr<Table> table_;
  std::vector<std::shared_ptr<const RowGroup>> row_groups_;
  std::vector<ColumnStatistics> statistics_;
  bool is_prepared_ = false;
};

Table::Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
             std::shared_ptr<BlockStore> store)
    : types_(std::move(types)), memory_(memory), id_(id), store_(std::move(store)) {
  auto empty = std::make_shared<TableSnapshot>();
  empty->statistics.resize(types_.size());
  versions_.push_back({0, std::move(empty)});
}

std::shared_ptr<const TableSnapshot> Table::Snapshot(const Transaction& transaction) const {
  std::lock_guard lock(mutex_);
  for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) {
    if (version->timestamp <= transaction.start_timestamp()) return version->snapshot;
  }
  return versions_.front().snapshot;
}

std::shared_ptr<const TableSnapshot> Table::NewestSnapshot() const {
  std::lock_guard lock(mutex_);
  return versions_.back().snapshot;
}

void Table::ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot) {
  std::lock_guard lock(mutex_);
  versions_.back().snapshot = std::move(snapshot);
}

void Table::Insert(Transaction& transaction, std::vector<std::shared_ptr<const RowGroup>> row_groups,
                   const std::vector<ColumnStatistics>& statistics) {
  if (row_groups.empty()) return;
  transaction.AddUndo(std::make_unique<InsertUndo>(shared_from_this(), std::move(row_groups), statistics));
}

void Table::InsertLogged(Transaction& transaction, ByteReader& reader) {
  RowGroupBuilder builder(types_, memory_);
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  const auto take_built = [&] {
    builder.Finish();
    for (auto& built : builder.TakeFinished()) row_groups.push_back(std::move(built));
  };
  for (uint8_t part = reader.ReadU8("part of an insert"); part != kEndOfParts;
       part = reader.ReadU8("part of an insert")) {
    if (part == kRowsPart) {
      DataChunk chunk = ReadChunk(reader);
      if (chunk.types() != types_) reader.Fail("rows of an insert", "they are not of the table's types");
      builder.Append(chunk);
    } else if (part == kStoredPart) {
      take_built();
      auto pointer = StoredRowGroupPointer::Read(reader);
      auto stored = std::make_shared<const StoredRowGroup>(store_, types_, std::move(pointer));
      store_->file().allocator().RetainUntilCheckpoint(stored->pointer().block_ids);
      row_groups.push_back(std::move(stored));
    } else {
      reader.Fail("part of an insert", "there is no such part");
    }
  }
  take_built();
  std::vector<ColumnStatistics> statistics = builder.statistics();
  if (reader.ReadBool("statistics of an insert")) {
    for (size_t i = 0; i < types_.size(); i++)
      statistics[i] = ColumnStatistics::Read(PhysicalTypeOf(types_[i]), reader);
  }
  Insert(transaction, std::move(row_groups), statistics);
}

void Table::PreparePublish(const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                           const std::vector<ColumnStatistics>& statistics) {
  std::lock_guard lock(mutex_);
  const TableSnapshot& previous = prepared_.empty() ? *versions_.back().snapshot : *prepared_.back().snapshot;
  auto next = std::make_shared<TableSnapshot>(previous);
  for (const auto& row_group : row_groups) {
    next->row_count += row_group->row_count();
    if (!TryJoin(*next, *row_group)) next->row_groups.push_back(row_group);
  }
  for (size_t i = 0; i < types_.size(); i++)
    next->statistics[i].Merge(statistics[i], PhysicalTypeOf(types_[i]));
  prepared_.push_back({0, std::move(next)});
}

void Table::CancelPublish() noexcept {
  std::lock_guard lock(mutex_);
  prepared_.pop_back();
}

void Table::Publish(Timestamp commit_timestamp) noexcept {
  std::lock_guard lock(mutex_);
  // A second insert of the same transaction replaces the first one's.
  if (versions_.back().timestamp == commit_timestamp) versions_.pop_back();
  prepared_.front().timestamp = commit_timestamp;
  versions_.splice(versions_.end(), prepared_, prepared_.begin());
}

bool Table::Prune(Timestamp oldest_start) noexcept {
  std::lock_guard lock(mutex_);
  while (versions_.size() > 1 && std::next(versions_.begin())->timestamp <= oldest_start)
    versions_.pop_front();
  return versions_.size() == 1;
}

bool Table::TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept {
  if (snapshot.row_groups.empty() || row_group.row_count() > kJoinRows) return false;
  if (row_group.is_stored() || snapshot.row_groups.back()->is_stored()) return false;
  if (row_group.is_heavy() || snapshot.row_groups.back()->is_heavy()) return false;
  const auto& last = static_cast<const MemoryRowGroup&>(*snapshot.row_groups.back());
  if (last.row_count() + row_group.row_count() > kRowsPerRowGroup) return false;
  try {
    RowGroupBuilder builder(types_, memory_);
    builder.Resume(last);
    builder.AppendRowGroup(row_group);
    builder.Finish();
    auto joined = builder.TakeFinished();
    snapshot.row_groups.reserve(snapshot.row_groups.size() + joined.size());
    snapshot.row_groups.pop_back();
    std::move(joined.begin(), joined.end(), std::back_inserter(snapshot.row_groups));
    return true;
  } catch (const std::exception&) {
    // No memory for the copy: the row group stays on its own.
    return false;
  }
}

}  // namespace scaup
