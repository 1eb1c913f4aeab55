// MaintainedIndexes: maintains the indexes on inserts, updates and deletions; makes and drops indexes.
#include "storage/table/maintained_indexes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "storage/index/entry_sorter.hpp"
#include "storage/index/index_spill.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_tree.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/row_group_reader.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table/table_read_predicate.hpp"
#include "storage/table_index/index_edits.hpp"
#include "storage/table_index/unique_check.hpp"

namespace scaup {

namespace {

using RowGroups = std::vector<std::shared_ptr<const RowGroup>>;

/// Returns whether the uniqueness of an index is enforced for a transaction.
bool IsEnforced(const TableIndex& index, const Transaction& transaction) {
  return index.is_unique() && !transaction.is_replay() && index.dropped_by() != transaction.id();
}

/// Logs that a transaction has learned that a key is taken, since it may go on after the error.
void LogKeyRead(const TableWrite& write, const std::shared_ptr<const Table>& table, const TableIndex& index,
                DataChunk& key_columns, size_t row) {
  if (!write.transaction.logs_reads()) return;
  std::vector<ScanFilter> filters;
  for (size_t i = 0; i < index.columns().size(); i++)
    filters.push_back({index.columns()[i], ScanFilter::Op::kEqual, key_columns.column(i).GetValue(row)});
  write.transaction.LogRead(std::make_unique<TableReadPredicate>(table, std::string(write.table_name),
                                                                 table->types(), index.columns(),
                                                                 ScanPredicate{std::move(filters)}));
}

bool HasNull(const TableIndex& index, DataChunk& columns, size_t row) {
  for (size_t i = 0; i < index.columns().size(); i++) {
    if (columns.column(i).GetValue(row).is_null()) return true;
  }
  return false;
}

}  // namespace

/// Ends the maintenance of an index when its drop commits or its creation is rolled back.
class MaintainedIndexes::IndexUndo final : public UndoEntry {
 public:
  IndexUndo(std::shared_ptr<Table> table, TableIndexRef index, bool is_drop)
      : table_(std::move(table)), index_(std::move(index)), is_drop_(is_drop) {}
  IndexEdits& edits() { return edits_; }
  /// Sets the changes whose list of edits has the index's; null if none has.
  void SetChanges(TableChanges* changes) { changes_ = changes; }

  void Commit(Timestamp, Timestamp) noexcept override {
    edits_.ForgetAdded();
    if (is_drop_) Remove();
  }
  void Rollback() noexcept override {
    if (changes_ != nullptr) changes_->RemoveEdits(edits_);
    if (is_drop_) {
      // The index was maintained all the time, so it is complete.
      index_->SetDroppedBy(0);
    } else {
      Remove();
    }
  }

 private:
  void Remove() noexcept {
    index_->SetGone();
    table_->indexes().Remove(index_);
  }
  std::shared_ptr<Table> table_;
  TableIndexRef index_;
  bool is_drop_;
  TableChanges* changes_ = nullptr;
  IndexEdits edits_;
};

TableIndexList MaintainedIndexes::List() const {
  MutexLock lock(mutex_);
  return indexes_;
}

void MaintainedIndexes::Add(const TableIndexRef& index) {
  MutexLock lock(mutex_);
  indexes_.push_back(index);
}

void MaintainedIndexes::Remove(const TableIndexRef& index) noexcept {
  MutexLock lock(mutex_);
  std::erase(indexes_, index);
}

// --- Rows

std::optional<uint32_t> MaintainedIndexes::WriterOf(const Transaction& any) const {
  const Transaction& transaction = any.In(table_.transactions());
  const TableChanges* changes = ChangesOf(table_, transaction);
  return changes == nullptr ? std::nullopt : std::optional(changes->writer);
}

SeenIndexes MaintainedIndexes::SeenBy(const Transaction& any) const {
  const Transaction& transaction = any.In(table_.transactions());
  SeenIndexes seen{List(), WriterOf(transaction)};
  std::erase_if(seen.indexes,
                [&](const TableIndexRef& index) { return !index->IsWholeFor(transaction.view()); });
  return seen;
}

KeyHolderTest MaintainedIndexes::HoldersSeenBy(const Transaction& transaction,
                                               const TableIndex& index) const {
  return {table_.UnloggedView(transaction), table_.types(), index, WriterOf(transaction), table_.memory()};
}

/// Adds the keys of inserted rows to one index. Where the entries may exceed the memory that changed parts
/// have, they are sorted first, so that each part is changed once. Used by one thread.
class MaintainedIndexes::InsertedKeys {
 public:
  InsertedKeys(MaintainedIndexes& indexes, const TableWrite& write, const TableIndexRef& index,
               IndexEdits& edits)
      : indexes_(indexes),
        write_(write),
        index_(index),
        edits_(edits),
        writer_(ChangesOf(indexes.table_, write.transaction)->writer),
        is_unique_(IsEnforced(*index, write.transaction)) {}

