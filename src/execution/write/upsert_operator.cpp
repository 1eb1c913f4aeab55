// Upsert operator: looks up keys in unique indexes, row by row.
#include "execution/write/upsert_operator.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "catalog/table_reading.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/write/table_writer.hpp"
#include "planner/statement/insert.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

/// A unique index whose conflicts matter, and the keys that the statement inserts.
struct Arbiter {
  Arbiter(TableIndexRef index_in, MemoryTracker& memory)
      : index(std::move(index_in)), key_columns(index->key_types()), keys(memory), reservation(memory) {}

  void Encode(DataChunk& rows) {
    for (size_t i = 0; i < index->columns().size(); i++)
      key_columns.column(i).Reference(rows.column(index->columns()[i]));
    key_columns.SetSize(rows.size());
    index->encoder().Encode(key_columns, rows.size(), keys);
  }
  std::string KeyText(size_t row) const {
    return {reinterpret_cast<const char*>(keys[row].data()), keys[row].size()};
  }
  void Insert(size_t row) {
    constexpr size_t kBytesBesides = 64;
    if (keys.has_null(row)) return;
    const auto [place, is_new] = inserted.insert(KeyText(row));
    if (is_new) reservation.Resize(reservation.size_bytes() + place->capacity() + kBytesBesides);
  }

  TableIndexRef index;
  DataChunk key_columns;
  IndexKeys keys;
  std::unordered_set<std::string> inserted;
  MemoryReservation reservation;
};

[[noreturn]] void ThrowSecondTime() {
  ThrowError(
      ErrorKind::kOutOfRange, sqlstate::kCardinalityViolation,
      "ON CONFLICT DO UPDATE command cannot affect row a second time: several of the rows to insert have "
      "the same key; make sure that only one does");
}

std::vector<LogicalType> WithRowNumber(std::vector<LogicalType> types) {
  types.insert(types.begin(), TypeId::kBigInt);
  return types;
}

}  // namespace

/// Takes all rows of the statement, in order.
class UpsertOperator::Sink final : public ChunkSink {
 public:
  Sink(const UpsertOperator& upsert, QueryContext& context, ReturningShared& returning)
      : upsert_(upsert),
        context_(context),
        table_(*upsert.table_->storage),
        write_{context.transaction, upsert.table_->name},
        handler_(context, upsert.rules_, returning),
        notes_(context, upsert.table_),
        writer_(context, upsert.table_),
        new_rows_(writer_.NewPart()),
        conflicting_(WithRowNumber(upsert.children[0]->types()), context.memory()),
        updated_(WithRowNumber(upsert.SetTypes()), context.memory()) {
    const auto& names = upsert.conflict_.indexes;
    for (const TableIndexRef& index : table_.indexes().List()) {
      if (!index->is_unique()) continue;
      if (names.empty() || std::find(names.begin(), names.end(), index->name()) != names.end())
        arbiters_.push_back(std::make_unique<Arbiter>(index, context.memory()));
    }
  }

  void Consume(DataChunk& chunk) override {
    const TableEntry& table = *upsert_.table_;
    for (size_t i = 0; i < table.columns.size(); i++)
      CheckNotNull(table.columns[i], chunk.column(i), chunk.size());
    handler_.Check(chunk);
    for (const auto& arbiter : arbiters_) arbiter->Encode(chunk);
    auto new_rows = std::make_shared<SelectionVector>(), known_rows = std::make_shared<SelectionVector>();
    size_t new_count = 0, known_count = 0;
    Vector numbers{LogicalType(TypeId::kBigInt)};
    numbers.Reset();
    for (size_t row = 0; row < chunk.size(); row++) {
      const Conflict conflict = FindConflict(row);
      if (conflict.existing) {
        numbers.MutableData<int64_t>()[known_count] = static_cast<int64_t>(*conflict.existing);
        known_rows->rows[known_count++] = static_cast<sel_t>(row);
      } else if (!conflict.is_new_row) {
        for (const auto& arbiter : arbiters_) arbiter->Insert(row);
        new_rows->rows[new_count++] = static_cast<sel_t>(row);
      } else if (upsert_.conflict_.does_update) {
        ThrowSecondTime();
      }
    }
    TakeKnown(chunk, known_rows, known_count, numbers);
    if (new_count == 0) return;
    chunk.Slice(new_rows, new_count);
    handler_.Return(chunk);
    DataChunk row(table_.types());
    for (size_t i = 0; i < row.column_count(); i++) row.column(i).Reference(chunk.column(i));
    row.SetSize(chunk.size());
    row.batch_index = chunk.batch_index;
    new_rows_.Append(row);
  }

