// Table: snapshots by commit, and how a transaction's changes become part of the next one.
#include "storage/table/table.hpp"
#include "storage/row_group/row_group_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "document/visible_attributes.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/shredded/attribute_delta.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table/table_log.hpp"
#include "storage/table_index/index_edits.hpp"

namespace scaup {

namespace {

/// A row group with at most this many rows is joined with the one before it.
constexpr size_t kJoinRows = kRowsPerRowGroup / 2;

ZoneMap ZoneOf(const ValueList& values) {
  ValidityWord validity[kValidityWords];
  SetAllValid(validity, kVectorSize);
  for (size_t i = 0; i < values.size(); i++) {
    if (!values.IsValid(i)) SetInvalid(validity, i);
  }
  return ComputeZoneMap(values.type(), values.At(0), validity, values.size());
}

/// Adds new values to the statistics of their column.
void AddStatistics(ColumnStatistics& statistics, Vector& values, size_t count) {
  ColumnStatistics added;
  values.Flatten(count);
  added.zone = ComputeZoneMap(values.physical_type(), values.Data<std::byte>(), values.Validity(), count);
  added.row_count = count;
  added.null_count = added.zone.null_count;
  added.sampled_rows = count - added.null_count;
  uint64_t hashes[kVectorSize];
  HashVector(values, count, hashes, false);
  for (size_t i = 0; i < count; i++) {
    if (values.Validity() == nullptr || TestValid(values.Validity(), i)) added.sketch.Add(hashes[i]);
  }
  statistics.Merge(added, values.physical_type());
}

[[noreturn]] void ThrowDropConflict(std::string_view table_name) {
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             fmt::format("could not serialize access: table \"{}\" is changed, altered or dropped by another "
                         "transaction; run the transaction again",
                         table_name));
}

/// Returns how many of the ascending rows lie in the same version block as the first.
size_t CountInBlock(std::span<const RowNumber> rows, RowNumber base) {
  const RowNumber end = base + ((rows[0] - base) / kVectorSize + 1) * kVectorSize;
  return static_cast<size_t>(std::lower_bound(rows.begin(), rows.end(), end) - rows.begin());
}

}  // namespace

/// Everything that one transaction did to the table, as a participant in its commit.
class Table::ChangesUndo final : public UndoEntry {
 public:
  ChangesUndo(std::shared_ptr<Table> table, Transaction& transaction, std::shared_ptr<TableChanges> changes)
      : table_(std::move(table)), transaction_(transaction), changes_(std::move(changes)) {}

  void Prepare() override {
    // Builds rows first, as they may need memory and reads; the rest depends on them.
    final_rows_ = changes_->FinalRows(transaction_, *table_);
    // The collection has been prepared already; RequireChanges ensures that order.
    if (table_->element_source_) table_->NumberDocuments(transaction_, *changes_, final_rows_);
    const RowNumber first_row = table_->PreparePublish(*changes_, final_rows_);
    is_prepared_ = true;
    NumberEntries(first_row);
    change_set_ =
        changes_->MakeChangeSet(*table_, transaction_.stamp(), final_rows_, table_->PreparedAttributes());
  }
  void Log(ByteWriter& writer) const override {
    // Writes all attributes that exist now, which includes those of the records below.
    attributes_ = table_->attribute_log_.Write(table_->id(), writer);
    LogTableChanges(*table_, *changes_, final_rows_, writer);
  }
  void CancelPrepare() noexcept override {
    if (!std::exchange(is_prepared_, false)) return;
    table_->CancelPublish();
    table_->attribute_log_.Cancel();
  }
  std::shared_ptr<const ChangeSet> Changes() const override { return change_set_; }
  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    table_->Publish(commit_timestamp);
    table_->attribute_log_.Settle(attributes_);
    table_->EndWriter(transaction_);
    is_prepared_ = false;
    final_rows_ = {};
    changes_.reset();
    change_set_.reset();
  }
  bool CleanUp(Timestamp oldest_start) noexcept override { return table_->Prune(oldest_start); }
  uint64_t table_id() const override { return table_->id(); }
  void Rollback() noexcept override {
    table_->EndWriter(transaction_);
    transaction_.RemoveLocal(table_.get());
  }

 private:
  void NumberEntries(RowNumber first_row) {
    changes_->first_final_row = first_row;
    changes_->deleted_local.clear();
    if (changes_->index_edits.empty() && !table_->attributes_) return;
    if (changes_->local_versions->has_blocks())
      changes_->deleted_local = DeletedRows(changes_->local_versions, transaction_.view(), *changes_->local,
                                            table_->types_, table_->memory_);
    const TableView view = table_->View(transaction_);
    const TableColumns columns(table_->types_);
    const InsertedRows inserted{view, columns, changes_->local_versions->has_blocks(),
                                changes_->deleted_local, table_->memory_};
    for (IndexEdits* edits : changes_->index_edits) edits->NumberRows(inserted, first_row);
  }

  std::shared_ptr<Table> table_;
  Transaction& transaction_;  // owns this entry until it commits
  std::shared_ptr<TableChanges> changes_;
  std::vector<std::shared_ptr<const RowGroup>> final_rows_;
  std::shared_ptr<const TableChangeSet> change_set_;
  mutable AttributeLog::Counts attributes_;  // size of the dictionary in the file once this is logged
  bool is_prepared_ = false;
};

