// How a transaction's changes to a table are prepared, logged, committed and rolled back.
#include "storage/table/table_undo.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_compactor.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_locks.hpp"
#include "storage/table/table_log.hpp"
#include "storage/table/table_sampler.hpp"

namespace scaup {

void TableChangesUndo::Prepare() {
  // Builds rows first, as they may need memory and reads; the rest depends on them.
  final_rows_ = changes_->FinalRows(transaction_, *table_);
  // The collection has been prepared already; Table::RequireChanges ensures that order.
  if (table_->element_source()) NumberDocuments(*table_, transaction_, *changes_, final_rows_);
  if (table_->documents()) table_->documents()->Widen(changes_->attributes);
  const RowNumber first_row = table_->snapshots().Prepare(*changes_, final_rows_);
  is_prepared_ = true;
  NumberEntries(first_row);
  change_set_ = changes_->MakeChangeSet(*table_, transaction_.stamp(), final_rows_,
                                        table_->snapshots().PreparedAttributes());
  size_t removed_count = 0;
  for (const IndexEdits* edits : changes_->index_edits) removed_count += edits->removed_count();
  removed_.reserve(removed_count);
}

void TableChangesUndo::NumberEntries(RowNumber first_row) {
  changes_->first_final_row = first_row;
  changes_->deleted_local.clear();
  if (changes_->index_edits.empty() && !table_->documents()) return;
  if (changes_->local_versions->has_blocks())
    changes_->deleted_local = DeletedRows(changes_->local_versions, transaction_.view(), *changes_->local,
                                          table_->types(), table_->memory());
  const TableView view = table_->UnloggedView(transaction_);
  const TableColumns columns(table_->types());
  const InsertedRows inserted{view, columns, changes_->local_versions->has_blocks(), changes_->deleted_local,
                              table_->memory()};
  for (IndexEdits* edits : changes_->index_edits) edits->NumberRows(inserted, first_row);
}

void TableChangesUndo::Log(ByteWriter& writer) const {
  // A table without a place in the file is gone with it: databases in memory have no log, and temporary
  // tables of others are not in theirs.
  if (!table_->store()) return;
  // Writes all attributes that exist now, which includes those of the records below.
  if (table_->documents()) attributes_ = table_->documents()->log().Write(table_->id(), writer);
  LogTableChanges(*table_, *changes_, final_rows_, writer);
}

void TableChangesUndo::CancelPrepare() noexcept {
  if (!std::exchange(is_prepared_, false)) return;
  table_->snapshots().Cancel();
  if (table_->documents()) table_->documents()->log().Cancel();
}

void TableChangesUndo::Commit(Timestamp commit_timestamp, Timestamp) noexcept {
  commit_timestamp_ = commit_timestamp;
  for (IndexEdits* edits : changes_->index_edits) edits->TakeRemoved(removed_);
  table_->snapshots().Publish(commit_timestamp);
  if (table_->documents()) table_->documents()->log().Settle(attributes_);
  table_->locks().EndWriter(transaction_);
  is_prepared_ = false;
  final_rows_.clear();
  changes_.reset();
  change_set_.reset();
}

bool TableChangesUndo::CleanUp(Timestamp oldest_start) noexcept {
  const bool is_pruned = table_->snapshots().Prune(oldest_start);
  if (removed_.empty()) return is_pruned;
  if (oldest_start < commit_timestamp_) return false;
  CleanUpEntries(removed_, *table_->versions(), oldest_start);
  return is_pruned;
}

void TableChangesUndo::Rollback() noexcept {
  table_->locks().EndWriter(transaction_);
  transaction_.RemoveLocal(table_.get());
}

void InsertUndo::Commit(Timestamp, Timestamp) noexcept {
  before_.reset();
  attributes_ = AttributeDelta();
  edits_.ForgetAdded();
}

void InsertUndo::Rollback() noexcept {
  // In reverse order of Table::Insert: attributes, index entries, rows.
  if (table_->attributes()) changes_.attribute_changes.TakeBack(attributes_, *table_->attributes());
  changes_.RemoveEdits(edits_);
  edits_.TakeBack(*table_->versions(), changes_.key_reads.get());
  // Removes in-place changes to these rows, as later rows will get their numbers.
  changes_.local_versions->DropFrom(before_->next_row);
  changes_.local = std::move(before_);
}

void WriteUndo::ReserveOne() {
  const auto reserve = [](auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
  };
  reserve(rows_);
  reserve(changes_->written);
}

void WriteUndo::Add(const TableVersions& versions, WrittenRows rows) {
  SCAUP_ASSERT(rows_.size() < rows_.capacity());
  const bool is_deletion = rows.record->images.empty();
  if (!IsLocalRow(versions.first_row())) {
    changes_->written.push_back(rows);
    if (is_deletion) changes_->deleted_count += rows.record->rows.size();
    table_rows_++;
  }
  rows_.push_back(std::move(rows));
}

void WriteUndo::Commit(Timestamp commit_timestamp, Timestamp) noexcept {
  commit_timestamp_ = commit_timestamp;
  changes_ = nullptr;
  attributes_ = AttributeDelta();
  edits_.ForgetAdded();
  // Local versions vanish with the transaction's changes.
  std::erase_if(rows_, [](const WrittenRows& rows) { return IsLocalRow(rows.first_row); });
  uint64_t count = 0;
  for (const WrittenRows& rows : rows_) count += rows.record->rows.size();
  table_->compactor().NoteChanges(count);
  table_->sampler().NoteChanges(count);
}

bool WriteUndo::CleanUp(Timestamp oldest_start) noexcept {
  if (oldest_start < commit_timestamp_) return false;
  for (const WrittenRows& rows : rows_) {
    MutexLock lock(rows.block->mutex);
    rows.block->Forget(rows.record);
    if (rows.block->IsEmpty()) table_->versions()->Remove(rows.first_row);
  }
  rows_.clear();
  return true;
}

void WriteUndo::Rollback() noexcept {
  // The newest change of a row is undone first.
  for (auto rows = rows_.rbegin(); rows != rows_.rend(); ++rows) {
    MutexLock lock(rows->block->mutex);
    if (!IsLocalRow(rows->first_row) && rows->record->images.empty())
      changes_->deleted_count -= rows->record->rows.size();
    rows->block->TakeBack(rows->record);
  }
  changes_->written.resize(changes_->written.size() - table_rows_);
  if (table_->attributes()) changes_->attribute_changes.TakeBack(attributes_, *table_->attributes());
  changes_->RemoveEdits(edits_);
  changes_->unchecked_keys.clear();
  edits_.TakeBack(*table_->versions(), changes_->key_reads.get());
  rows_.clear();
}

}  // namespace scaup