  void Add(const RowGroups& row_groups, RowNumber first_row) {
    if (!MayExceedMemory(row_groups)) {
      return Visit(row_groups, first_row,
                   [&](KeyBytes key, RowNumber row, bool has_null) { Insert(key, row, has_null); });
    }
    MemoryTracker& memory = indexes_.table_.memory();
    EntrySorter sorter(memory, index_->tree().temporary_storage(), &RunningCall::CheckInterrupt);
    Visit(row_groups, first_row, [&](KeyBytes key, RowNumber row, bool has_null) {
      sorter.Add(key, row - first_row + (has_null ? kNullMark : 0));
    });
    sorter.BeginReading();
    KeyBytes key;
    uint64_t value = 0;
    while (sorter.Next(key, value)) Insert(key, first_row + (value & ~kNullMark), (value & kNullMark) != 0);
  }

 private:
  static constexpr uint64_t kNullMark = uint64_t{1} << 63;
  // Rough estimates: an entry's memory in a tree, and the entries of a row in a text index.
  static constexpr size_t kEntryBytes = 64, kWordsPerRow = 16;

  bool MayExceedMemory(const RowGroups& row_groups) const {
    if (index_->tree().temporary_storage() == nullptr) return false;
    size_t entry_count = 0;
    for (const auto& row_group : row_groups) entry_count += row_group->row_count();
    if (index_->is_text()) entry_count *= kWordsPerRow;
    return entry_count > IndexSpill::MostBytes(indexes_.table_.memory()) / kEntryBytes;
  }

  /// Calls visit(key, row, has_null) for all keys, in the order of the rows.
  template <typename F>
  void Visit(const RowGroups& row_groups, RowNumber row, const F& visit) const {
    const Table& table = indexes_.table_;
    RowKeys keys(table.memory());
    DataChunk columns(index_->row_types());
    for (const auto& row_group : row_groups) {
      RowGroupReader reader(table.types(), index_->columns(), *row_group, KernelsOf(BestKernelLevel()));
      for (size_t block = 0; block < row_group->block_count(); block++) {
        RunningCall::CheckInterrupt();
        const size_t count = row_group->BlockRows(block);
        columns.Release();
        reader.Read(block, columns);
        index_->EncodeRows(columns, count, keys);
        for (size_t i = 0; i < count; i++, row++) {
          for (size_t k = keys.begin(i); k < keys.end(i); k++) visit(keys[k], row, keys.has_null(k));
        }
      }
    }
  }

  void Insert(KeyBytes key, RowNumber row, bool has_null) {
    const bool is_checked = is_unique_ && !has_null;
    present_.clear();
    // Inserts the entry first and looks at others afterwards: of two transactions that do this at once, at
    // least one sees the other.
    edits_.Insert(index_, key, IndexValue::OfLocal(writer_, row), indexes_.table_.memory(),
                  is_checked ? &present_ : nullptr);
    if (index_->is_deferrable()) {
      if (!present_.empty()) NoteLate(key, IndexValue::OfLocal(writer_, row));
      return;
    }
    for (const uint64_t value : present_) {
      if (!holders_) holders_.emplace(indexes_.HoldersSeenBy(write_.transaction, *index_));
      const auto holder = holders_->Test(key, value);
      if (holder == KeyHolderTest::Holder::kNone) continue;
      if (holder == KeyHolderTest::Holder::kUnseen) ThrowKeyConflict(*index_, write_.table_name);
      indexes_.ThrowTaken(write_, *index_, row);
    }
  }

  void NoteLate(KeyBytes key, uint64_t value) {
    MemoryTracker& memory = indexes_.table_.memory();
    ChangesOf(indexes_.table_, write_.transaction)->LateKeys(index_, memory).Add(key, value);
  }

