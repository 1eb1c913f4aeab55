// Merge operator: collects the child's rows, then deletes, updates and inserts.
#include "execution/write/merge_operator.hpp"

#include <algorithm>

#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/write/table_writer.hpp"
#include "planner/statement/merge.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

constexpr size_t kRowNumber = 0;  // Columns of the child.
constexpr size_t kAction = 1;

/// Collects the rows that have an action, and their positions in the source.
class MergeSink final : public ChunkSink {
 public:
  MergeSink(const std::vector<LogicalType>& types, MemoryTracker& memory) : rows(types, memory) {}

  void Consume(DataChunk& chunk) override {
    const UnifiedView actions = chunk.column(kAction).View(chunk.size());
    auto selection = std::make_shared<SelectionVector>();
    size_t kept = 0;
    for (size_t i = 0; i < chunk.size(); i++)
      if (actions.IsValid(i)) selection->rows[kept++] = static_cast<sel_t>(i);
    if (kept == 0) return;
    batches.push_back({chunk.batch_index, rows.row_count()});
    chunk.Slice(selection, kept);
    rows.Append(chunk);
  }

  struct Batch {
    uint64_t batch;
    size_t first_row;
  };
  ColumnCollection rows;
  std::vector<Batch> batches;
};

/// A row to change or insert, with the position of its child row.
struct MergedRow {
  uint64_t order;   // Row number; for an insert, the batch in the source.
  uint64_t source;  // A CollectionRow.
  bool operator<(const MergedRow& other) const {
    return order != other.order ? order < other.order : source < other.source;
  }
};

}  // namespace

/// One execution of a MERGE.
class MergeOperator::Run {
 public:
  Run(const MergeOperator& merge, QueryContext& context, ReturningShared& shared)
      : merge_(merge),
        context_(context),
        table_(*merge.table_->storage),
        write_{context.transaction, merge.table_->name},
        notes_(context, merge.table_),
        handler_(context, merge.rules_, shared),
        chunk_(merge.children[0]->types()),
        memory_(context.memory()) {}

  void Collect(std::vector<std::unique_ptr<ChunkSink>> sinks) {
    sinks_ = std::move(sinks);
    size_t row_count = 0;
    for (const auto& sink : sinks_) row_count += static_cast<const MergeSink&>(*sink).rows.row_count();
    memory_.Resize(2 * row_count * sizeof(MergedRow));
    rows_.resize(merge_.actions_.size());
    for (const auto& sink : sinks_) CollectFrom(static_cast<const MergeSink&>(*sink));
    for (auto& rows : rows_) std::sort(rows.begin(), rows.end());
    CheckChangedOnce();
    if (merge_.rules_.counts_rows) context_.rows_changed.fetch_add(row_count);
  }

  /// Checks rows and collects RETURNING, or writes, or both at once.
  enum class Step : uint8_t { kCheck, kWrite, kBoth };
  void Apply(Step step) {
    checks_ = step != Step::kWrite;
    writes_ = step != Step::kCheck;
    for (size_t action = 0; action < rows_.size(); action++)
      if (KindOf(action) == MergeAction::Kind::kDelete) Delete(rows_[action]);
    for (size_t action = 0; action < rows_.size(); action++)
      if (KindOf(action) == MergeAction::Kind::kUpdate)
        Update(merge_.actions_[action].columns, rows_[action]);
    Insert();
    // Updates may exchange keys between rows, so keys are checked once all rows are written.
    if (writes_) table_.indexes().CheckKeys(write_);
  }

 private:
  using Kind = MergeAction::Kind;
  Kind KindOf(size_t action) const { return merge_.actions_[action].kind; }

  void CollectFrom(const MergeSink& sink) {
    const size_t collection = collections_.size();
    collections_.push_back(&sink.rows);
    size_t batch = 0;
    for (size_t piece = 0; piece < sink.rows.piece_count(); piece++) {
      const auto numbers = sink.rows.PieceView(kRowNumber, piece).As<int64_t>();
      const auto actions = sink.rows.PieceView(kAction, piece).As<int32_t>();
      for (size_t i = 0; i < sink.rows.PieceRows(piece); i++) {
        const size_t row = piece * kVectorSize + i;
        while (batch + 1 < sink.batches.size() && sink.batches[batch + 1].first_row <= row) batch++;
        const auto action = static_cast<size_t>(actions[i]);
        const bool is_insert = KindOf(action) == Kind::kInsert;
        rows_[action].push_back({is_insert ? sink.batches[batch].batch : static_cast<RowNumber>(numbers[i]),
                                 CollectionRow(collection, row)});
      }
    }
  }

  void CheckChangedOnce() const {
    std::vector<RowNumber> changed;
    for (size_t action = 0; action < rows_.size(); action++) {
      if (KindOf(action) == Kind::kInsert) continue;
      for (const MergedRow& row : rows_[action]) changed.push_back(row.order);
    }
    std::sort(changed.begin(), changed.end());
    if (std::adjacent_find(changed.begin(), changed.end()) == changed.end()) return;
    ThrowError(
        ErrorKind::kOutOfRange, sqlstate::kCardinalityViolation,
        "MERGE command cannot affect row a second time: several rows of the source match one row of the "
        "target; make sure that at most one does");
  }

