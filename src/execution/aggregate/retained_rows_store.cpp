// Retained rows store: moving rows out of states, sorting them, and returning them in order.
#include "execution/aggregate/retained_rows_store.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "execution/rows/spillable_rows.hpp"
#include "execution/sort/spillable_sort.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> ColumnTypes(const AggregateFunction& function) {
  if (!function.row_retention->own_types.empty()) return function.row_retention->own_types;
  const auto begin = function.argument_types.begin();
  return {begin, begin + static_cast<std::ptrdiff_t>(function.row_retention->column_count)};
}

/// The state is the first sort key.
SortSchema MakeSchema(const AggregateFunction& function) {
  std::vector<LogicalType> types = {TypeId::kBigInt};
  for (const LogicalType& type : ColumnTypes(function)) types.push_back(type);
  std::vector<size_t> key_columns = {0};
  std::vector<SortOrder> orders = {{TypeId::kBigInt}};
  for (const AggregateOrder& key : function.row_retention->order) {
    key_columns.push_back(1 + key.argument);
    orders.push_back({types[1 + key.argument], key.descending, key.nulls_first});
  }
  return {std::move(types), std::move(key_columns), std::move(orders)};
}

std::unique_ptr<Arena> MakeArena(MemoryTracker& memory) {
  auto arena = std::make_unique<Arena>(&memory);
  arena->GrowSlowly();
  return arena;
}

}  // namespace

/// Sorts and spills the rows that come out of the states.
class RetainedRowsStore::Taker final : public RetainedRowsOutput {
 public:
  Taker(RetainedRowsStore& store, QueryContext& query, size_t run_bytes)
      : RetainedRowsOutput(ColumnTypes(store.specification_.function)),
        store_(store),
        query_(query),
        run_bytes_(run_bytes) {}

 private:
  void Take(DataChunk& rows, std::byte** states) override {
    store_.context_.CheckInterrupt();
    store_.Refer(rows.columns(), rows.size());
    SortRun& run = *store_.run_;
    if (run.size_bytes() + run.MostAppendBytes(store_.rows_) > run_bytes_) run.Spill(query_);
    store_.Append(rows.columns(), rows.size(), states);
  }

  RetainedRowsStore& store_;
  QueryContext& query_;
  const size_t run_bytes_;
};

/// Returns rows of runs to their states, as far as it is asked to.
class RetainedRowsStore::Returner {
 public:
  Returner(RetainedRowsStore& store, QueryContext& query, std::vector<SpilledRun> runs, MemoryGrant& grant)
      : store_(store),
        merge_(std::make_unique<MergedChunks>(query, store.schema_, std::move(runs), grant.use(), &grant)),
        rows_(store.schema_.types) {}

  void ReturnRows(std::byte* first, std::byte* last) {
    while (next_ != rows_.size() || Read()) {
      while (next_ != rows_.size() && states_[next_] < first) next_++;
      size_t end = next_;
      while (end != rows_.size() && states_[end] <= last) end++;
      if (end != next_) Update(end);
      if (next_ != rows_.size()) return;
    }
  }

 private:
  // Reads the next rows. After the last ones, the memory of the merge is for those that were returned.
  bool Read() {
    store_.context_.CheckInterrupt();
    rows_.Release();
    next_ = 0;
    if (!merge_) return false;
    if (!merge_->Next(rows_)) merge_.reset();
    StatesOf(rows_, nullptr, states_);
    return rows_.size() != 0;
  }

  void Update(size_t end) {
    DataChunk part(rows_.types());
    part.SliceRange(rows_, next_, end - next_);
    store_.retention_.update_ordered(store_.call(), std::span(part.columns()).subspan(1), part.size(),
                                     states_ + next_);
    next_ = end;
  }

  RetainedRowsStore& store_;
  std::unique_ptr<MergedChunks> merge_;  // Null once all rows are read.
  DataChunk rows_;
  std::byte* states_[kVectorSize];
  size_t next_ = 0;  // The first of rows_ not yet returned.
};

size_t RetainedRowsStore::LeastRunBytes(const AggregateFunction& function) {
  return SortRun::LeastBytes(MakeSchema(function));
}

RetainedRowsStore::RetainedRowsStore(const AggregateSpecification& specification,
                                     const FunctionContext& context, MemoryTracker& memory, bool is_single)
    : specification_(specification),
      retention_(*specification.function.row_retention),
      context_(context),
      memory_(memory),
      is_single_(is_single),
      schema_(MakeSchema(specification.function)),
      arena_(MakeArena(memory)),
      rows_(schema_.types),
      arguments_(specification.function.argument_types) {}

RetainedRowsStore::~RetainedRowsStore() = default;

void RetainedRowsStore::Add(DataChunk& arguments, std::byte** states) {
  const AggregateFunction& function = specification_.function;
  if (!adds_to_run()) return function.update(call(), arguments.columns(), arguments.size(), states);
  retention_.note(call(), arguments.columns(), arguments.size(), states);
  Append(arguments.columns(), arguments.size(), states);
}

