// Sources: table scans with runtime filters and index lookups, table functions, constant rows.
#include "execution/scan/scan_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "catalog/table_reading.hpp"
#include "common/lock/mutex.hpp"
#include "common/throw.hpp"
#include "expression/expression_executor.hpp"
#include "planner/node/get.hpp"
#include "storage/table_index/index_lookup.hpp"

namespace scaup {

namespace {

class TableScanShared final : public SharedState {
 public:
  // Exactly one of `scan` and `rows` is set.
  std::shared_ptr<TableScan> scan;
  std::optional<RowListScan> rows;  // rows that an index has found
  Mutex rows_mutex;                 // held by Next: below a union, several threads may read `rows`
  /// Runtime filters with bitmaps from joins above, by output column.
  std::vector<std::pair<size_t, RuntimeFilter>> wanted_keys;

  /// Reads the next chunk's filter columns; remaining columns are materialized later.
  bool Next(TableScan::Position& position, DataChunk& output) {
    if (scan) return scan->NextFilterColumns(position, output);
    const MutexLock lock(rows_mutex);
    return rows->Next(output);
  }
};

/// A predicate for a table function that reads its columns first.
class ExpressionRowFilter final : public RowFilter {
 public:
  /// Borrows all arguments.
  ExpressionRowFilter(const FunctionContext& context, const Expression& predicate,
                      const std::vector<size_t>& columns)
      : executor_(context, predicate), columns_(columns) {}
  const std::vector<size_t>& columns() const override { return columns_; }
  size_t Select(DataChunk& rows, SelectionVector& selected) override {
    return executor_.Select(0, rows, selected);
  }

 private:
  ExpressionExecutor executor_;
  const std::vector<size_t>& columns_;
};

/// A chunk that is emitted in several parts, because a test forces constant vectors.
struct PendingRows {
  DataChunk chunk;
  size_t next = 0;
  size_t parts = 0;
};

class TableScanLocal final : public LocalState {
 public:
  /// Selects the rows of the chunk that pass the runtime filters' bitmaps and the filter above. Returns their
  /// number; a null `kept` means all rows.
  size_t Choose(const TableScanShared& shared, DataChunk& chunk, SelectionRef& kept) {
    // A bitmap that rejects few rows costs more than it saves. After this many rows, bitmaps are only tested
    // while they reject at least a quarter. The join itself rejects the rows that pass untested.
    constexpr size_t kTrialRows = 16 * kVectorSize;
    size_t count = chunk.size();
    for (const auto& [column, range] : shared.wanted_keys) {
      if (tried_rows_ >= kTrialRows && kept_rows_ > tried_rows_ / 4 * 3) break;
      const size_t before = count;
      count = Narrow(chunk, count, kept, [&](DataChunk& rows, SelectionVector& selection) {
        return range.SelectByBitmap(rows.column(column).View(rows.size()), rows.size(), selection.rows);
      });
      tried_rows_ += before;
      kept_rows_ += count;
    }
    if (row_filter && count != 0) {
      count = Narrow(chunk, count, kept, [&](DataChunk& rows, SelectionVector& selection) {
        return row_filter->Select(0, rows, selection);
      });
    }
    return count;
  }

  TableScan::Position position;
  PendingRows pending;
  std::optional<ExpressionExecutor> row_filter;

 private:
  /// Narrows `kept` by select(rows, selection), which gets only the rows that are selected so far. Returns
  /// the number of remaining rows.
  template <typename Select>
  size_t Narrow(DataChunk& chunk, size_t count, SelectionRef& kept, Select&& select) {
    if (count == 0) return 0;
    DataChunk* rows = &chunk;
    if (kept) {
      if (narrowed_.column_count() != chunk.column_count()) narrowed_.Initialize(chunk.types());
      narrowed_.Release();
      narrowed_.Slice(chunk, kept, count);
      rows = &narrowed_;
    }
    auto selection = std::make_shared<SelectionVector>();
    const size_t left = select(*rows, *selection);
    if (left == count) return left;
    if (kept) {
      for (size_t i = 0; i < left; i++) selection->rows[i] = kept->rows[selection->rows[i]];
    }
    kept = std::move(selection);
    return left;
  }

