// TableCompactor: compaction in memory, and freeing of compacted versions.
#include "storage/table/table_compactor.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "storage/compaction/row_group_compaction.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Compaction is considered after this many changed rows, or a share of the table's rows, so that looking for
/// changes costs little compared with making them.
constexpr uint64_t kLeastCompactedChanges = 2048;
/// A row group is compacted when at least one in this many of its values in a column has changed. Rebuilding
/// the column then costs little compared with the changes, and frees enough.
constexpr uint64_t kChangedShare = 128;

/// A row group and its replacement.
struct CompactedRowGroup {
  std::shared_ptr<const RowGroup> row_group;
  std::vector<CompactedPart> parts;
};

/// Returns nullopt if the row group stays as it is.
std::optional<std::vector<CompactedPart>> CompactIfWorthIt(RowGroupCompactor& compactor,
                                                           const TableVersions& versions,
                                                           const std::shared_ptr<const RowGroup>& row_group,
                                                           RowNumber first) {
  const uint64_t row_count = row_group->row_count();
  const RowGroupChanges changes = FindChanges(versions, {first, first + row_count});
  if (changes.has_deleted) {
    if (auto live = compactor.CompactLiveBlocks(*row_group, first)) return live;
  }
  if (changes.dirty_values * kChangedShare < row_count || changes.dirty_values == 0) return std::nullopt;
  return compactor.Compact(row_group, first, changes);
}

}  // namespace