// Append overwrites the state addresses, so a constant does for now.
void RetainedRowsStore::Refer(std::span<Vector> rows, size_t count) {
  rows_.Release();
  for (size_t i = 1; i < rows_.column_count(); i++) rows_.column(i).Reference(rows[i - 1]);
  rows_.column(0).ReferenceValue(Value::BigInt(0));
  rows_.SetSize(count);
}

void RetainedRowsStore::Append(std::span<Vector> rows, size_t count, std::byte* const* states) {
  Refer(rows, count);
  if (!is_single_) {
    Vector& addresses = rows_.column(0);
    addresses.Reset();
    auto* out = addresses.MutableData<int64_t>();
    for (size_t row = 0; row < count; row++)
      out[row] = static_cast<int64_t>(reinterpret_cast<intptr_t>(states[row]));
  }
  run_->Append(rows_);
}

size_t RetainedRowsStore::MostAddBytes(DataChunk& input) {
  arguments_.Release();
  for (size_t i = 0; i < arguments_.column_count(); i++)
    arguments_.column(i).Reference(input.column(specification_.arguments[i]));
  arguments_.SetSize(input.size());
  if (adds_to_run()) {
    Refer(arguments_.columns(), input.size());
    return run_->MostAppendBytes(rows_);
  }
  // A state stores a value with space for further ones, or a whole row.
  constexpr size_t kRowBytes = 64, kColumnBytes = 48;
  return input.size() * (kRowBytes + kColumnBytes * arguments_.column_count()) + LongStringBytes(arguments_) +
         arena_->next_block_bytes();
}

void RetainedRowsStore::SpillRows(QueryContext& query, size_t run_bytes,
                                  const std::function<void(const VisitState& visit)>& for_each_state) {
  if (!adds_to_run()) {
    if (!run_) run_ = std::make_unique<SortRun>(schema_, context_, &memory_);
    const std::unique_ptr<Arena> kept = std::exchange(arena_, MakeArena(memory_));
    Taker taker(*this, query, run_bytes);
    for_each_state([&](std::byte* state) { retention_.take(call(), state, taker); });
    taker.Flush();
  }
  run_->Spill(query);
}

void RetainedRowsStore::MoveRunsTo(std::vector<SpilledRun>& runs) {
  if (run_) run_->MoveSpilledTo(runs);
}

void RetainedRowsStore::AddInOrder(QueryContext& context, std::vector<SpilledRun> runs,
                                   std::byte* single_state, MemoryGrant* grant) {
  // Aggregates with a `change` function read their rows twice: changed and sorted anew after the first pass.
  std::optional<SpillableRows> again;
  if (retention_.change != nullptr) again.emplace(context, schema_.types);
  {
    MergedChunks merged(context, schema_, std::move(runs), memory_.use(), grant);
    std::byte* states[kVectorSize];
    while (merged.Next(rows_)) {
      StatesOf(rows_, single_state, states);
      retention_.update_ordered(call(), std::span(rows_.columns()).subspan(1), rows_.size(), states);
      if (again) again->Append(rows_);
    }
  }
  if (!again) return;
  again->Finish();
  AddChanged(context, *again, single_state, grant);
}

void RetainedRowsStore::BeginReturn(QueryContext& query, MemoryGrant& grant) {
  std::vector<SpilledRun> runs;
  MoveRunsTo(runs);
  returner_ = std::make_unique<Returner>(*this, query, std::move(runs), grant);
  ReleaseReturned();
}

void RetainedRowsStore::ReturnRows(std::byte* first, std::byte* last) { returner_->ReturnRows(first, last); }

void RetainedRowsStore::ReleaseReturned() { returned_ = MakeArena(memory_); }

void RetainedRowsStore::AddChanged(QueryContext& context, const SpillableRows& rows, std::byte* single_state,
                                   MemoryGrant* grant) {
  SpillableSort sort(context, schema_, memory_.use());
  std::byte* states[kVectorSize];
  for (size_t piece = 0; piece < rows.piece_count(); piece++) {
    context_.CheckInterrupt();
    rows.Read(piece, rows_);
    StatesOf(rows_, single_state, states);
    retention_.change(call(), std::span(rows_.columns()).subspan(1), rows_.size(), states);
    sort.Append(rows_);
  }
  rows_.Release();
  const auto update = [&](DataChunk& sorted) {
    StatesOf(sorted, single_state, states);
    retention_.update_ordered(call(), std::span(sorted.columns()).subspan(1), sorted.size(), states);
  };
  sort.ForEachChunk(update, grant);
}

void RetainedRowsStore::StatesOf(DataChunk& rows, std::byte* single_state, std::byte** states) {
  const auto addresses = rows.column(0).ViewAs<int64_t>(rows.size());
  for (size_t row = 0; row < rows.size(); row++) {
    states[row] = single_state != nullptr
                      ? single_state
                      : reinterpret_cast<std::byte*>(static_cast<intptr_t>(addresses[row]));
  }
}

}  // namespace scaup