/// The rows that one statement inserted, for its rollback.
class Table::InsertUndo final : public UndoEntry {
 public:
  InsertUndo(std::shared_ptr<Table> table, TableChanges& changes, std::shared_ptr<const TableSnapshot> before)
      : table_(std::move(table)), changes_(changes), before_(std::move(before)) {}
  IndexEdits& edits() { return edits_; }
  /// Sets the attribute changes that Rollback undoes.
  void SetAttributes(AttributeDelta delta) noexcept { attributes_ = std::move(delta); }
  void Commit(Timestamp, Timestamp) noexcept override {
    before_.reset();
    attributes_ = {};
    edits_.ForgetAdded();
  }
  void Rollback() noexcept override {
    // In reverse order of Insert: attributes, index entries, rows.
    if (table_->attributes_) changes_.attribute_changes.TakeBack(attributes_, *table_->attributes_);
    changes_.RemoveEdits(edits_);
    edits_.TakeBack(*table_->versions_, changes_.key_reads.get());
    // Removes in-place changes to these rows, as later rows will get their numbers.
    changes_.local_versions->DropFrom(before_->next_row);
    changes_.local = std::move(before_);
  }

 private:
  std::shared_ptr<Table> table_;
  TableChanges& changes_;
  std::shared_ptr<const TableSnapshot> before_;
  AttributeDelta attributes_;
  IndexEdits edits_;
};

/// The in-place changes of one statement: Rollback restores the before-images, CleanUp frees them.
class Table::WriteUndo final : public UndoEntry {
 public:
  WriteUndo(std::shared_ptr<Table> table, TableChanges& changes)
      : table_(std::move(table)), changes_(&changes) {}
  IndexEdits& edits() { return edits_; }
  /// Sets the attribute changes that Rollback undoes.
  void SetAttributes(AttributeDelta delta) noexcept { attributes_ = std::move(delta); }

  void Add(const TableVersions& versions, WrittenRows rows) {
    const bool is_deletion = rows.record->images.empty();
    if (!IsLocalRow(versions.first_row())) {
      changes_->written.push_back(rows);
      if (is_deletion) changes_->deleted_count += rows.record->rows.size();
      table_rows_++;
    }
    rows_.push_back(std::move(rows));
  }
  // Called before a change, so that Add cannot fail.
  void ReserveOne() {
    const auto reserve = [](auto& list) {
      if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
    };
    reserve(rows_);
    reserve(changes_->written);
  }

  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    commit_timestamp_ = commit_timestamp;
    changes_ = nullptr;
    attributes_ = {};
    edits_.ForgetAdded();
    // Local versions vanish with the transaction's changes.
    std::erase_if(rows_, [](const WrittenRows& rows) { return IsLocalRow(rows.first_row); });
    uint64_t count = 0;
    for (const WrittenRows& rows : rows_) count += rows.record->rows.size();
    table_->uncompacted_changes_.fetch_add(count, std::memory_order_relaxed);
    table_->sample_changes_.fetch_add(count, std::memory_order_relaxed);
  }
  bool CleanUp(Timestamp oldest_start) noexcept override {
    if (oldest_start < commit_timestamp_) return false;
    edits_.CleanUp(*table_->versions_, oldest_start);
    for (const WrittenRows& rows : rows_) {
      std::lock_guard lock(rows.block->mutex);
      rows.block->Forget(rows.record);
      if (rows.block->IsEmpty()) table_->versions_->Remove(rows.first_row);
    }
    rows_.clear();
    return true;
  }
  uint64_t table_id() const override { return table_->id(); }
  void Rollback() noexcept override {
    // The newest change of a row is undone first.
    for (auto rows = rows_.rbegin(); rows != rows_.rend(); ++rows) {
      std::lock_guard lock(rows->block->mutex);
      if (!IsLocalRow(rows->first_row) && rows->record->images.empty())
        changes_->deleted_count -= rows->record->rows.size();
      rows->block->TakeBack(rows->record);
    }
    changes_->written.resize(changes_->written.size() - table_rows_);
    if (table_->attributes_) changes_->attribute_changes.TakeBack(attributes_, *table_->attributes_);
    changes_->RemoveEdits(edits_);
    changes_->unchecked_keys.clear();
    edits_.TakeBack(*table_->versions_, changes_->key_reads.get());
    rows_.clear();
  }

 private:
  std::shared_ptr<Table> table_;
  TableChanges* changes_;  // of the same transaction
  AttributeDelta attributes_;
  IndexEdits edits_;
  std::vector<WrittenRows> rows_;
  size_t table_rows_ = 0;  // how many of them are not local
  Timestamp commit_timestamp_ = 0;
};