  /// Called after the last row: computes the updates of existing rows, and writes them unless writes are
  /// deferred.
  void Update() {
    UpdateKnown();
    is_updated_ = true;
  }

  void Apply() {
    if (!is_updated_) UpdateKnown();
    WritePutOff();
    new_rows_.Finish();
    writer_.Publish(context_.transaction);
    // Updates may exchange keys between rows, so keys are checked once all rows are written.
    table_.indexes().CheckKeys(write_);
    if (upsert_.rules_.counts_rows) context_.rows_changed.fetch_add(new_rows_.row_count() + updated_count_);
  }

 private:
  /// The row with which a new row conflicts, if any.
  struct Conflict {
    bool is_new_row = false;  ///< conflicts with a row that this statement inserts
    std::optional<RowNumber> existing;
  };

  Conflict FindConflict(size_t row) const {
    for (const auto& arbiter : arbiters_) {
      if (arbiter->keys.has_null(row)) continue;
      if (arbiter->inserted.contains(arbiter->KeyText(row))) return {true, std::nullopt};
      if (const auto existing = table_.indexes().FindKey(write_, *arbiter->index, arbiter->keys[row]))
        return {false, existing};
    }
    return {};
  }

  void TakeKnown(DataChunk& chunk, const SelectionRef& selection, size_t count, Vector& numbers) {
    if (count == 0) return;
    if (upsert_.conflict_.does_update) {
      DataChunk rows(conflicting_.types());
      rows.column(0).Reference(numbers);
      for (size_t i = 0; i < chunk.column_count(); i++)
        rows.column(i + 1).Slice(chunk.column(i), chunk.size(), selection, count);
      rows.SetSize(count);
      conflicting_.Append(rows);
      return;
    }
    std::vector<RowNumber> found;
    for (size_t i = 0; i < count; i++) found.push_back(static_cast<RowNumber>(numbers.Data<int64_t>()[i]));
    LogFound(std::move(found));
  }

  /// Logs the read of existing rows that are not changed: their existence and values decide the result.
  /// Changed rows need no log entry, because no other transaction may change them.
  void LogFound(std::vector<RowNumber> rows) {
    if (rows.empty() || !context_.transaction.logs_reads()) return;
    std::vector<size_t> columns;
    for (const auto& arbiter : arbiters_)
      columns.insert(columns.end(), arbiter->index->columns().begin(), arbiter->index->columns().end());
    if (const ExpressionPtr& where = upsert_.conflict_.where) CollectExisting(*where, columns);
    ReaderOf(context_.transaction, *upsert_.table_, upsert_.table_->StorageColumns())
        .ConcludeFrom(std::move(rows), std::move(columns));
  }

  void CollectExisting(const Expression& expression, std::vector<size_t>& columns) const {
    if (expression.kind() == ExpressionKind::kReference) {
      const size_t index = expression.As<ReferenceExpression>().index;
      if (index < table_.types().size()) columns.push_back(index);
    }
    expression.ForEachChild([&](const Expression& child) { CollectExisting(child, columns); });
  }

  /// An existing row, and the row to insert that conflicts with it.
  struct KnownRow {
    RowNumber row;
    uint64_t source;  // In conflicting_.
  };