  size_t tried_rows_ = 0;
  size_t kept_rows_ = 0;
  DataChunk narrowed_;
};

class TableFunctionSharedState final : public SharedState {
 public:
  std::shared_ptr<TableFunctionShared> state;
};

class TableFunctionLocalState final : public LocalState {
 public:
  std::unique_ptr<TableFunctionLocal> state;
  PendingRows pending;
};

class ValuesShared final : public SharedState {
 public:
  std::atomic<size_t> next_row{0};
};

/// Converts every vector to the vector kind that a test forces. The values stay the same.
void ForceVectorKind(ForcedVectorKind kind, DataChunk& chunk) {
  const size_t count = chunk.size();
  switch (kind) {
    case ForcedVectorKind::kNone: return;
    case ForcedVectorKind::kFlat: chunk.Flatten(); return;
    case ForcedVectorKind::kDictionary: {
      chunk.Flatten();
      auto selection = std::make_shared<SelectionVector>();
      std::memcpy(selection->rows, IdentitySelection(), sizeof(selection->rows));
      chunk.Slice(selection, count);
      return;
    }
    case ForcedVectorKind::kConstant: ThrowInternal("constant vectors are made by TakeConstantPart");
  }
}

bool IsSameRow(const DataChunk& chunk, size_t a, size_t b) {
  for (size_t i = 0; i < chunk.column_count(); i++) {
    if (!(chunk.column(i).GetValue(a) == chunk.column(i).GetValue(b))) return false;
  }
  return true;
}

/// Emits the next part of a chunk: a run of equal rows as constant vectors or, after several of these, the
/// remaining rows as they are. Returns false if no rows remain.
bool TakeConstantPart(PendingRows& pending, DataChunk& output) {
  // A chunk per distinct row would make the tests too slow.
  constexpr size_t kMostConstantParts = 8;
  const size_t begin = pending.next, count = pending.chunk.size();
  if (begin == count) return false;
  if (pending.parts++ < kMostConstantParts) {
    size_t end = begin + 1;
    while (end < count && IsSameRow(pending.chunk, begin, end)) end++;
    for (size_t i = 0; i < output.column_count(); i++) {
      output.column(i).ReferenceValue(pending.chunk.column(i).GetValue(begin));
    }
    output.SetSize(end - begin);
  } else {
    auto selection = std::make_shared<SelectionVector>();
    for (size_t row = begin; row < count; row++) selection->rows[row - begin] = static_cast<sel_t>(row);
    output.Slice(pending.chunk, selection, count - begin);
    output.SetSize(count - begin);
  }
  output.batch_index = pending.chunk.batch_index;
  pending.next += output.size();
  return true;
}

/// Gets a chunk by fetch(chunk), and converts it to the vector kind that a test forces.
template <typename Fetch>
void FetchForced(ForcedVectorKind kind, PendingRows& pending, DataChunk& output, Fetch&& fetch) {
  if (kind != ForcedVectorKind::kConstant) {
    fetch(output);
    if (kind != ForcedVectorKind::kNone && output.size() != 0) ForceVectorKind(kind, output);
    return;
  }
  while (!TakeConstantPart(pending, output)) {
    if (pending.chunk.column_count() != output.column_count()) pending.chunk.Initialize(output.types());
    pending.chunk.Release();
    fetch(pending.chunk);
    pending.next = pending.parts = 0;
    if (pending.chunk.size() == 0) return;
  }
}

/// Adds the bounds of a runtime filter as filters of a column.
template <typename Add>
void AddBounds(const RuntimeFilter& range, size_t column, const LogicalType& type, Add&& add) {
  if (!range.has_keys()) return;
  if (range.least() != INT64_MIN)
    add({column, ScanFilter::Op::kGreaterEqual, Value::FromInteger(type, range.least())});
  if (range.greatest() != INT64_MAX)
    add({column, ScanFilter::Op::kLessEqual, Value::FromInteger(type, range.greatest())});
}

}  // namespace

TableScanOperator::TableScanOperator(TableEntryRef table, TableScanSpecification specification,
                                     std::vector<LogicalType> types)
    : PhysicalOperator("Scan", std::move(types)),
      table_(std::move(table)),
      table_columns_(table_->StorageColumns()),
      specification_(std::move(specification)) {}

void TableScanOperator::SetRowFilter(ExpressionPtr predicate) {
  SCAUP_ASSERT(IsDeterministic(*predicate));
  const std::function<void(const Expression&)> add = [&](const Expression& expression) {
    if (expression.kind() == ExpressionKind::kReference)
      row_filter_columns_.push_back(expression.As<ReferenceExpression>().index);
    expression.ForEachChild(add);
  };
  add(*predicate);
  row_filter_ = std::move(predicate);
}

std::unique_ptr<SharedState> TableScanOperator::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<TableScanShared>();
  const bool is_repeated = context.is_repeated();
  auto predicate = specification_.predicate.WithParameters(context.functions.parameters);
  if (!predicate) {
    // No row can pass, so nothing is read, and the scan gets an empty list of rows.
    shared->rows.emplace(TableView(), table_columns_, specification_, context.functions.kernels,
                         std::vector<RowNumber>());
    return shared;
  }
  TableScanSpecification specification{specification_.columns, std::move(*predicate)};
  TableRead read = context.ReadTable(this, [&] {
    return ReaderOf(context.transaction, *table_, table_columns_).ReadOrLookUp(specification);
  });
  TableView& view = read.view;
  if (read.rows) {
    if (!is_repeated) context.progress.AddScan(static_cast<double>(read.rows->size()), [] { return 1.0; });
    shared->rows.emplace(std::move(view), table_columns_, std::move(specification), context.functions.kernels,
                         std::move(*read.rows));
    return shared;
  }
  // A large table has enough row groups for every thread. Its morsels are whole row groups, so that row
  // groups that are written from one batch are full, too. A small table gets smaller morsels, so that all
  // threads have work.
  const bool is_large = view.row_group_count() >= 4 * context.scheduler().thread_count();
  const size_t blocks_per_morsel = is_large ? kBlocksPerRowGroup : 16;
  const double row_count = static_cast<double>(view.row_count());
  shared->scan = std::make_shared<TableScan>(std::move(view), table_columns_, std::move(specification),
                                             context.functions.kernels, blocks_per_morsel);
  if (row_filter_ && shared->scan->has_late_columns()) {
    for (const size_t column : row_filter_columns_) shared->scan->AddFilterColumn(column);
  }
  if (!is_repeated)
    context.progress.AddScan(row_count, [scan = shared->scan] { return scan->morsels().Progress(); });
  return shared;
}

void TableScanOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                           const RuntimeFilter& range) const {
  auto& scan_shared = static_cast<TableScanShared&>(shared);
  const size_t table_column = specification_.columns[column];
  if (!scan_shared.scan || table_column == kRowNumberColumn) return;
  if (range.is_moving()) {
    // Values within documents are found row by row, so testing them early saves nothing.
    if (table_columns_.IsStored(table_column)) scan_shared.scan->AddFilter(range.MovingFilter(table_column));
    return;
  }
  AddBounds(range, table_column, types()[column],
            [&](const ScanFilter& filter) { scan_shared.scan->AddFilter(filter); });
  if (!range.has_bitmap()) return;
  scan_shared.wanted_keys.push_back({column, range});
  // The bitmap is tested between the two steps of the scan, so the first one has to emit the key. The filters
  // on its bounds alone would not ensure that, as the scan tests these itself.
  scan_shared.scan->AddFilterColumn(column);
}

std::unique_ptr<LocalState> TableScanOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  auto local = std::make_unique<TableScanLocal>();
  const auto& scan = static_cast<TableScanShared&>(shared).scan;
  if (row_filter_ && scan && scan->has_late_columns())
    local->row_filter.emplace(context.functions, *row_filter_);
  return local;
}

size_t TableScanOperator::MaxTasks(QueryContext&, SharedState& shared) const {
  const auto& scan_shared = static_cast<TableScanShared&>(shared);
  return scan_shared.rows ? 1 : scan_shared.scan->morsels().count();
}