/// Notes when the last reader of row groups from before a compaction has ended.
class TableCompactor::CompactionUndo final : public UndoEntry {
 public:
  explicit CompactionUndo(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  /// Sets the number of the compaction, which it gets only when it takes effect.
  void SetNumber(uint64_t number) { number_ = number; }
  void Commit(Timestamp timestamp, Timestamp) noexcept override { timestamp_ = timestamp; }
  void Rollback() noexcept override {}
  bool CleanUp(Timestamp oldest_start) noexcept override {
    if (oldest_start < timestamp_) return false;
    table_->compactor().ended_.store(number_);
    return true;
  }
  uint64_t table_id() const override { return table_->id(); }

 private:
  std::shared_ptr<Table> table_;
  uint64_t number_ = 0;
  Timestamp timestamp_ = 0;
};

/// The rows of a version block whose values are in row groups.
struct TableCompactor::Replacement::CleanRows {
  TableVersions::BlockRef block;
  size_t begin, end;  // counted from the block's first row
};

TableCompactor::Replacement::Replacement(std::shared_ptr<Table> table,
                                         std::shared_ptr<const TableSnapshot> snapshot,
                                         std::span<const RowRange> compacted)
    : table_(std::move(table)), snapshot_(std::move(snapshot)) {
  const TableVersions& versions = *table_->versions();
  if (!versions.has_blocks()) return;
  // Blocks that writers add before Install have only values that are not committed, which stay.
  for (const RowRange& rows : compacted) {
    for (auto& [row, block] : versions.Blocks(rows.begin, rows.end)) {
      const size_t begin = std::max(rows.begin, row) - row;
      clean_.push_back({std::move(block), begin, std::min(rows.end, row + kVectorSize) - row});
    }
  }
  undo_ = std::make_unique<CompactionUndo>(table_);
}

TableCompactor::Replacement::Replacement(Replacement&&) noexcept = default;
TableCompactor::Replacement::~Replacement() = default;

void TableCompactor::Replacement::Install(const ReadView& reader, TransactionManager& transactions) noexcept {
  table_->snapshots().ReplaceNewest(std::move(snapshot_));
  if (!undo_) return;
  TableCompactor& compactor = table_->compactor();
  {
    MutexLock lock(compactor.mutex_);
    // The values are in row groups now, but older transactions still read the old row groups with their
    // versions; so they are only marked here.
    for (const CleanRows& rows : clean_) {
      MutexLock block_lock(rows.block->mutex);
      rows.block->MarkClean(reader, rows.begin, rows.end);
    }
    undo_->SetNumber(compactor.count_.fetch_add(1) + 1);
  }
  // Fires once all transactions that are active now have ended.
  transactions.CleanUpLater(std::move(undo_));
}

void TableCompactor::DropCompacted() noexcept {
  // Tested without the mutex first, as this runs after every commit.
  if (dropped_.load() == count_.load() || ended_.load() != count_.load()) return;
  MutexLock lock(mutex_);
  // A later compaction has put values into row groups that readers of this one's do not have, so its own end
  // must come first.
  const uint64_t number = count_.load();
  if (dropped_.load() == number || ended_.load() != number) return;
  try {
    for (const auto& [row, block] : table_.versions()->Blocks()) {
      MutexLock block_lock(block->mutex);
      block->DropClean();
      // A block whose rows have left all row groups is of no use, even if it marks rows as deleted.
      const bool is_gone = !block->has_records() && !IsInRowGroup(row, row + kVectorSize);
      if (block->IsEmpty() || is_gone) table_.versions()->Remove(row);
    }
  } catch (const std::exception&) {
    // Without memory for the list, the next commit tries again.
    return;
  }
  dropped_.store(number);
}

bool TableCompactor::IsInRowGroup(RowNumber begin, RowNumber end) const {
  const auto snapshot = table_.snapshots().Newest();
  if (snapshot->next_row < end) return true;
  if (snapshot->row_groups.empty() || end <= snapshot->first_rows[0]) return false;
  const size_t row_group = snapshot->FindRowGroup(end - 1);
  return begin < snapshot->first_rows[row_group] + snapshot->row_groups[row_group]->row_count();
}

void TableCompactor::CompactIfDue(TransactionManager& transactions) noexcept {
  // Tables in files are compacted by checkpoints.
  if (table_.store() || !IsDue() || is_compacting_.exchange(true)) return;
  try {
    CompactChanges(transactions);
  } catch (const std::exception&) {
    // Without memory for new row groups, the versions stay until as many changes have come again.
  }
  is_compacting_.store(false);
  // If no older reader is active, the versions can go at once.
  DropCompacted();
}

bool TableCompactor::IsDue() const {
  const uint64_t changes = uncompacted_changes_.load(std::memory_order_relaxed);
  if (changes < kLeastCompactedChanges) return false;
  // While transactions read older row groups, another compaction would retain yet more versions.
  if (dropped_.load() != count_.load()) return false;
  return changes >= table_.snapshots().Newest()->row_count / kChangedShare;
}

void TableCompactor::CompactChanges(TransactionManager& transactions) {
  // Reset first, so that changes during the compaction count for the next one.
  uncompacted_changes_.store(0, std::memory_order_relaxed);
  const ReadTransaction reader(transactions);
  RowGroupCompactor compactor(table_.versions(), reader->view(), table_.types(), table_.memory());
  std::map<RowNumber, CompactedRowGroup> replacements;
  // The row groups are built while commits go on; only the exchange excludes them.
  {
    const auto snapshot = table_.snapshots().Newest();
    for (size_t i = 0; i < snapshot->row_groups.size(); i++) {
      const auto& row_group = snapshot->row_groups[i];
      const RowNumber first = snapshot->first_rows[i];
      if (auto parts = CompactIfWorthIt(compactor, *table_.versions(), row_group, first))
        replacements[first] = {row_group, std::move(*parts)};
    }
  }
  if (replacements.empty()) return;
  transactions.RunBetweenCommits([&] {
    const auto newest = table_.snapshots().Newest();
    auto next = std::make_shared<TableSnapshot>();
    next->statistics = newest->statistics;
    next->attributes = newest->attributes;
    std::vector<RowRange> compacted;
    for (size_t i = 0; i < newest->row_groups.size(); i++) {
      const auto& row_group = newest->row_groups[i];
      const RowNumber first = newest->first_rows[i];
      next->next_row = first;
      const auto found = replacements.find(first);
      if (found == replacements.end()) {
        next->Append(row_group);
        continue;
      }
      // Rows may have been appended to the last row group meanwhile; it is then rebuilt here, where no commit
      // interferes.
      if (found->second.row_group != row_group) {
        auto parts = CompactIfWorthIt(compactor, *table_.versions(), row_group, first);
        if (!parts) {
          next->Append(row_group);
          continue;
        }
        found->second.parts = std::move(*parts);
      }
      for (CompactedPart& part : found->second.parts) {
        next->next_row = part.first_row;
        next->Append(std::move(part.row_group));
      }
      compacted.push_back({first, first + row_group->row_count()});
    }
    // Rows of row groups that vanished no longer count as deleted.
    next->next_row = newest->next_row;
    const uint64_t gone = newest->row_count - next->row_count;
    next->deleted_count = newest->deleted_count - std::min(newest->deleted_count, gone);
    Replacement(table_.shared_from_this(), std::move(next), compacted).Install(reader->view(), transactions);
  });
}

}  // namespace scaup