  /// Calls handle(row_numbers) for up to 1024 rows at a time, with the child's rows in chunk_.
  template <typename Handle>
  void ForEachChunk(const std::vector<MergedRow>& rows, Handle&& handle) {
    for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
      context_.functions.CheckInterrupt();
      const size_t count = std::min(kVectorSize, rows.size() - begin);
      RowNumber numbers[kVectorSize];
      uint64_t sources[kVectorSize];
      for (size_t i = 0; i < count; i++) {
        numbers[i] = rows[begin + i].order;
        sources[i] = rows[begin + i].source;
      }
      GatherFrom(collections_, sources, count, chunk_);
      handle(std::span<const RowNumber>(numbers, count));
    }
  }

  /// Other parts of the statement may have deleted rows before this part writes.
  void CheckThere(std::span<const RowNumber> rows) {
    if (context_.writes_put_off == nullptr) return;
    RowFetcher fetcher(table_.UnloggedView(context_.transaction), table_.types(), {},
                       context_.functions.kernels);
    uint8_t is_there[kVectorSize];
    fetcher.TestVisible(rows, is_there);
    if (std::find(is_there, is_there + rows.size(), 0) == is_there + rows.size()) return;
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kCardinalityViolation,
               "MERGE command cannot affect row a second time: another part of the statement deletes it");
  }

  void Delete(const std::vector<MergedRow>& rows) {
    ForEachChunk(rows, [&](std::span<const RowNumber> numbers) {
      if (checks_) handler_.Return(chunk_);
      if (!writes_) return;
      CheckThere(numbers);
      notes_.Deleted(numbers);
      table_.Delete(write_, numbers);
    });
  }

  /// Takes the values of the given table columns, and checks them.
  void TakeValues(const std::vector<size_t>& columns, DataChunk& values) {
    for (size_t i = 0; i < columns.size(); i++) {
      values.column(i).Reference(chunk_.column(merge_.row_columns_[columns[i]].value()));
      CheckNotNull(merge_.table_->columns[columns[i]], values.column(i), chunk_.size());
    }
    values.SetSize(chunk_.size());
    if (checks_) handler_.Handle(chunk_);
  }

  void Update(const std::vector<size_t>& columns, const std::vector<MergedRow>& rows) {
    std::vector<LogicalType> types;
    for (const size_t column : columns) types.push_back(table_.types()[column]);
    ForEachChunk(rows, [&](std::span<const RowNumber> numbers) {
      DataChunk values(types);
      TakeValues(columns, values);
      if (!writes_) return;
      CheckThere(numbers);
      notes_.Updated(numbers, columns, values);
      table_.Update(write_, numbers, columns, values);
    });
  }

  void Insert() {
    std::vector<MergedRow> all;
    for (size_t action = 0; action < rows_.size(); action++) {
      if (KindOf(action) == Kind::kInsert) all.insert(all.end(), rows_[action].begin(), rows_[action].end());
    }
    if (all.empty()) return;
    std::sort(all.begin(), all.end());
    std::vector<size_t> columns(table_.types().size());
    for (size_t i = 0; i < columns.size(); i++) columns[i] = i;
    TableWriter writer(context_, merge_.table_);
    TableWriter::Part& part = writer.NewPart();
    ForEachChunk(all, [&](std::span<const RowNumber>) {
      DataChunk values(table_.types());
      TakeValues(columns, values);
      if (writes_) part.Append(values);
    });
    if (!writes_) return;
    part.Finish();
    writer.Publish(context_.transaction);
  }

  const MergeOperator& merge_;
  QueryContext& context_;
  Table& table_;
  const TableWrite write_;
  ForeignKeyNotes notes_;
  WrittenRowHandler handler_;
  DataChunk chunk_;  // Rows of the child.
  MemoryReservation memory_;
  bool checks_ = true, writes_ = true;
  std::vector<std::unique_ptr<ChunkSink>> sinks_;
  std::vector<const ColumnCollection*> collections_;
  std::vector<std::vector<MergedRow>> rows_;  // By action.
};

MergeOperator::MergeOperator(TableEntryRef table, std::vector<MergeAction> actions,
                             std::vector<std::optional<size_t>> row_columns, PhysicalOperatorPtr child,
                             WrittenRowRules rules)
    : PhysicalOperator("Merge", rules.ReturnedTypes()),
      table_(std::move(table)),
      actions_(std::move(actions)),
      row_columns_(std::move(row_columns)),
      rules_(std::move(rules)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> MergeOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<ReturningShared>(context, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void MergeOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  RequireWritable(context.transaction, *table_, "MERGE");
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  auto sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<MergeSink>(children[0]->types(), context.memory());
  });
  const auto run = std::make_shared<Run>(*this, context, shared);
  run->Collect(std::move(sinks));
  // With deferred writes, errors and RETURNING must still come now.
  if (context.writes_put_off == nullptr) return run->Apply(Run::Step::kBoth);
  run->Apply(Run::Step::kCheck);
  context.Write([run] { run->Apply(Run::Step::kWrite); });
}

void MergeOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

}  // namespace scaup