Table::Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
             std::shared_ptr<BlockStore> store, std::shared_ptr<AttributeDictionary> attributes)
    : types_(std::move(types)),
      memory_(memory),
      id_(id),
      store_(std::move(store)),
      attributes_(std::move(attributes)),
      attribute_log_(attributes_),
      versions_(std::make_shared<TableVersions>(memory, 0)) {
  auto empty = std::make_shared<TableSnapshot>();
  empty->statistics.resize(types_.size());
  if (attributes_) empty->attributes = std::make_shared<const AttributeCensus>();
  snapshots_.push_back({0, std::move(empty)});
}

std::shared_ptr<const TableSnapshot> Table::Snapshot(const Transaction& transaction) const {
  return SnapshotAt(transaction.start_timestamp());
}

std::shared_ptr<const TableSnapshot> Table::SnapshotAt(Timestamp start) const {
  std::lock_guard lock(mutex_);
  for (auto version = snapshots_.rbegin(); version != snapshots_.rend(); ++version) {
    if (version->timestamp <= start) return version->snapshot;
  }
  return snapshots_.front().snapshot;
}

std::shared_ptr<const TableSnapshot> Table::NewestSnapshot() const {
  std::lock_guard lock(mutex_);
  return snapshots_.back().snapshot;
}

TableView Table::View(const ReadView& reader) const {
  return {reader, {{SnapshotAt(reader.start), versions_}}};
}

TableView Table::View(const Transaction& transaction) const {
  TableView view = View(transaction.view());
  const auto* changes = static_cast<const TableChanges*>(transaction.FindLocal(this));
  if (changes != nullptr && changes->local->row_count != 0)
    view.parts.push_back({changes->local, changes->local_versions});
  return view;
}

std::shared_ptr<const std::vector<ColumnStatistics>> Table::Statistics(const Transaction& transaction,
                                                                       const TableColumns& columns) const {
  auto snapshot = Snapshot(transaction);
  const auto* changes = static_cast<const TableChanges*>(transaction.FindLocal(this));
  const size_t stored_count = types_.size();
  // Without own changes, the snapshot's statistics are shared instead of copied.
  if (changes == nullptr && columns.size() == stored_count) return {snapshot, &snapshot->statistics};
  auto merged = std::make_shared<std::vector<ColumnStatistics>>(snapshot->statistics);
  for (size_t i = 0; changes != nullptr && i < stored_count; i++)
    (*merged)[i].Merge(changes->statistics[i], PhysicalTypeOf(types_[i]));
  std::vector<ProjectionAttributes> projections;
  for (size_t i = stored_count; i < columns.size(); i++) projections.push_back(columns.AttributesOf(i));
  std::vector<const AttributeStatistics*> parts{&attribute_statistics_};
  if (changes != nullptr) parts.push_back(&changes->attributes);
  std::lock_guard lock(mutex_);
  for (size_t i = stored_count; i < columns.size(); i++)
    merged->push_back(StatisticsOf(columns[i], projections[i - stored_count], parts));
  return merged;
}

