// Change rows: UPDATE and DELETE.
#include "execution/write/change_rows.hpp"

#include <algorithm>
#include <span>

#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "execution/write/foreign_key_notes.hpp"
#include "execution/write/table_writer.hpp"
#include "execution/write/target_rows.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

/// Keeps those of sorted rows that have a number, and the first of each number.
class FirstOfNumber {
 public:
  size_t Select(DataChunk& rows, sel_t* selected) {
    const auto numbers = rows.column(0).ViewAs<int64_t>(rows.size());
    size_t count = 0;
    for (size_t i = 0; i < rows.size(); i++) {
      // An unmatched row of an outer join has no number.
      if (!numbers.IsValid(i) || numbers[i] == previous_) continue;
      previous_ = numbers[i];
      selected[count++] = static_cast<sel_t>(i);
    }
    return count;
  }

 private:
  int64_t previous_ = -1;
};

/// The rows of one statement, from when they are known until they are changed: in the order of their numbers,
/// and each once. Like all materialized rows they are spilled when memory is short.
class RowChange {
 public:
  RowChange(QueryContext& context, TableEntryRef table, const std::vector<size_t>& columns,
            const std::vector<LogicalType>& child_types, std::shared_ptr<const MaterializedRows> rows)
      : context_(context),
        entry_(std::move(table)),
        columns_(columns),
        child_types_(child_types),
        rows_(std::move(rows)) {
    // A scan gives the rows in this order already; a join or an index may not.
    if (AreNumbersAscending(context, rows_)) return;
    FirstOfNumber first;
    rows_ = SortByNumber(context, std::move(rows_), child_types,
                         [&](DataChunk& chunk, sel_t* selected) { return first.Select(chunk, selected); });
  }

  size_t row_count() const { return rows_->row_count(); }

  /// Calls visit(row numbers, child's rows) for all rows, up to 1024 at a time.
  template <typename Visit>
  void ForEachChunk(const Visit& visit) const {
    ForEachTargetChunk(context_, rows_, child_types_, [&](DataChunk& chunk) {
      RowNumber rows[kVectorSize];
      visit(NumbersOf(chunk, rows), chunk);
    });
  }

  void Write() const {
    if (columns_.empty()) return Delete();
    MovesRows() ? Move() : Update();
  }

 private:
  /// Whether the versions of updated rows would take too much memory, and new rows would not.
  bool MovesRows() const {
    // Values before and after the update.
    constexpr size_t kVersions = 2, kMostShare = 8;
    const Table& table = *entry_->storage;
    if (!table.store() || table.documents() != nullptr || table.element_source() != nullptr) return false;
    return context_.writes_put_off == nullptr &&
           kVersions * rows_->size_bytes() > context_.MemoryBytes() / kMostShare;
  }

  void Delete() const {
    Table& table = *entry_->storage;
    ForeignKeyNotes notes(context_, entry_);
    ForEachLeft([&](std::span<const RowNumber> rows, DataChunk&) {
      notes.Deleted(rows);
      table.Delete(write(), rows);
    });
  }

  void Update() const {
    Table& table = *entry_->storage;
    ForeignKeyNotes notes(context_, entry_);
    ForEachLeft([&](std::span<const RowNumber> rows, DataChunk& chunk) {
      DataChunk values = NewValues(chunk);
      notes.Updated(rows, columns_, values);
      table.Update(write(), rows, columns_, values);
    });
    // Updates may exchange keys between rows, so keys are checked once all rows are written.
    table.indexes().CheckKeys(write());
  }

  /// Updates rows by replacing them with new ones: those of a table in a file are written there, and that the
  /// old ones are deleted takes little memory.
  void Move() const {
    Table& table = *entry_->storage;
    ForeignKeyNotes notes(context_, entry_);
    // All rows go before the first one comes: they may exchange unique keys.
    ForEachChunk([&](std::span<const RowNumber> rows, DataChunk& chunk) {
      DataChunk values = NewValues(chunk);
      notes.Updated(rows, columns_, values);
      table.Delete(write(), rows);
    });
    std::vector<size_t> kept_columns;
    std::vector<LogicalType> kept_types;
    for (size_t i = 0; i < table.types().size(); i++) {
      if (std::find(columns_.begin(), columns_.end(), i) != columns_.end()) continue;
      kept_columns.push_back(i);
      kept_types.push_back(table.types()[i]);
    }
    // It reads deleted rows, too.
    RowFetcher fetcher(table.UnloggedView(context_.transaction), table.types(), kept_columns,
                       context_.functions.kernels);
    // Without a statement, as its foreign keys are noted already.
    TableWriter writer(context_.settings(), context_.memory(), entry_);
    TableWriter::Part& part = writer.NewPart();
    DataChunk kept(kept_types), moved(table.types());
    ForEachChunk([&](std::span<const RowNumber> rows, DataChunk& chunk) {
      DataChunk values = NewValues(chunk);
      fetcher.Fetch(rows, kept);
      for (size_t i = 0; i < columns_.size(); i++) moved.column(columns_[i]).Reference(values.column(i));
      for (size_t i = 0; i < kept_columns.size(); i++)
        moved.column(kept_columns[i]).Reference(kept.column(i));
      moved.SetSize(rows.size());
      part.Append(moved);
      moved.Release();
    });
    part.Finish();
    writer.Publish(context_.transaction);
  }

