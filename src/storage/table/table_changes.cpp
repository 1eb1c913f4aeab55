// TableChanges: a transaction's changes to a table, and the change set that a commit makes of them.
#include "storage/table/table_changes.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/table/key_read_predicate.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

/// Entries that statements of a transaction have changed in indexes keep at most this part of the memory
/// limit, but for those of the last one.
constexpr size_t kEditsShare = 128;

}  // namespace

ReadView TableChangeSet::Before() const {
  // Before the commit is published, it has no timestamp yet: then everything committed so far is "before".
  const Timestamp timestamp = stamp_->load();
  return {timestamp >= kFirstTransactionId ? kFirstTransactionId - 1 : timestamp - 1, 0};
}

ReadView TableChangeSet::After() const {
  const Timestamp timestamp = stamp_->load();
  if (timestamp >= kFirstTransactionId) return {kFirstTransactionId - 1, timestamp};
  return {timestamp, 0};
}

TableChanges::TableChanges(Table& table, uint32_t writer_in)
    : writer(writer_in), statistics(table.types().size()), memory_(table.memory()) {
  // Local rows begin at kFirstLocalRow, so they never collide with committed ones.
  auto empty = std::make_shared<TableSnapshot>();
  empty->next_row = kFirstLocalRow;
  local = std::move(empty);
  local_versions = std::make_shared<TableVersions>(table.memory(), kFirstLocalRow);
}

namespace {

IndexEntryList& ListOfIndex(std::vector<std::unique_ptr<IndexEntryList>>& lists, const TableIndexRef& index,
                            MemoryTracker& memory) {
  for (const auto& list : lists) {
    if (list->index() == index) return *list;
  }
  return *lists.emplace_back(
      std::make_unique<IndexEntryList>(index, memory, index->tree().temporary_storage()));
}

}  // namespace

IndexEntryList& TableChanges::UncheckedKeys(const TableIndexRef& index, MemoryTracker& memory) {
  return ListOfIndex(unchecked_keys, index, memory);
}

IndexEntryList& TableChanges::LateKeys(const TableIndexRef& index, MemoryTracker& memory) {
  return ListOfIndex(late_keys, index, memory);
}

// An UPDATE of many rows is a statement for each thousand of them, so what each may keep is much in sum.
void TableChanges::SpillEdits() {
  for (; counted_edits_ < index_edits.size(); counted_edits_++)
    edits_bytes_ += index_edits[counted_edits_]->reserved_bytes();
  if (edits_bytes_ <= memory_.limit_bytes() / kEditsShare) return;
  for (; spilled_edits_ < index_edits.size(); spilled_edits_++) index_edits[spilled_edits_]->Spill();
  edits_bytes_ = 0;
}

void TableChanges::RequireKeyReads(const TableWrite& write, const std::shared_ptr<const Table>& table) {
  if (key_reads || !write.transaction.logs_reads()) return;
  // The predicate is logged while it is empty; keys are added when a rollback to a savepoint gives them up.
  auto reads = std::make_shared<KeyReads>();
  write.transaction.LogRead(std::make_unique<KeyReadPredicate>(table, std::string(write.table_name), reads));
  key_reads = std::move(reads);
}

RowNumber TableChanges::FinalNumberOf(RowNumber local_row) const {
  SCAUP_ASSERT(!std::binary_search(deleted_local.begin(), deleted_local.end(), local_row));
  const auto gone = std::lower_bound(deleted_local.begin(), deleted_local.end(), local_row);
  return first_final_row + (local_row - kFirstLocalRow) -
         static_cast<RowNumber>(gone - deleted_local.begin());
}

std::vector<std::shared_ptr<const RowGroup>> TableChanges::FinalRows(const Transaction& transaction,
                                                                     const Table& table) const {
  // Without updates and deletions, the rows are committed as they are.
  if (!local_versions->has_blocks()) return local->row_groups;
  std::vector<std::shared_ptr<const RowGroup>> final_rows;
  TableScanSpecification everything;
  for (size_t i = 0; i < table.types().size(); i++) everything.columns.push_back(i);
  for (size_t i = 0; i < local->row_groups.size(); i++) {
    const auto& row_group = local->row_groups[i];
    const RowNumber first = local->first_rows[i];
    // Untouched row groups are committed as they are; the others are rebuilt as the transaction sees them.
    if (local_versions->Blocks(first, first + row_group->row_count()).empty()) {
      final_rows.push_back(row_group);
      continue;
    }
    auto single = std::make_shared<TableSnapshot>();
    single->next_row = first;
    single->Append(row_group);
    TableView view{transaction.view(), {{std::move(single), local_versions}}};
    TableScan scan(std::move(view), table.types(), everything, KernelsOf(BestKernelLevel()),
                   kBlocksPerRowGroup);
    TableScan::Position position;
    RowGroupBuilder builder(table.types(), table.memory());
    for (DataChunk chunk(table.types()); scan.Next(position, chunk); chunk.Release()) builder.Append(chunk);
    builder.Finish();
    for (auto& built : builder.TakeFinished()) final_rows.push_back(std::move(built));
  }
  return final_rows;
}

std::shared_ptr<const TableChangeSet> TableChanges::MakeChangeSet(
    const Table& table, const std::shared_ptr<const CommitStamp>& stamp,
    const std::vector<std::shared_ptr<const RowGroup>>& inserted,
    std::shared_ptr<const AttributeCensus> census) const {
  auto changes = std::make_shared<TableChangeSet>(table.shared_from_this(), stamp);
  changes->inserted = inserted;
  for (const WrittenRows& rows : written) {
    // Other transactions may link records to the block meanwhile.
    MutexLock lock(rows.block->mutex);
    auto& target = rows.record->images.empty() ? changes->deleted : changes->updated;
    target.Add(rows.first_row, rows.record->rows);
    for (const auto& image : rows.record->images) changes->columns.push_back(image.column);
  }
  std::vector<size_t>& columns = changes->columns;
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  changes->deleted.Finish();
  changes->updated.Finish();
  // A row that was updated and then deleted counts as deleted.
  changes->updated.Subtract(changes->deleted);
  changes->statistics = statistics;
  changes->attributes = std::move(census);
  return changes;
}

}  // namespace scaup