void Table::Load(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowNumber> deleted,
                 AttributeStatistics attributes) {
  while (!deleted.empty()) {
    const size_t count = CountInBlock(deleted, 0);
    const RowNumber first = deleted[0] - deleted[0] % kVectorSize;
    std::vector<sel_t> rows;
    for (const RowNumber row : deleted.first(count)) rows.push_back(static_cast<sel_t>(row - first));
    const auto block = versions_->Require(first);
    std::lock_guard lock(block->mutex);
    block->LoadDeleted(rows);
    deleted = deleted.subspan(count);
  }
  std::lock_guard lock(mutex_);
  snapshots_.back().snapshot = std::move(snapshot);
  attribute_statistics_ = std::move(attributes);
}

TableChanges& Table::RequireChanges(const TableWrite& write) {
  Transaction& transaction = write.transaction;
  if (auto* local = transaction.FindLocal(this)) return static_cast<TableChanges&>(*local);
  // Documents must get their numbers before their elements refer to them, so the collection joins the
  // transaction first.
  if (element_source_ && !transaction.is_replay()) {
    const auto collection = element_source_->collection.lock();
    SCAUP_CHECK(collection);
    collection->RequireChanges(write);
  }
  auto changes = std::make_shared<TableChanges>(*this, BeginWriter(write));
  try {
    transaction.AddUndo(std::make_unique<ChangesUndo>(shared_from_this(), transaction, changes));
  } catch (...) {
    EndWriter(transaction);
    throw;
  }
  transaction.SetLocal(this, changes);
  // Replayed changes are handled by the next checkpoint.
  if (!transaction.is_replay()) transaction.AddFollower(shared_from_this());
  return *changes;
}

uint32_t Table::BeginWriter(const TableWrite& write) {
  const Timestamp id = write.transaction.id();
  std::lock_guard lock(mutex_);
  const auto is_other = [&](Timestamp other) { return other != 0 && other != id; };
  // A transaction that began before a constraint was added would not check it.
  const bool knows_rules = write.transaction.start_timestamp() >= rules_since_;
  if (is_other(dropped_by_) || is_other(altered_by_) || !knows_rules) ThrowDropConflict(write.table_name);
  // The lowest free number, as numbers have few bits in index entries.
  std::vector<bool> is_used(writers_.size() + 1);
  for (const auto& [writer, number] : writers_) {
    if (number < is_used.size()) is_used[number] = true;
  }
  const auto number =
      static_cast<uint32_t>(std::find(is_used.begin(), is_used.end(), false) - is_used.begin());
  if (number >= IndexValue::kWriterEnd) ThrowDropConflict(write.table_name);
  writers_.emplace(id, number);
  return number;
}

void Table::EndWriter(const Transaction& transaction) noexcept {
  std::lock_guard lock(mutex_);
  writers_.erase(transaction.id());
}

void Table::BeginDrop(const TableWrite& write) {
  std::lock_guard lock(mutex_);
  RequireAlone(write);
  dropped_by_ = write.transaction.id();
}

void Table::RequireAlone(const TableWrite& write) const {
  const Timestamp id = write.transaction.id();
  const auto is_other = [&](Timestamp other) { return other != 0 && other != id; };
  const bool others_write = writers_.size() > writers_.count(id);
  if (others_write || is_other(dropped_by_) || is_other(altered_by_)) ThrowDropConflict(write.table_name);
}

void Table::CancelDrop() noexcept {
  std::lock_guard lock(mutex_);
  dropped_by_ = 0;
}

void Table::Insert(const TableWrite& write, std::vector<std::shared_ptr<const RowGroup>> row_groups,
                   const std::vector<ColumnStatistics>& statistics, const AttributeStatistics& attributes) {
  if (row_groups.empty()) return;
  TableChanges& changes = RequireChanges(write);
  auto next = std::make_shared<TableSnapshot>(*changes.local);
  const RowNumber first_row = next->next_row;
  for (const auto& row_group : row_groups) {
    // Rows with in-place changes are referred to by number, so they stay; new rows are only appended behind
    // them.
    if (!TryJoin(*next, *row_group)) next->Append(row_group);
  }
  AttributeDelta delta;
  if (attributes_) {
    // Logged statistics cover the whole transaction, so they are not exact for one statement.
    const bool is_exact = !write.transaction.is_replay();
    const VisibleAttributes seen = AttributesSeenBy(write.transaction);
    delta = AttributesOfInserted(row_groups, is_exact ? &attributes : nullptr, attributes_->attribute_count(),
                                 [&](AttributeId id) { return seen.Has(id); });
  }
  auto undo = std::make_unique<InsertUndo>(shared_from_this(), changes, changes.local);
  InsertUndo& insert = *undo;
  IndexEdits& edits = undo->edits();
  // The undo entry comes before the change, so that a failure below can be rolled back.
  changes.AddEdits(edits, [&] { write.transaction.AddUndo(std::move(undo)); });
  changes.local = std::move(next);
  if (attributes_) {
    AddAttributeChanges(write, changes, delta);
    insert.SetAttributes(std::move(delta));
  }
  // Keys after the rows: a reader that finds an entry must be able to find its row.
  AddInsertedKeys(write, row_groups, first_row, edits);
  AddElements(write, row_groups, first_row);
  for (size_t i = 0; i < types_.size(); i++)
    changes.statistics[i].Merge(statistics[i], PhysicalTypeOf(types_[i]));
  if (attributes_) changes.attributes.Merge(attributes, *attributes_);
}