std::vector<uint64_t> TableScanOperator::BatchOffsets(QueryContext&, SharedState& shared) const {
  const auto& scan_shared = static_cast<TableScanShared&>(shared);
  if (scan_shared.rows) return {};
  SCAUP_ASSERT(scan_shared.scan != nullptr);
  // Filters reject rows, so offsets are known only without them.
  const TableScan& scan = *scan_shared.scan;
  return scan.specification().predicate.filters.empty() ? scan.morsels().Offsets() : std::vector<uint64_t>();
}

std::vector<BatchRange> TableScanOperator::BatchRanges(QueryContext&, SharedState& shared,
                                                       size_t column) const {
  const auto& scan_shared = static_cast<TableScanShared&>(shared);
  std::vector<BatchRange> ranges;
  if (scan_shared.rows) return ranges;
  SCAUP_ASSERT(scan_shared.scan != nullptr);
  for (const auto& [least, greatest] : scan_shared.scan->MorselRanges(column))
    ranges.push_back({least, greatest});
  return ranges;
}

void TableScanOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                                DataChunk& output) const {
  auto& scan_shared = static_cast<TableScanShared&>(shared);
  auto& local = static_cast<TableScanLocal&>(local_state);
  FetchForced(context.settings().force_vector_kind, local.pending, output, [&](DataChunk& chunk) {
    do {
      context.functions.CheckInterrupt();
      if (!scan_shared.Next(local.position, chunk)) {
        chunk.SetSize(0);
        return;
      }
      if (!scan_shared.scan || chunk.size() == 0) continue;
      // Late materialization: remaining columns are read only for rows that pass all filters known here.
      SelectionRef kept;
      const size_t count = local.Choose(scan_shared, chunk, kept);
      if (count == 0) {
        chunk.Release();
        chunk.SetSize(0);
      } else {
        scan_shared.scan->ReadRemainingColumns(local.position, kept, count, chunk);
      }
    } while (chunk.size() == 0);
  });
}

std::vector<std::string> TableScanOperator::RunDetails(const SharedState& shared) const {
  const auto& scan_shared = static_cast<const TableScanShared&>(shared);
  if (scan_shared.rows) return {fmt::format("rows found by the index: {}", scan_shared.rows->row_count())};
  const TableScanCounters& counters = scan_shared.scan->counters();
  return {fmt::format("blocks: {} read, {} skipped", counters.blocks_read.load(),
                      counters.blocks_skipped.load())};
}

TableFunctionOperator::TableFunctionOperator(TableFunction function,
                                             std::shared_ptr<const BoundTableFunction> bound,
                                             std::vector<size_t> columns, std::vector<ScanFilter> filters,
                                             std::vector<LogicalType> types)
    : PhysicalOperator("TableFunction", std::move(types)),
      function_(std::move(function)),
      bound_(std::move(bound)),
      columns_(std::move(columns)),
      filters_(std::move(filters)) {}

void TableFunctionOperator::SetRowFilter(ExpressionPtr predicate) {
  SCAUP_ASSERT(IsDeterministic(*predicate));
  if (!function_.takes_filters) return;
  // The expression will see its own columns alone.
  std::vector<size_t> used;
  const std::function<void(ExpressionPtr&)> renumber = [&](ExpressionPtr& expression) {
    expression->ForEachChild(renumber);
    if (expression->kind() != ExpressionKind::kReference) return;
    const size_t column = expression->As<ReferenceExpression>().index;
    const auto known = std::ranges::find(used, column);
    const auto place = static_cast<size_t>(known - used.begin());
    if (known == used.end()) used.push_back(column);
    expression = std::make_unique<ReferenceExpression>(expression->type(), place, "");
  };
  renumber(predicate);
  // The predicate is tested twice for rows that pass, so it must spare more than a column.
  constexpr size_t kLeastOthers = 2;
  if (used.empty() || columns_.size() < used.size() + kLeastOthers) return;
  row_filter_ = std::move(predicate);
  for (const size_t column : used) row_filter_columns_.push_back(columns_[column]);
}

