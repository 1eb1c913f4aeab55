// Merge operator: collects the child's rows, then deletes, updates and inserts.
#include "execution/write/merge_operator.hpp"

#include <algorithm>

#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/write/table_writer.hpp"
#include "execution/write/target_rows.hpp"
#include "planner/statement/merge.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table/table_locks.hpp"

namespace scaup {

namespace {

constexpr size_t kRowNumber = 0;  // Columns of the child.
constexpr size_t kAction = 1;

/// Keeps those of sorted rows that have an action, counts them by action, and looks whether several change
/// the same row.
class ActionFilter {
 public:
  explicit ActionFilter(std::vector<size_t>& counts) : counts_(counts) {}

  size_t Select(DataChunk& rows, sel_t* selected) {
    const auto numbers = rows.column(kRowNumber).ViewAs<int64_t>(rows.size());
    const auto actions = rows.column(kAction).ViewAs<int32_t>(rows.size());
    size_t count = 0;
    for (size_t i = 0; i < rows.size(); i++) {
      if (!actions.IsValid(i)) continue;
      selected[count++] = static_cast<sel_t>(i);
      counts_[static_cast<size_t>(actions[i])]++;
      // Rows to insert have no number.
      if (!numbers.IsValid(i)) continue;
      changes_twice_ |= numbers[i] == previous_;
      previous_ = numbers[i];
    }
    return count;
  }
  bool changes_twice() const { return changes_twice_; }

 private:
  std::vector<size_t>& counts_;
  int64_t previous_ = -1;
  bool changes_twice_ = false;
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
        counts_(merge.actions_.size()) {}

  void Collect(std::shared_ptr<const MaterializedRows> rows) {
    ActionFilter filter(counts_);
    rows_ = SortByNumber(context_, std::move(rows), merge_.children[0]->types(),
                         [&](DataChunk& chunk, sel_t* selected) { return filter.Select(chunk, selected); });
    if (filter.changes_twice()) {
      ThrowError(
          ErrorKind::kOutOfRange, sqlstate::kCardinalityViolation,
          "MERGE command cannot affect row a second time: several rows of the source match one row of the "
          "target; make sure that at most one does");
    }
    if (merge_.rules_.counts_rows) context_.rows_changed.fetch_add(rows_->row_count());
  }

  /// Checks rows and collects RETURNING, or writes, or both at once.
  enum class Step : uint8_t { kCheck, kWrite, kBoth };
  void Apply(Step step) {
    checks_ = step != Step::kWrite;
    writes_ = step != Step::kCheck;
    ForEachAction(Kind::kDelete, [&](size_t action) { Delete(action); });
    ForEachAction(Kind::kUpdate, [&](size_t action) { Update(action); });
    Insert();
    // Updates may exchange keys between rows, so keys are checked once all rows are written.
    if (writes_) table_.indexes().CheckKeys(write_);
  }

 private:
  using Kind = MergeAction::Kind;
  Kind KindOf(size_t action) const { return merge_.actions_[action].kind; }

  /// Calls visit(action) for the actions of a kind that some rows have.
  template <typename Visit>
  void ForEachAction(Kind kind, const Visit& visit) {
    for (size_t action = 0; action < counts_.size(); action++)
      if (counts_[action] != 0 && KindOf(action) == kind) visit(action);
  }

