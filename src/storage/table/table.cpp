// Table: writes rows on behalf of transactions, and shows them as transactions see them.
#include "storage/table/table.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table/table_compactor.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_locks.hpp"
#include "storage/table/table_sampler.hpp"
#include "storage/table/table_undo.hpp"

namespace scaup {

namespace {

/// A sample is picked when one row in this many has changed.
constexpr uint64_t kSampledShare = 4;

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

/// Returns how many of the ascending rows lie in the same version block as the first.
size_t CountInBlock(std::span<const RowNumber> rows, RowNumber base) {
  const RowNumber end = base + ((rows[0] - base) / kVectorSize + 1) * kVectorSize;
  return static_cast<size_t>(std::lower_bound(rows.begin(), rows.end(), end) - rows.begin());
}

/// Gives the transaction an undo entry for a write that is about to begin.
WriteUndo& AddWriteUndo(const TableWrite& write, std::shared_ptr<Table> table, TableChanges& changes) {
  auto undo = std::make_unique<WriteUndo>(std::move(table), changes);
  WriteUndo& added = *undo;
  changes.AddEdits(added.edits(), [&] { write.transaction.AddUndo(std::move(undo)); });
  return added;
}

}  // namespace

Table::Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id,
             std::shared_ptr<BlockStore> store, std::shared_ptr<AttributeDictionary> attributes)
    : types_(std::move(types)),
      memory_(memory),
      id_(id),
      store_(std::move(store)),
      attributes_(std::move(attributes)),
      versions_(std::make_shared<TableVersions>(memory, 0)),
      documents_(attributes_ ? std::make_unique<TableDocuments>(*this, attributes_) : nullptr),
      snapshots_(std::make_unique<SnapshotHistory>(types_, memory, attributes_)),
      locks_(std::make_shared<TableLocks>()),
      indexes_(std::make_unique<MaintainedIndexes>(*this)),
      sampler_(std::make_unique<TableSampler>(*this)),
      compactor_(std::make_unique<TableCompactor>(*this)) {}

Table::~Table() = default;

TableView Table::View(const ReadView& reader) const {
  return {reader, {{snapshots_->At(reader.start), versions_}}};
}

TableView Table::UnloggedView(const Transaction& any) const {
  const Transaction& transaction = any.In(transactions());
  TableView view = View(transaction.view());
  const TableChanges* changes = ChangesOf(*this, transaction);
  if (changes != nullptr && changes->local->row_count != 0)
    view.parts.push_back({changes->local, changes->local_versions});
  return view;
}

std::shared_ptr<const std::vector<ColumnStatistics>> Table::Statistics(const Transaction& any,
                                                                       const TableColumns& columns) const {
  const Transaction& transaction = any.In(transactions());
  auto snapshot = snapshots_->SeenBy(transaction);
  const TableChanges* changes = ChangesOf(*this, transaction);
  const size_t stored_count = types_.size();
  // Without own changes, the snapshot's statistics are shared instead of copied.
  if (changes == nullptr && columns.size() == stored_count) return {snapshot, &snapshot->statistics};
  auto merged = std::make_shared<std::vector<ColumnStatistics>>(snapshot->statistics);
  for (size_t i = 0; changes != nullptr && i < stored_count; i++)
    (*merged)[i].Merge(changes->statistics[i], PhysicalTypeOf(types_[i]));
  if (columns.size() > stored_count) documents_->AddStatistics(columns, stored_count, changes, *merged);
  return merged;
}

void Table::AfterCommit(TransactionManager& transactions) noexcept {
  compactor_->DropCompacted();
  sampler_->Refresh(transactions, kSampledShare);
  compactor_->CompactIfDue(transactions);
}

TableChanges& Table::RequireChanges(const TableWrite& write) {
  Transaction& transaction = write.transaction;
  if (TableChanges* changes = ChangesOf(*this, transaction)) return *changes;
  // Refused before anything is locked: what other processes commit is repeated here at any time.
  if (store_ && !transaction.is_replay()) store_->file().RequireWritable();
  // Documents must get their numbers before their elements refer to them, so the collection joins the
  // transaction first.
  if (element_source_ && !transaction.is_replay()) {
    const auto collection = element_source_->collection.lock();
    SCAUP_CHECK(collection);
    collection->RequireChanges(write);
  }
  auto changes = std::make_shared<TableChanges>(*this, locks_->BeginWriter(write));
  try {
    transaction.AddUndo(std::make_unique<TableChangesUndo>(shared_from_this(), transaction, changes));
  } catch (...) {
    locks_->EndWriter(transaction);
    throw;
  }
  transaction.SetLocal(this, changes);
  // Replayed changes are handled by the next checkpoint.
  if (!transaction.is_replay()) transaction.AddFollower(shared_from_this());
  return *changes;
}

/// Returns the write with the member of the transaction's family that belongs to the table's database.
static TableWrite InDatabaseOf(const Table& table, const TableWrite& write) {
  return {write.transaction.In(table.transactions()), write.table_name};
}