Table::WriteUndo& Table::BeginWrite(const TableWrite& write) {
  TableChanges& changes = RequireChanges(write);
  auto undo = std::make_unique<WriteUndo>(shared_from_this(), changes);
  WriteUndo& begun = *undo;
  changes.AddEdits(begun.edits(), [&] { write.transaction.AddUndo(std::move(undo)); });
  return begun;
}

template <typename Change>
void Table::ChangeBlock(const TableWrite& write, WriteUndo& undo, RowNumber row, Change&& change) {
  auto& changes = RequireChanges(write);
  TableVersions& versions = IsLocalRow(row) ? *changes.local_versions : *versions_;
  const VersionWriter writer{write.transaction.view(), write.transaction.stamp(), write.table_name};
  // Nothing may fail between the change and its entry in the undo list.
  undo.ReserveOne();
  while (true) {
    const auto block = versions.Require(row);
    std::lock_guard lock(block->mutex);
    if (versions.Find(row) != block) continue;  // another thread removed it as empty meanwhile
    const RowNumber first = row - (row - versions.first_row()) % kVectorSize;
    undo.Add(versions, {first, block, change(*block, writer, first)});
    return;
  }
}

void Table::Delete(const TableWrite& write, std::span<const RowNumber> rows) {
  if (rows.empty()) return;
  WriteUndo& undo = BeginWrite(write);
  // Before the deletion, while the rows can still be read.
  NoteDeletedKeys(write, rows, undo.edits());
  AttributeDelta delta;
  if (attributes_) delta = AttributesOfDeleted(View(write.transaction), rows, attributes_->attribute_count());
  const std::span<const RowNumber> all_rows = rows;
  while (!rows.empty()) {
    const size_t count = CountInBlock(rows, IsLocalRow(rows[0]) ? kFirstLocalRow : 0);
    ChangeBlock(write, undo, rows[0], [&](VersionBlock& block, const VersionWriter& writer, RowNumber first) {
      std::vector<sel_t> in_block;
      for (const RowNumber row : rows.first(count)) in_block.push_back(static_cast<sel_t>(row - first));
      return block.Delete(writer, std::move(in_block));
    });
    rows = rows.subspan(count);
  }
  if (attributes_) {
    AddAttributeChanges(write, RequireChanges(write), delta);
    undo.SetAttributes(std::move(delta));
  }
  DeleteElements(write, all_rows);
}