  TableWrite write() const { return {context_.transaction, entry_->name}; }

  /// Returns the new values of `columns_`. Throws Error(kConstraint, 23502) if one may not be NULL.
  DataChunk NewValues(DataChunk& chunk) const {
    std::vector<LogicalType> types;
    for (const size_t column : columns_) types.push_back(entry_->storage->types()[column]);
    DataChunk values(types);
    for (size_t i = 0; i < columns_.size(); i++) {
      values.column(i).Reference(chunk.column(i + 1));
      CheckNotNull(entry_->columns[columns_[i]], values.column(i), chunk.size());
    }
    values.SetSize(chunk.size());
    return values;
  }

  /// Calls visit as ForEachChunk does, without rows that another part of the statement has deleted.
  template <typename Visit>
  void ForEachLeft(const Visit& visit) const {
    ForEachChunk([&](std::span<const RowNumber> rows, DataChunk& chunk) {
      if (context_.writes_put_off == nullptr) return visit(rows, chunk);
      const std::vector<RowNumber> left = LeaveOutDeleted(rows, chunk);
      visit(std::span(left), chunk);
    });
  }

  /// Removes rows that another part of the statement has deleted in the meantime.
  std::vector<RowNumber> LeaveOutDeleted(std::span<const RowNumber> rows, DataChunk& chunk) const {
    const Table& table = *entry_->storage;
    RowFetcher fetcher(table.UnloggedView(context_.transaction), table.types(), {},
                       context_.functions.kernels);
    uint8_t is_there[kVectorSize];
    fetcher.TestVisible(rows, is_there);
    auto selection = std::make_shared<SelectionVector>();
    std::vector<RowNumber> left;
    for (size_t i = 0; i < rows.size(); i++) {
      if (is_there[i] == 0) continue;
      selection->rows[left.size()] = static_cast<sel_t>(i);
      left.push_back(rows[i]);
    }
    chunk.Slice(selection, left.size());
    chunk.SetSize(left.size());
    return left;
  }

  QueryContext& context_;
  TableEntryRef entry_;
  const std::vector<size_t>& columns_;
  const std::vector<LogicalType>& child_types_;
  std::shared_ptr<const MaterializedRows> rows_;
};

}  // namespace

ChangeRowsOperator::ChangeRowsOperator(std::string name, TableEntryRef table, std::vector<size_t> columns,
                                       PhysicalOperatorPtr child, WrittenRowRules rules)
    : PhysicalOperator(std::move(name), rules.ReturnedTypes()),
      table_(std::move(table)),
      columns_(std::move(columns)),
      rules_(std::move(rules)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> ChangeRowsOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<ReturningShared>(context, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void ChangeRowsOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  RequireWritable(context.transaction, *table_, columns_.empty() ? "DELETE" : "UPDATE");
  NoteTarget(context, table_, columns_.empty() ? kOnDelete : kOnUpdate, rules_.assigned);
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const auto change = std::make_shared<RowChange>(
      context, table_, columns_, children[0]->types(),
      MaterializedRows::Collect(context, *children[0], *shared.children[0], shared.profile));
  if (!rules_.checks.empty() || !rules_.returning.empty()) {
    WrittenRowHandler handler(context, rules_, shared);
    change->ForEachChunk([&](std::span<const RowNumber>, DataChunk& chunk) { handler.Handle(chunk); });
  }
  if (rules_.counts_rows) context.rows_changed.fetch_add(change->row_count());
  context.Write([change] { change->Write(); });
}

void ChangeRowsOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

}  // namespace scaup