  MaintainedIndexes& indexes_;
  const TableWrite& write_;
  const TableIndexRef& index_;
  IndexEdits& edits_;
  const uint32_t writer_;
  const bool is_unique_;
  std::optional<KeyHolderTest> holders_;
  std::vector<uint64_t> present_;
};

void MaintainedIndexes::AddInserted(const TableWrite& write, const RowGroups& row_groups, RowNumber first_row,
                                    IndexEdits& edits) {
  TableChanges& changes = *ChangesOf(table_, write.transaction);
  for (const TableIndexRef& index : List()) {
    if (IsEnforced(*index, write.transaction)) changes.RequireKeyReads(write, table_.shared_from_this());
    InsertedKeys(*this, write, index, edits).Add(row_groups, first_row);
  }
}

void MaintainedIndexes::NoteDeleted(const TableWrite& write, std::span<const RowNumber> rows,
                                    IndexEdits& edits) {
  // Entries of local rows are erased when the transaction ends.
  const auto local = std::lower_bound(rows.begin(), rows.end(), kFirstLocalRow);
  rows = rows.first(static_cast<size_t>(local - rows.begin()));
  if (rows.empty()) return;
  for (const TableIndexRef& index : List()) {
    RowFetcher fetcher(table_.UnloggedView(write.transaction), table_.types(), index->columns(),
                       KernelsOf(BestKernelLevel()));
    RowKeys keys(table_.memory());
    DataChunk columns(index->row_types());
    // The entries stay in the index until no transaction sees the rows.
    IndexEntryList& removed = edits.Removed(index, table_.memory());
    for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
      const auto part = rows.subspan(begin, std::min(kVectorSize, rows.size() - begin));
      fetcher.Fetch(part, columns);
      index->EncodeRows(columns, part.size(), keys);
      for (size_t i = 0; i < part.size(); i++) {
        for (size_t k = keys.begin(i); k < keys.end(i); k++) removed.Add(keys[k], part[i]);
      }
    }
  }
}

std::vector<KeyChange> MaintainedIndexes::ReadChanges(const TableWrite& write,
                                                      std::span<const RowNumber> rows,
                                                      std::span<const size_t> columns,
                                                      DataChunk& values) const {
  std::vector<KeyChange> changes;
  for (const TableIndexRef& index : List()) {
    // An update of other columns leaves the keys as they are.
    if (!index->IsOver({columns.begin(), columns.end()})) continue;
    KeyChange& change = changes.emplace_back(index, table_.memory());
    DataChunk old_columns(index->row_types());
    RowFetcher(table_.UnloggedView(write.transaction), table_.types(), index->columns(),
               KernelsOf(BestKernelLevel()))
        .Fetch(rows, old_columns);
    index->EncodeRows(old_columns, rows.size(), change.old_keys);
    DataChunk new_columns(index->row_types());
    for (size_t i = 0; i < index->columns().size(); i++) {
      const auto changed = std::find(columns.begin(), columns.end(), index->columns()[i]);
      const Vector& source = changed == columns.end()
                                 ? old_columns.column(i)
                                 : values.column(static_cast<size_t>(changed - columns.begin()));
      new_columns.column(i).Reference(source);
    }
    new_columns.SetSize(rows.size());
    index->EncodeRows(new_columns, rows.size(), change.new_keys);
  }
  return changes;
}

void MaintainedIndexes::Apply(const TableWrite& write, std::span<const RowNumber> rows,
                              const std::vector<KeyChange>& key_changes, IndexEdits& edits) {
  TableChanges& changes = *ChangesOf(table_, write.transaction);
  std::vector<uint64_t> present;
  for (const KeyChange& change : key_changes) {
    const RowKeys &old_keys = change.old_keys, &new_keys = change.new_keys;
    const bool is_unique = IsEnforced(*change.index, write.transaction);
    if (is_unique) changes.RequireKeyReads(write, table_.shared_from_this());
    for (size_t i = 0; i < rows.size(); i++) {
      // Entries of numbered rows stay for older readers; those of local rows are dropped when rows are
      // numbered.
      for (size_t k = old_keys.begin(i); !IsLocalRow(rows[i]) && k < old_keys.end(i); k++) {
        if (!new_keys.Has(i, old_keys[k]))
          edits.Removed(change.index, table_.memory()).Add(old_keys[k], rows[i]);
      }
      const uint64_t value = IsLocalRow(rows[i]) ? IndexValue::OfLocal(changes.writer, rows[i]) : rows[i];
      for (size_t k = new_keys.begin(i); k < new_keys.end(i); k++) {
        // A key that the row had already has its entry.
        if (old_keys.Has(i, new_keys[k])) continue;
        const bool is_checked = is_unique && !new_keys.has_null(k);
        present.clear();
        edits.Insert(change.index, new_keys[k], value, table_.memory(), is_checked ? &present : nullptr);
        std::erase(present, value);
        if (present.empty()) continue;
        // The row that has the key may lose it in the same statement, or before the commit.
        IndexEntryList& list = change.index->is_deferrable()
                                   ? changes.LateKeys(change.index, table_.memory())
                                   : changes.UncheckedKeys(change.index, table_.memory());
        list.Add(new_keys[k], value);
      }
    }
  }
}

