// Table: new row groups in the place of old ones with changes beside them, and freeing those changes.
#include <algorithm>
#include <map>
#include <optional>

#include "storage/compaction/row_group_compaction.hpp"
#include "storage/table/table.hpp"

namespace scaup {

namespace {

/// Whether to fold is considered after so many changed rows, or a share of the table's, so that looking for
/// changes costs little beside making them.
constexpr uint64_t kLeastChanges = 2048;
/// A row group is compacted when so large a share of its values in a column was changed: then making the
/// column anew costs little beside the changes, and what it frees is worth it.
constexpr uint64_t kChangedShare = 128;
/// A sample is picked when one row in so many is another.
constexpr uint64_t kSampledShare = 4;

/// A row group, and what takes its place.
struct Replacement {
  std::shared_ptr<const RowGroup> row_group;
  std::vector<CompactedPart> parts;
};

/// Nullopt where it stays as it is.
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

/// Notes that nobody reads row groups of before a fold any more.
class Table::CompactionUndo final : public UndoEntry {
 public:
  CompactionUndo(std::shared_ptr<Table> table, uint64_t number) : table_(std::move(table)), number_(number) {}
  void Commit(Timestamp timestamp, Timestamp) noexcept override { timestamp_ = timestamp; }
  void Rollback() noexcept override {}
  bool CleanUp(Timestamp oldest_start) noexcept override {
    if (oldest_start < timestamp_) return false;
    table_->ended_compaction_.store(number_);
    return true;
  }
  uint64_t table_id() const override { return table_->id(); }

 private:
  std::shared_ptr<Table> table_;
  uint64_t number_;
  Timestamp timestamp_ = 0;
};

void Table::ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowRange> compacted,
                          const ReadView& reader, TransactionManager& transactions) {
  {
    std::lock_guard lock(mutex_);
    snapshots_.back().snapshot = std::move(snapshot);
  }
  if (!versions_->has_blocks()) return;
  uint64_t number;
  {
    std::lock_guard lock(compaction_mutex_);
    for (const RowRange& rows : compacted) {
      for (const auto& [row, block] : versions_->Blocks(rows.begin, rows.end)) {
        std::lock_guard block_lock(block->mutex);
        block->MarkClean(reader, std::max(rows.begin, row) - row,
                         std::min(rows.end, row + kVectorSize) - row);
      }
    }
    number = compaction_count_.fetch_add(1) + 1;
  }
  transactions.CleanUpLater(std::make_unique<CompactionUndo>(shared_from_this(), number));
}

void Table::DropCompacted() noexcept {
  if (dropped_compaction_.load() == compaction_count_.load() ||
      ended_compaction_.load() != compaction_count_.load())
    return;
  std::lock_guard lock(compaction_mutex_);
  // What a later fold has put into row groups is still wanted by readers of this one's.
  const uint64_t number = compaction_count_.load();
  if (dropped_compaction_.load() == number || ended_compaction_.load() != number) return;
  try {
    for (const auto& [row, block] : versions_->Blocks()) {
      std::lock_guard block_lock(block->mutex);
      block->DropClean();
      const bool is_gone = !block->has_records() && !IsInRowGroup(row, row + kVectorSize);
      if (block->IsEmpty() || is_gone) versions_->Remove(row);
    }
  } catch (const std::exception&) {
    // No memory for the list: the next commit tries again.
    return;
  }
  dropped_compaction_.store(number);
}

bool Table::IsInRowGroup(RowNumber begin, RowNumber end) const {
  const auto snapshot = NewestSnapshot();
  if (snapshot->next_row < end) return true;
  if (snapshot->row_groups.empty() || end <= snapshot->first_rows[0]) return false;
  const size_t row_group = snapshot->FindRowGroup(end - 1);
  return begin < snapshot->first_rows[row_group] + snapshot->row_groups[row_group]->row_count();
}

void Table::AfterCommit(TransactionManager& transactions) noexcept {
  DropCompacted();
  RefreshSample(transactions, kSampledShare);
  if (store_ || !IsCompactionDue() || is_compacting_.exchange(true)) return;
  try {
    CompactChanges(transactions);
  } catch (const std::exception&) {
    // No memory for new row groups: the changes stay beside the old ones until there are as many again.
  }
  is_compacting_.store(false);
  DropCompacted();
}

bool Table::IsCompactionDue() const {
  const uint64_t changes = uncompacted_changes_.load(std::memory_order_relaxed);
  if (changes < kLeastChanges) return false;
  // While somebody reads older row groups, newer ones would come on top of them.
  if (dropped_compaction_.load() != compaction_count_.load()) return false;
  return changes >= NewestSnapshot()->row_count / kChangedShare;
}

void Table::CompactChanges(TransactionManager& transactions) {
  uncompacted_changes_.store(0, std::memory_order_relaxed);
  const ReadTransaction reader(transactions);
  RowGroupCompactor compactor(versions_, reader->view(), types_, memory_);
  std::map<RowNumber, Replacement> replacements;
  {
    const auto snapshot = NewestSnapshot();
    for (size_t i = 0; i < snapshot->row_groups.size(); i++) {
      const auto& row_group = snapshot->row_groups[i];
      const RowNumber first = snapshot->first_rows[i];
      if (auto parts = CompactIfWorthIt(compactor, *versions_, row_group, first))
        replacements[first] = {row_group, std::move(*parts)};
    }
  }
  if (replacements.empty()) return;
  transactions.RunBetweenCommits([&] {
    const auto newest = NewestSnapshot();
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
      // Rows may have been added to the last one.
      if (found->second.row_group != row_group) {
        auto parts = CompactIfWorthIt(compactor, *versions_, row_group, first);
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
    next->next_row = newest->next_row;
    const uint64_t gone = newest->row_count - next->row_count;
    next->deleted_count = newest->deleted_count - std::min(newest->deleted_count, gone);
    ReplaceNewest(std::move(next), compacted, reader->view(), transactions);
  });
}

}  // namespace scaup