  void UpdateKnown() {
    if (conflicting_.row_count() == 0) return;
    MemoryReservation memory(context_.memory());
    memory.Resize(conflicting_.row_count() * sizeof(KnownRow));
    std::vector<KnownRow> known;
    for (size_t piece = 0; piece < conflicting_.piece_count(); piece++) {
      const auto numbers = conflicting_.PieceView(0, piece).As<int64_t>();
      for (size_t i = 0; i < conflicting_.PieceRows(piece); i++)
        known.push_back({static_cast<RowNumber>(numbers[i]), piece * kVectorSize + i});
    }
    std::stable_sort(known.begin(), known.end(),
                     [](const KnownRow& a, const KnownRow& b) { return a.row < b.row; });
    RowFetcher fetcher(table_.UnloggedView(context_.transaction), table_.types(),
                       upsert_.table_->AllColumns(), context_.functions.kernels);
    ExpressionExecutor values(context_.functions, upsert_.conflict_.values);
    ExpressionExecutor generated(context_.functions, upsert_.conflict_.generated);
    std::optional<ExpressionExecutor> where;
    if (upsert_.conflict_.where) where.emplace(context_.functions, *upsert_.conflict_.where);
    for (size_t begin = 0; begin < known.size();) {
      // A chunk must not contain the same row twice.
      size_t end = begin + 1;
      while (end < known.size() && end - begin < kVectorSize && known[end].row != known[end - 1].row) end++;
      UpdateChunk({known.data() + begin, end - begin}, fetcher, where, values, generated);
      begin = end;
    }
  }

  void UpdateChunk(std::span<const KnownRow> known, RowFetcher& fetcher,
                   std::optional<ExpressionExecutor>& where, ExpressionExecutor& values,
                   ExpressionExecutor& generated) {
    context_.functions.CheckInterrupt();
    // A row that has been changed must not be read again, as the view would show its old values.
    if (last_changed_ == known.front().row) ThrowSecondTime();
    const std::vector<LogicalType>& types = table_.types();
    RowNumber rows[kVectorSize];
    uint64_t sources[kVectorSize];
    for (size_t i = 0; i < known.size(); i++) {
      rows[i] = known[i].row;
      sources[i] = known[i].source;
    }
    if (context_.writes_put_off != nullptr) {
      uint8_t is_there[kVectorSize];
      fetcher.TestVisible({rows, known.size()}, is_there);
      if (std::find(is_there, is_there + known.size(), 0) != is_there + known.size()) ThrowSecondTime();
    }
    DataChunk existing(types);
    fetcher.Fetch({rows, known.size()}, existing);
    const std::vector<LogicalType>& new_types = upsert_.children[0]->types();
    std::vector<LogicalType> both_types = types;
    both_types.insert(both_types.end(), new_types.begin(), new_types.end());
    DataChunk both(both_types);
    both.ResetForWriting();
    for (size_t i = 0; i < types.size(); i++) both.column(i).Reference(existing.column(i));
    for (size_t i = 0; i < new_types.size(); i++)
      conflicting_.Gather(i + 1, sources, known.size(), both.column(types.size() + i));
    both.SetSize(known.size());
    size_t count = known.size();
    if (where) {
      auto passing = std::make_shared<SelectionVector>();
      count = where->Select(0, both, *passing);
      std::vector<RowNumber> left_alone;
      for (size_t i = 0, next = 0; i < known.size(); i++) {
        if (next < count && passing->rows[next] == i) {
          rows[next++] = rows[i];
        } else {
          left_alone.push_back(known[i].row);
        }
      }
      LogFound(std::move(left_alone));
      if (count == 0) return;
      both.Slice(passing, count);
    }
    last_changed_ = rows[count - 1];
    WriteUpdated({rows, count}, both, values, generated);
  }

  void WriteUpdated(std::span<const RowNumber> rows, DataChunk& both, ExpressionExecutor& values,
                    ExpressionExecutor& generated) {
    const std::vector<size_t>& columns = upsert_.conflict_.set_columns;
    DataChunk written(table_.types());
    values.Execute(both, written);
    ComputeGenerated(generated, written);
    DataChunk set(upsert_.SetTypes());
    for (size_t i = 0; i < columns.size(); i++) {
      CheckNotNull(upsert_.table_->columns[columns[i]], written.column(columns[i]), rows.size());
      set.column(i).Reference(written.column(columns[i]));
    }
    set.SetSize(rows.size());
    handler_.Handle(written);
    updated_count_ += rows.size();
    if (context_.writes_put_off == nullptr) return Write(rows, set);
    DataChunk kept(updated_.types());
    kept.ResetForWriting();
    for (size_t i = 0; i < rows.size(); i++)
      kept.column(0).MutableData<int64_t>()[i] = static_cast<int64_t>(rows[i]);
    for (size_t i = 0; i < columns.size(); i++) kept.column(i + 1).Reference(set.column(i));
    kept.SetSize(rows.size());
    updated_.Append(kept);
  }

