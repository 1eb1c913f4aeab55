// Change rows: UPDATE and DELETE.
#include "execution/write/change_rows.hpp"

#include <algorithm>
#include <span>

#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "execution/write/foreign_key_notes.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

/// Collects the rows of one task.
class CollectionSink final : public ChunkSink {
 public:
  CollectionSink(const std::vector<LogicalType>& types, MemoryTracker& memory) : rows(types, memory) {}
  void Consume(DataChunk& chunk) override { rows.Append(chunk); }
  ColumnCollection rows;
};

/// A row to change, with the position of its child row.
struct Target {
  RowNumber row;
  uint64_t source;  // A CollectionRow.
};

/// Returns the rows to change, each once, sorted by number.
std::vector<Target> CollectTargets(const std::vector<const ColumnCollection*>& collections) {
  std::vector<Target> targets;
  for (size_t i = 0; i < collections.size(); i++) {
    for (size_t piece = 0; piece < collections[i]->piece_count(); piece++) {
      const auto numbers = collections[i]->PieceView(0, piece).As<int64_t>();
      for (size_t k = 0; k < collections[i]->PieceRows(piece); k++) {
        // An unmatched row of an outer join has no number.
        if (!numbers.IsValid(k)) continue;
        targets.push_back({static_cast<RowNumber>(numbers[k]), CollectionRow(i, piece * kVectorSize + k)});
      }
    }
  }
  std::sort(targets.begin(), targets.end(), [](const Target& a, const Target& b) {
    return a.row != b.row ? a.row < b.row : a.source < b.source;
  });
  const auto same_row = [](const Target& a, const Target& b) { return a.row == b.row; };
  targets.erase(std::unique(targets.begin(), targets.end(), same_row), targets.end());
  return targets;
}

/// The rows of one statement, from when they are known until they are changed.
class RowChange {
 public:
  RowChange(QueryContext& context, TableEntryRef table, const std::vector<size_t>& columns,
            const std::vector<LogicalType>& child_types, std::vector<std::unique_ptr<ChunkSink>> sinks)
      : context_(context),
        entry_(std::move(table)),
        columns_(columns),
        child_types_(child_types),
        sinks_(std::move(sinks)),
        target_memory_(context.memory()) {
    size_t row_count = 0;
    for (const auto& sink : sinks_) {
      collections_.push_back(&static_cast<const CollectionSink&>(*sink).rows);
      row_count += collections_.back()->row_count();
    }
    target_memory_.Resize(row_count * sizeof(Target));
    targets_ = CollectTargets(collections_);
  }

  size_t row_count() const { return targets_.size(); }

  /// Calls visit(row numbers, child's rows) for all rows, up to 1024 at a time.
  template <typename Visit>
  void ForEachChunk(const Visit& visit) const {
    DataChunk chunk(child_types_);
    for (size_t begin = 0; begin < targets_.size(); begin += kVectorSize) {
      context_.functions.CheckInterrupt();
      const size_t count = std::min(kVectorSize, targets_.size() - begin);
      RowNumber rows[kVectorSize];
      uint64_t sources[kVectorSize];
      for (size_t i = 0; i < count; i++) {
        rows[i] = targets_[begin + i].row;
        sources[i] = targets_[begin + i].source;
      }
      GatherFrom(collections_, sources, count, chunk);
      visit(std::span<const RowNumber>(rows, count), chunk);
    }
  }

  void Write() const {
    Table& table = *entry_->storage;
    const TableWrite write{context_.transaction, entry_->name};
    ForeignKeyNotes notes(context_, entry_);
    ForEachChunk([&](std::span<const RowNumber> rows, DataChunk& chunk) {
      std::vector<RowNumber> left;
      if (context_.writes_put_off != nullptr) {
        left = LeaveOutDeleted(rows, chunk);
        rows = left;
      }
      if (columns_.empty()) {
        notes.Deleted(rows);
        table.Delete(write, rows);
        return;
      }
      std::vector<LogicalType> types;
      for (const size_t column : columns_) types.push_back(table.types()[column]);
      DataChunk values(types);
      for (size_t i = 0; i < columns_.size(); i++) {
        values.column(i).Reference(chunk.column(i + 1));
        CheckNotNull(entry_->columns[columns_[i]], values.column(i), rows.size());
      }
      values.SetSize(rows.size());
      notes.Updated(rows, columns_, values);
      table.Update(write, rows, columns_, values);
    });
    // Updates may exchange keys between rows, so keys are checked once all rows are written.
    if (!columns_.empty()) table.indexes().CheckKeys(write);
  }

 private:
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
  std::vector<std::unique_ptr<ChunkSink>> sinks_;
  std::vector<const ColumnCollection*> collections_;
  MemoryReservation target_memory_;
  std::vector<Target> targets_;
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
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const auto change = std::make_shared<RowChange>(
      context, table_, columns_, children[0]->types(),
      DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
        return std::make_unique<CollectionSink>(children[0]->types(), context.memory());
      }));
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