std::unique_ptr<SharedState> TableFunctionOperator::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<TableFunctionSharedState>();
  shared->state = function_.create_shared(CallOf(context));
  if (context.is_repeated()) return shared;
  // Progress weighs the sources of a query by their rows. 1000 stands for functions without an estimate.
  const double rows = static_cast<double>(bound_->estimated_row_count.value_or(1000));
  context.progress.AddScan(rows, [state = shared->state] { return state->Progress(); });
  return shared;
}

std::unique_ptr<LocalState> TableFunctionOperator::MakeLocal(QueryContext& context,
                                                             SharedState& shared) const {
  auto local = std::make_unique<TableFunctionLocalState>();
  local->state =
      function_.create_local(CallOf(context), *static_cast<TableFunctionSharedState&>(shared).state);
  if (row_filter_) {
    local->state->SetRowFilter(
        std::make_unique<ExpressionRowFilter>(context.functions, *row_filter_, row_filter_columns_));
  }
  return local;
}

void TableFunctionOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                               const RuntimeFilter& range) const {
  if (!function_.takes_filters) return;
  TableFunctionShared& state = *static_cast<TableFunctionSharedState&>(shared).state;
  if (range.is_moving()) return state.AddFilter(range.MovingFilter(columns_[column]));
  AddBounds(range, columns_[column], types()[column],
            [&](const ScanFilter& filter) { state.AddFilter(filter); });
  if (!range.has_bitmap()) return;
  state.AddRowTest(columns_[column], [range](const UnifiedView& values, size_t count, sel_t* selected) {
    return range.SelectByBitmap(values, count, selected);
  });
}

std::vector<std::string> TableFunctionOperator::RunDetails(const SharedState& shared) const {
  return static_cast<const TableFunctionSharedState&>(shared).state->RunDetails();
}

void TableFunctionOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                                    DataChunk& output) const {
  auto& local = static_cast<TableFunctionLocalState&>(local_state);
  FetchForced(context.settings().force_vector_kind, local.pending, output, [&](DataChunk& chunk) {
    SCAUP_ASSERT(chunk.size() == 0 && chunk.column_count() == columns_.size());
    function_.next(CallOf(context), *static_cast<TableFunctionSharedState&>(shared).state, *local.state,
                   chunk);
  });
}

ValuesOperator::ValuesOperator(std::vector<std::vector<ExpressionPtr>> rows, std::vector<LogicalType> types)
    : PhysicalOperator("Values", std::move(types)), rows_(std::move(rows)) {}

std::unique_ptr<SharedState> ValuesOperator::MakeShared(QueryContext&) const {
  return std::make_unique<ValuesShared>();
}

void ValuesOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState&,
                             DataChunk& output) const {
  auto& shared = static_cast<ValuesShared&>(shared_state);
  const size_t begin = shared.next_row.fetch_add(kVectorSize);
  if (begin >= rows_.size()) return;
  const size_t count = std::min(kVectorSize, rows_.size() - begin);
  output.ResetForWriting();
  for (size_t row = 0; row < count; row++) {
    for (size_t column = 0; column < types().size(); column++) {
      const Expression& expression = *rows_[begin + row][column];
      if (expression.kind() == ExpressionKind::kConstant) {
        output.column(column).SetValue(row, expression.As<ConstantExpression>().value);
      } else if (expression.kind() == ExpressionKind::kParameter) {
        output.column(column).SetValue(
            row, context.functions.parameters[expression.As<ParameterExpression>().index]);
      } else {
        output.column(column).SetValue(row, EvaluateConstant(context.functions, expression));
      }
    }
  }
  output.SetSize(count);
  output.batch_index = begin / kVectorSize;
}

}  // namespace scaup