void Table::Update(const TableWrite& write, std::span<const RowNumber> rows, std::span<const size_t> columns,
                   DataChunk& values) {
  if (rows.empty()) return;
  WriteUndo& undo = BeginWrite(write);
  TableChanges& changes = RequireChanges(write);
  std::vector<LogicalType> column_types;
  for (const size_t column : columns) column_types.push_back(types_[column]);
  DataChunk old_values(column_types);
  RowFetcher(View(write.transaction), types_, {columns.begin(), columns.end()}, KernelsOf(BestKernelLevel()))
      .Fetch(rows, old_values);
  // Before the update, since it reads the old keys.
  const std::vector<KeyChange> key_changes = ReadKeyChanges(write, rows, columns, values);
  for (size_t i = 0; i < columns.size(); i++) {
    AddStatistics(changes.statistics[columns[i]], values.column(i), rows.size());
    if (attributes_ && columns[i] == kRecordColumn)
      changes.attributes.AddRecords(values.column(i), rows.size(), *attributes_);
  }
  for (size_t begin = 0; begin < rows.size();) {
    const auto rest = rows.subspan(begin);
    const size_t count = CountInBlock(rest, IsLocalRow(rest[0]) ? kFirstLocalRow : 0);
    ChangeBlock(write, undo, rest[0], [&](VersionBlock& block, const VersionWriter& writer, RowNumber first) {
      std::vector<sel_t> in_block;
      for (const RowNumber row : rest.first(count)) in_block.push_back(static_cast<sel_t>(row - first));
      std::vector<VersionBlock::ColumnChange> column_changes;
      for (size_t i = 0; i < columns.size(); i++) {
        const PhysicalType type = PhysicalTypeOf(column_types[i]);
        VersionBlock::ColumnChange& change = column_changes.emplace_back(VersionBlock::ColumnChange{
            static_cast<uint32_t>(columns[i]), ValueList(type), ValueList(type), {}});
        const UnifiedView new_view = values.column(i).View(rows.size());
        const UnifiedView old_view = old_values.column(i).View(rows.size());
        for (size_t k = begin; k < begin + count; k++) {
          change.new_values.Append(new_view, k);
          change.old_values.Append(old_view, k);
        }
        change.zone = ZoneOf(change.new_values);
      }
      return block.Update(writer, std::move(in_block), std::move(column_changes));
    });
    begin += count;
  }
  // After the update: see TableIndex for why the row changes first.
  ChangeKeys(write, rows, key_changes, undo.edits());
  for (size_t i = 0; attributes_ && i < columns.size(); i++) {
    if (columns[i] != kRecordColumn) continue;
    AttributeDelta delta = AttributesOfChanged(old_values.column(i), values.column(i), rows.size(),
                                               attributes_->attribute_count());
    AddAttributeChanges(write, changes, delta);
    undo.SetAttributes(std::move(delta));
    ChangeElements(write, rows, old_values.column(i), values.column(i));
  }
}

RowNumber Table::PreparePublish(const TableChanges& changes,
                                const std::vector<std::shared_ptr<const RowGroup>>& inserted) {
  std::lock_guard lock(mutex_);
  const TableSnapshot& previous =
      prepared_.empty() ? *snapshots_.back().snapshot : *prepared_.back().snapshot;
  auto next = std::make_shared<TableSnapshot>(previous);
  const RowNumber first_row = next->next_row;
  for (const auto& row_group : inserted) {
    if (!TryJoin(*next, *row_group)) next->Append(row_group);
  }
  next->deleted_count += changes.deleted_count;
  for (size_t i = 0; i < types_.size(); i++)
    next->statistics[i].Merge(changes.statistics[i], PhysicalTypeOf(types_[i]));
  // Merged before any transaction can see the rows. If the commit fails, the statistics stay wider than
  // necessary.
  if (attributes_) {
    attribute_statistics_.Merge(changes.attributes, *attributes_);
    next->attributes = previous.attributes->After(changes.attribute_changes, *attributes_);
  }
  prepared_.push_back({0, std::move(next)});
  return first_row;
}

void Table::CancelPublish() noexcept {
  std::lock_guard lock(mutex_);
  prepared_.pop_back();
}

void Table::Publish(Timestamp commit_timestamp) noexcept {
  std::lock_guard lock(mutex_);
  prepared_.front().timestamp = commit_timestamp;
  snapshots_.splice(snapshots_.end(), prepared_, prepared_.begin());
}

bool Table::Prune(Timestamp oldest_start) noexcept {
  std::lock_guard lock(mutex_);
  // A snapshot is needed as long as some transaction began before the next one.
  while (snapshots_.size() > 1 && std::next(snapshots_.begin())->timestamp <= oldest_start)
    snapshots_.pop_front();
  return snapshots_.size() == 1;
}

bool Table::TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept {
  if (snapshot.row_groups.empty() || row_group.row_count() > kJoinRows) return false;
  // Stored row groups are joined by checkpoints, which write them anew.
  if (row_group.is_stored() || snapshot.row_groups.back()->is_stored()) return false;
  const auto is_heavy = [this](const RowGroup& item) { return IsHeavy(item, types_.size(), memory_); };
  if (is_heavy(row_group) || is_heavy(*snapshot.row_groups.back())) return false;
  const auto& last = static_cast<const MemoryRowGroup&>(*snapshot.row_groups.back());
  if (last.row_count() + row_group.row_count() > kRowsPerRowGroup) return false;
  // Row numbers must be consecutive within a row group.
  if (snapshot.first_rows.back() + last.row_count() != snapshot.next_row) return false;
  try {
    RowGroupBuilder builder(types_, memory_);
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

}  // namespace scaup