  /// Calls handle(chunk) for all rows of actions that is_wanted(action) accepts, up to 1024 at a time.
  template <typename IsWanted, typename Handle>
  void ForEachChunk(const IsWanted& is_wanted, const Handle& handle) {
    ForEachTargetChunk(context_, rows_, merge_.children[0]->types(), [&](DataChunk& chunk) {
      const auto actions = chunk.column(kAction).ViewAs<int32_t>(chunk.size());
      auto selection = std::make_shared<SelectionVector>();
      size_t count = 0;
      for (size_t i = 0; i < chunk.size(); i++)
        if (is_wanted(static_cast<size_t>(actions[i]))) selection->rows[count++] = static_cast<sel_t>(i);
      if (count == 0) return;
      if (count < chunk.size()) chunk.Slice(selection, count);
      handle(chunk);
    });
  }
  template <typename Handle>
  void ForEachChange(size_t action, const Handle& handle) {
    ForEachChunk([action](size_t other) { return other == action; },
                 [&](DataChunk& chunk) {
                   RowNumber numbers[kVectorSize];
                   handle(NumbersOf(chunk, numbers), chunk);
                 });
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

  void Delete(size_t action) {
    ForEachChange(action, [&](std::span<const RowNumber> numbers, DataChunk& chunk) {
      if (checks_) handler_.Return(chunk);
      if (!writes_) return;
      CheckThere(numbers);
      notes_.Deleted(numbers);
      table_.Delete(write_, numbers);
    });
  }

  /// Takes the values of the given table columns, and checks them.
  void TakeValues(DataChunk& chunk, const std::vector<size_t>& columns, DataChunk& values) {
    for (size_t i = 0; i < columns.size(); i++) {
      values.column(i).Reference(chunk.column(merge_.row_columns_[columns[i]].value()));
      CheckNotNull(merge_.table_->columns[columns[i]], values.column(i), chunk.size());
    }
    values.SetSize(chunk.size());
    if (checks_) handler_.Handle(chunk);
  }

  void Update(size_t action) {
    const std::vector<size_t>& columns = merge_.actions_[action].columns;
    std::vector<LogicalType> types;
    for (const size_t column : columns) types.push_back(table_.types()[column]);
    ForEachChange(action, [&](std::span<const RowNumber> numbers, DataChunk& chunk) {
      DataChunk values(types);
      TakeValues(chunk, columns, values);
      if (!writes_) return;
      CheckThere(numbers);
      notes_.Updated(numbers, columns, values);
      table_.Update(write_, numbers, columns, values);
    });
  }

  void Insert() {
    const auto is_insert = [&](size_t action) { return KindOf(action) == Kind::kInsert; };
    size_t count = 0;
    ForEachAction(Kind::kInsert, [&](size_t action) { count += counts_[action]; });
    if (count == 0) return;
    std::vector<size_t> columns(table_.types().size());
    for (size_t i = 0; i < columns.size(); i++) columns[i] = i;
    TableWriter writer(context_, merge_.table_);
    TableWriter::Part& part = writer.NewPart();
    ForEachChunk(is_insert, [&](DataChunk& chunk) {
      DataChunk values(table_.types());
      TakeValues(chunk, columns, values);
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
  bool checks_ = true, writes_ = true;
  std::vector<size_t> counts_;  // Of rows, by action.
  // The child's rows that have an action, by number; then those to insert, in the order of the source.
  std::shared_ptr<const MaterializedRows> rows_;
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
  for (const MergeAction& action : actions_) {
    if (action.kind == MergeAction::Kind::kInsert) NoteTarget(context, table_, kOnInsert);
    if (action.kind == MergeAction::Kind::kDelete) NoteTarget(context, table_, kOnDelete);
    if (action.kind == MergeAction::Kind::kUpdate) NoteTarget(context, table_, kOnUpdate, action.assigned);
  }
  auto& shared = static_cast<ReturningShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const auto run = std::make_shared<Run>(*this, context, shared);
  run->Collect(MaterializedRows::Collect(context, *children[0], *shared.children[0], shared.profile));
  // With deferred writes, errors and RETURNING must still come now.
  if (context.writes_put_off == nullptr) return run->Apply(Run::Step::kBoth);
  run->Apply(Run::Step::kCheck);
  context.Write([run] { run->Apply(Run::Step::kWrite); });
}

void MergeOperator::Produce(QueryContext&, SharedState& shared, LocalState&, DataChunk& output) const {
  static_cast<ReturningShared&>(shared).Give(output);
}

}  // namespace scaup