void Table::Insert(const TableWrite& any, std::vector<std::shared_ptr<const RowGroup>> row_groups,
                   const std::vector<ColumnStatistics>& statistics, const AttributeStatistics& attributes) {
  if (row_groups.empty()) return;
  const TableWrite write = InDatabaseOf(*this, any);
  TableChanges& changes = RequireChanges(write);
  auto next = std::make_shared<TableSnapshot>(*changes.local);
  const RowNumber first_row = next->next_row;
  // Rows with in-place changes are referred to by number, so they stay; new rows are only appended behind
  // them.
  for (const auto& row_group : row_groups) AppendJoined(*next, row_group, types_, memory_);
  AttributeDelta delta;
  if (documents_) delta = documents_->DeltaOfInsert(write.transaction, row_groups, attributes);
  auto undo = std::make_unique<InsertUndo>(shared_from_this(), changes, changes.local);
  InsertUndo& insert = *undo;
  IndexEdits& edits = undo->edits();
  // The undo entry comes before the change, so that a failure below can be rolled back.
  changes.AddEdits(edits, [&] { write.transaction.AddUndo(std::move(undo)); });
  changes.local = std::move(next);
  if (documents_) {
    documents_->AddDelta(write.transaction, changes, delta);
    insert.SetAttributes(std::move(delta));
  }
  // Keys after the rows: a reader that finds an entry must be able to find its row.
  indexes_->AddInserted(write, row_groups, first_row, edits);
  if (documents_) documents_->elements().Insert(write, row_groups, first_row);
  for (size_t i = 0; i < types_.size(); i++)
    changes.statistics[i].Merge(statistics[i], PhysicalTypeOf(types_[i]));
  if (documents_) changes.attributes.Merge(attributes, *attributes_);
}

void Table::Delete(const TableWrite& any, std::span<const RowNumber> rows) {
  if (rows.empty()) return;
  const TableWrite write = InDatabaseOf(*this, any);
  TableChanges& changes = RequireChanges(write);
  WriteUndo& undo = AddWriteUndo(write, shared_from_this(), changes);
  // Before the deletion, while the rows can still be read.
  indexes_->NoteDeleted(write, rows, undo.edits());
  AttributeDelta delta;
  if (documents_) delta = documents_->DeltaOfDelete(write.transaction, rows);
  const std::span<const RowNumber> all_rows = rows;
  while (!rows.empty()) {
    const size_t count = CountInBlock(rows, IsLocalRow(rows[0]) ? kFirstLocalRow : 0);
    undo.ChangeBlock(write, rows[0], [&](VersionBlock& block, const VersionWriter& writer, RowNumber first) {
      block.mutex.AssertHeld();
      std::vector<sel_t> in_block;
      for (const RowNumber row : rows.first(count)) in_block.push_back(static_cast<sel_t>(row - first));
      return block.Delete(writer, in_block);
    });
    rows = rows.subspan(count);
  }
  if (!documents_) return;
  documents_->AddDelta(write.transaction, changes, delta);
  undo.SetAttributes(std::move(delta));
  documents_->elements().Delete(write, all_rows);
}

void Table::Update(const TableWrite& any, std::span<const RowNumber> rows, std::span<const size_t> columns,
                   DataChunk& values) {
  if (rows.empty()) return;
  const TableWrite write = InDatabaseOf(*this, any);
  TableChanges& changes = RequireChanges(write);
  WriteUndo& undo = AddWriteUndo(write, shared_from_this(), changes);
  std::vector<LogicalType> column_types;
  for (const size_t column : columns) column_types.push_back(types_[column]);
  DataChunk old_values(column_types);
  RowFetcher(UnloggedView(write.transaction), types_, {columns.begin(), columns.end()},
             KernelsOf(BestKernelLevel()))
      .Fetch(rows, old_values);
  // Before the update, since it reads the old keys.
  const std::vector<KeyChange> key_changes = indexes_->ReadChanges(write, rows, columns, values);
  for (size_t i = 0; i < columns.size(); i++) {
    AddStatistics(changes.statistics[columns[i]], values.column(i), rows.size());
    if (documents_ && columns[i] == kRecordColumn)
      changes.attributes.AddRecords(values.column(i), rows.size(), *attributes_);
  }
  for (size_t begin = 0; begin < rows.size();) {
    const auto rest = rows.subspan(begin);
    const size_t count = CountInBlock(rest, IsLocalRow(rest[0]) ? kFirstLocalRow : 0);
    undo.ChangeBlock(write, rest[0], [&](VersionBlock& block, const VersionWriter& writer, RowNumber first) {
      block.mutex.AssertHeld();
      std::vector<sel_t> in_block;
      for (const RowNumber row : rest.first(count)) in_block.push_back(static_cast<sel_t>(row - first));
      std::vector<VersionBlock::ColumnChange> column_changes;
      for (size_t i = 0; i < columns.size(); i++) {
        const PhysicalType type = PhysicalTypeOf(column_types[i]);
        VersionBlock::ColumnChange& change = column_changes.emplace_back(VersionBlock::ColumnChange{
            static_cast<uint32_t>(columns[i]), ValueList(type), ValueList(type), {}});
        const UnifiedView new_view = values.column(i).View(rows.size());
        const UnifiedView old_view = old_values.column(i).View(rows.size());
        change.new_values.ReserveMore(count);
        change.old_values.ReserveMore(count);
        for (size_t k = begin; k < begin + count; k++) {
          change.new_values.Append(new_view, k);
          change.old_values.Append(old_view, k);
        }
        change.zone = ZoneOf(change.new_values);
      }
      return block.Update(writer, in_block, std::move(column_changes));
    });
    begin += count;
  }
  // After the update: see TableIndex for why the row changes first.
  indexes_->Apply(write, rows, key_changes, undo.edits());
  for (size_t i = 0; documents_ && i < columns.size(); i++) {
    if (columns[i] != kRecordColumn) continue;
    AttributeDelta delta = documents_->DeltaOfUpdate(old_values.column(i), values.column(i), rows.size());
    documents_->AddDelta(write.transaction, changes, delta);
    undo.SetAttributes(std::move(delta));
    documents_->elements().Update(write, rows, old_values.column(i), values.column(i));
  }
}

}  // namespace scaup