  /// Computes generated columns from the row that is written, so that its volatile values count once.
  void ComputeGenerated(ExpressionExecutor& generated, DataChunk& written) const {
    const std::vector<size_t>& columns = upsert_.conflict_.generated_columns;
    if (columns.empty()) return;
    std::vector<LogicalType> types;
    for (const size_t column : columns) types.push_back(table_.types()[column]);
    DataChunk computed(types);
    generated.Execute(written, computed);
    for (size_t i = 0; i < columns.size(); i++) written.column(columns[i]).Reference(computed.column(i));
  }

  void Write(std::span<const RowNumber> rows, DataChunk& set) {
    const std::vector<size_t>& columns = upsert_.conflict_.set_columns;
    notes_.Updated(rows, columns, set);
    table_.Update(write_, rows, columns, set);
  }

  /// Other parts of the statement may have changed the rows in the meantime.
  void WritePutOff() {
    if (updated_.row_count() == 0) return;
    RowFetcher fetcher(table_.UnloggedView(context_.transaction), table_.types(), {},
                       context_.functions.kernels);
    for (size_t piece = 0; piece < updated_.piece_count(); piece++) {
      DataChunk kept(updated_.types()), set(upsert_.SetTypes());
      updated_.Read(piece, kept);
      const size_t count = kept.size();
      const auto numbers = kept.column(0).ViewAs<int64_t>(count);
      RowNumber rows[kVectorSize];
      for (size_t i = 0; i < count; i++) rows[i] = static_cast<RowNumber>(numbers[i]);
      uint8_t is_there[kVectorSize];
      fetcher.TestVisible({rows, count}, is_there);
      if (std::find(is_there, is_there + count, 0) != is_there + count) ThrowSecondTime();
      for (size_t i = 0; i < set.column_count(); i++) set.column(i).Reference(kept.column(i + 1));
      set.SetSize(count);
      Write({rows, count}, set);
    }
  }

  const UpsertOperator& upsert_;
  QueryContext& context_;
  Table& table_;
  const TableWrite write_;
  WrittenRowHandler handler_;
  ForeignKeyNotes notes_;
  TableWriter writer_;
  TableWriter::Part& new_rows_;
  std::vector<std::unique_ptr<Arbiter>> arbiters_;
  ColumnCollection conflicting_;  // Row number of the existing row, then the row to insert.
  ColumnCollection updated_;      // Row number and new values of deferred updates.
  bool is_updated_ = false;
  std::optional<RowNumber> last_changed_;
  uint64_t updated_count_ = 0;
};

UpsertOperator::UpsertOperator(TableEntryRef table, InsertConflict conflict, PhysicalOperatorPtr child,
                               WrittenRowRules rules)
    : PhysicalOperator("Insert", rules.ReturnedTypes()),
      table_(std::move(table)),
      conflict_(std::move(conflict)),
      rules_(std::move(rules)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> UpsertOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<ReturningShared>(context, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void UpsertOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  RequireWritable(context.transaction, *table_, "INSERT");
  if (conflict_.does_update) NoteTarget(context, table_, kOnUpdate, rules_.assigned);
  NoteTarget(context, table_, kOnInsert);
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  using Sinks = std::vector<std::unique_ptr<ChunkSink>>;
  const auto sinks = std::make_shared<const Sinks>(DrainParallel(
      context, *children[0], *shared.children[0], shared.profile,
      [&](size_t) { return std::make_unique<Sink>(*this, context, shared); }, 1));
  const auto apply = [sinks] {
    for (const auto& sink : *sinks) static_cast<Sink&>(*sink).Apply();
  };
  // RETURNING needs the updated rows before the deferred writes.
  if (conflict_.does_update && !types().empty()) {
    for (const auto& sink : *sinks) static_cast<Sink&>(*sink).Update();
  }
  context.Write(apply);
}

std::vector<LogicalType> UpsertOperator::SetTypes() const {
  std::vector<LogicalType> types;
  for (const size_t column : conflict_.set_columns) types.push_back(table_->columns[column].type);
  return types;
}

void UpsertOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

}  // namespace scaup
