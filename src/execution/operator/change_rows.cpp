// UPDATE and DELETE.
#include "execution/operator/change_rows.hpp"

#include <algorithm>

#include "execution/operator/foreign_key_notes.hpp"

namespace scaup {

namespace {

class CollectionSink final : public ChunkSink {
 public:
  CollectionSink(const std::vector<LogicalType>& types, MemoryTracker& memory) : rows(types, memory) {}
  void Consume(DataChunk& chunk) override { rows.Append(chunk); }
  ColumnCollection rows;
};

/// A row to change, and where the child's row for it is.
struct Target {
  RowNumber row;
  uint64_t source;  // A CollectionRow.
};

/// The rows to change, each once, by number.
std::vector<Target> CollectTargets(const std::vector<const ColumnCollection*>& collections) {
  std::vector<Target> targets;
  for (size_t i = 0; i < collections.size(); i++) {
    for (size_t piece = 0; piece < collections[i]->piece_count(); piece++) {
      const auto numbers = collections[i]->PieceView(0, piece).As<int64_t>();
      for (size_t k = 0; k < collections[i]->PieceRows(piece); k++) {
        // A row of an outer join without a partner has no number.
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
  auto shared = std::make_unique<ReturningShared>(types(), context.memory());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void ChangeRowsOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  RequireWritable(context.transaction, columns_.empty() ? "DELETE" : "UPDATE");
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const auto sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<CollectionSink>(children[0]->types(), context.memory());
  });
  std::vector<const ColumnCollection*> collections;
  size_t row_count = 0;
  for (const auto& sink : sinks) {
    collections.push_back(&static_cast<const CollectionSink&>(*sink).rows);
    row_count += collections.back()->row_count();
  }
  MemoryReservation target_memory(context.memory());
  target_memory.Resize(row_count * sizeof(Target));
  const std::vector<Target> targets = CollectTargets(collections);
  Table& table = *table_->storage;
  const TableWrite write{context.transaction, table_->name};
  ForeignKeyNotes notes(context, table_);
  WrittenRowHandler handler(context, rules_, shared);
  DataChunk chunk(children[0]->types());
  for (size_t begin = 0; begin < targets.size(); begin += kVectorSize) {
    context.functions.CheckInterrupt();
    const size_t count = std::min(kVectorSize, targets.size() - begin);
    RowNumber rows[kVectorSize];
    uint64_t sources[kVectorSize];
    for (size_t i = 0; i < count; i++) {
      rows[i] = targets[begin + i].row;
      sources[i] = targets[begin + i].source;
    }
    chunk.ResetForWriting();
    for (size_t i = 0; i < chunk.column_count(); i++)
      GatherFrom(collections, i, sources, count, chunk.column(i));
    chunk.SetSize(count);
    handler.Handle(chunk);
    if (columns_.empty()) {
      notes.Deleted({rows, count});
      table.Delete(write, {rows, count});
    } else {
      std::vector<LogicalType> types;
      for (const size_t column : columns_) types.push_back(table.types()[column]);
      DataChunk values(types);
      for (size_t i = 0; i < columns_.size(); i++) {
        values.column(i).Reference(chunk.column(i + 1));
        CheckNotNull(table_->columns[columns_[i]], values.column(i), count);
      }
      values.SetSize(count);
      notes.Updated({rows, count}, columns_, values);
      table.Update(write, {rows, count}, columns_, values);
    }
  }
  if (!columns_.empty()) table.CheckKeys(write);
  context.rows_changed.fetch_add(targets.size());
}

void ChangeRowsOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

}  // namespace scaup