void MaintainedIndexes::CheckKeys(const TableWrite& any) {
  const TableWrite write{any.transaction.In(table_.transactions()), any.table_name};
  TableChanges* changes = ChangesOf(table_, write.transaction);
  if (changes == nullptr || changes->unchecked_keys.empty()) return;
  // Taken out first: if this throws, the statement is rolled back together with its keys.
  const auto lists = std::exchange(changes->unchecked_keys, {});
  for (const auto& list : lists) CheckListed(write, *list);
}

void MaintainedIndexes::CheckLateKeys(const TableWrite& any, const TableIndexRef& index) {
  const TableWrite write{any.transaction.In(table_.transactions()), any.table_name};
  TableChanges* changes = ChangesOf(table_, write.transaction);
  // An index that was dropped, or whose making was rolled back, has nothing to say any more.
  if (changes == nullptr || index->is_gone() || !IsEnforced(*index, write.transaction)) return;
  for (const auto& list : changes->late_keys) {
    if (list->index() == index) CheckListed(write, *list);
  }
}

void MaintainedIndexes::ForgetLateKeys(const Transaction& any, const TableIndexRef& index) {
  TableChanges* changes = ChangesOf(table_, any.In(table_.transactions()));
  if (changes == nullptr) return;
  std::erase_if(changes->late_keys, [&](const auto& list) { return list->index() == index; });
}

bool MaintainedIndexes::HasLateKeys(const Transaction& any, const TableIndexRef& index) const {
  const TableChanges* changes = ChangesOf(table_, any.In(table_.transactions()));
  return changes != nullptr && std::any_of(changes->late_keys.begin(), changes->late_keys.end(),
                                           [&](const auto& list) { return list->index() == index; });
}

void MaintainedIndexes::CheckListed(const TableWrite& write, const IndexEntryList& list) const {
  const TableIndex& index = *list.index();
  KeyHolderTest holders = HoldersSeenBy(write.transaction, index);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < list.size(); i++) {
    const KeyBytes key = list.key(i);
    // The row may have lost the key again later.
    if (holders.Test(key, list.value(i)) != KeyHolderTest::Holder::kVisible) continue;
    values.clear();
    index.tree().Lookup(key, values);
    for (const uint64_t value : values) {
      // Every other holder is a duplicate or a conflict.
      const auto holder = value == list.value(i) ? KeyHolderTest::Holder::kNone : holders.Test(key, value);
      if (holder == KeyHolderTest::Holder::kNone) continue;
      if (holder == KeyHolderTest::Holder::kUnseen) ThrowKeyConflict(index, write.table_name);
      ThrowTaken(write, index, KeyHolderTest::RowOf(value));
    }
  }
  list.FreeReadPage();
}

void MaintainedIndexes::ThrowTaken(const TableWrite& write, const TableIndex& index, RowNumber row) const {
  DataChunk columns(index.key_types());
  RowFetcher(table_.UnloggedView(write.transaction), table_.types(), index.columns(),
             KernelsOf(BestKernelLevel()))
      .Fetch({&row, 1}, columns);
  // The error reveals that the key is taken, which counts as a read.
  LogKeyRead(write, table_.shared_from_this(), index, columns, 0);
  ThrowDuplicateKey(index, columns, 0);
}

std::optional<RowNumber> MaintainedIndexes::FindKey(const TableWrite& write, const TableIndex& index,
                                                    KeyBytes key) const {
  std::vector<uint64_t> values;
  index.tree().Lookup(key, values);
  std::optional<KeyHolderTest> holders;
  for (const uint64_t value : values) {
    // Most lookups find no entry and need no test.
    if (!holders) holders.emplace(HoldersSeenBy(write.transaction, index));
    const auto holder = holders->Test(key, value);
    if (holder == KeyHolderTest::Holder::kUnseen) ThrowKeyConflict(index, write.table_name);
    if (holder == KeyHolderTest::Holder::kVisible) return KeyHolderTest::RowOf(value);
  }
  return std::nullopt;
}

// --- Making and dropping

TableIndexRef MaintainedIndexes::Create(const TableWrite& write, IndexDefinition definition) {
  table_.locks().BeginAlter(write);
  // Stamped by the transaction, so that older transactions do not use the index.
  auto index = std::make_shared<TableIndex>(std::move(definition), table_.types(), table_.store(),
                                            table_.memory(), write.transaction.stamp());
  auto undo = std::make_unique<IndexUndo>(table_.shared_from_this(), index, false);
  IndexUndo& begun = *undo;
  TableChanges* changes = ChangesOf(table_, write.transaction);
  if (changes == nullptr) {
    write.transaction.AddUndo(std::move(undo));
  } else {
    changes->AddEdits(begun.edits(), [&] { write.transaction.AddUndo(std::move(undo)); });
    begun.SetChanges(changes);
  }
  // Built before it is listed: no statement may find it incomplete.
  Build(write, index, begun.edits());
  Add(index);
  return index;
}

TableIndexRef MaintainedIndexes::Load(IndexDefinition definition, IndexPlace place) {
  auto index =
      std::make_shared<TableIndex>(std::move(definition), table_.types(), table_.store(), std::move(place));
  Add(index);
  return index;
}

void MaintainedIndexes::Build(const TableWrite& write, const TableIndexRef& index, IndexEdits& edits) {
  const TableChanges* changes = ChangesOf(table_, write.transaction);
  TableScanSpecification specification{index->columns(), {}};
  specification.columns.push_back(kRowNumberColumn);
  std::vector<LogicalType> types = index->row_types();
  types.push_back(LogicalType(TypeId::kBigInt));
  TableScan scan(table_.UnloggedView(write.transaction), table_.types(), specification,
                 KernelsOf(BestKernelLevel()), kBlocksPerRowGroup);
  TableScan::Position position;
  // Entries of rows that are not committed must stay in memory, so all do where there are such rows.
  const bool may_spill = table_.store() != nullptr && (changes == nullptr || changes->local->row_count == 0);
  EntrySorter sorter(table_.memory(), may_spill ? table_.store()->temporary_storage() : nullptr,
                     &RunningCall::CheckInterrupt);
  RowKeys keys(table_.memory());
  DataChunk chunk(types), columns(index->row_types());
  for (; scan.Next(position, chunk); chunk.Release()) {
    RunningCall::CheckInterrupt();
    const size_t count = chunk.size();
    if (count == 0) continue;
    for (size_t i = 0; i < columns.column_count(); i++) columns.column(i).Reference(chunk.column(i));
    columns.SetSize(count);
    index->EncodeRows(columns, count, keys);
    const auto numbers = chunk.column(columns.column_count()).ViewAs<int64_t>(count);
    for (size_t i = 0; i < count; i++) {
      const auto row = static_cast<RowNumber>(numbers[i]);
      const uint64_t value = IsLocalRow(row) ? IndexValue::OfLocal(changes->writer, row) : row;
      for (size_t k = keys.begin(i); k < keys.end(i); k++) {
        // Entries of local rows are numbered at the commit like those of later inserts.
        if (IsLocalRow(row)) edits.Added(index, table_.memory()).Add(keys[k], value);
        sorter.Add(keys[k], value);
      }
    }
  }
  const bool is_enforced = IsEnforced(*index, write.transaction);
  IndexKey last;
  const auto next = [&](KeyBytes& key, uint64_t& value) {
    if (!sorter.Next(key, value)) return false;
    if (!is_enforced) return true;
    // Duplicates are adjacent after sorting.
    if (std::equal(key.begin(), key.end(), last.begin(), last.end())) CheckDuplicate(write, *index, value);
    last.assign(key.begin(), key.end());
    return true;
  };
  sorter.BeginReading();
  if (sorter.has_spilled()) return index->tree().BuildInFile(next);
  KeyBytes key;
  uint64_t value = 0;
  while (is_enforced && next(key, value)) {
  }
  index->tree().Build(sorter.entries());
}

void MaintainedIndexes::CheckDuplicate(const TableWrite& write, const TableIndex& index,
                                       uint64_t value) const {
  DataChunk columns(index.row_types());
  const RowNumber row = KeyHolderTest::RowOf(value);
  RowFetcher(table_.UnloggedView(write.transaction), table_.types(), index.columns(),
             KernelsOf(BestKernelLevel()))
      .Fetch({&row, 1}, columns);
  if (HasNull(index, columns, 0)) return;
  ThrowError(ErrorKind::kConstraint, sqlstate::kUniqueViolation,
             fmt::format("could not create unique index \"{}\": Key {} is duplicated.", index.name(),
                         index.names().DescribeKey(columns, 0)));
}

void MaintainedIndexes::Drop(const TableWrite& write, const TableIndexRef& index) {
  table_.locks().BeginAlter(write);
  // Maintained until the commit, as the drop may be rolled back.
  write.transaction.AddUndo(std::make_unique<IndexUndo>(table_.shared_from_this(), index, true));
  index->SetDroppedBy(write.transaction.id());
}

}  // namespace scaup
