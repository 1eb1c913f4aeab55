// Index nested-loop join: keys of a chunk are looked up together, and the rows found read in their own order.
#include "execution/operator/index_join.hpp"

#include <algorithm>

#include "expression/expression_executor.hpp"
#include "storage/table/key_lookup.hpp"
#include "storage/table/keyed_fetcher.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

std::vector<LogicalType> TypesOf(const std::vector<ExpressionPtr>& expressions) {
  std::vector<LogicalType> types;
  for (const ExpressionPtr& expression : expressions) types.push_back(expression->type());
  return types;
}

}  // namespace

struct IndexJoin::Shared final : SharedState {
  Shared(QueryContext& context, const Specification& specification)
      : view(specification.table->storage->View(context.transaction)),
        own(static_cast<const TableChanges*>(
            context.transaction.FindLocal(specification.table->storage.get()))) {
    if (!context.transaction.logs_reads()) return;
    auto predicate = std::make_unique<KeyLookupPredicate>(
        specification.table->storage, specification.table->name, specification.index,
        specification.keys.size(), specification.scan.columns);
    read = predicate.get();
    context.transaction.LogRead(std::move(predicate));
  }
  TableView view;
  const TableChanges* own;
  KeyLookupPredicate* read = nullptr;  // The transaction's; null: nothing is to be noted.
};

struct IndexJoin::Local final : LocalState {
  Local(QueryContext& context, const Shared& shared, const Specification& specification,
        const std::vector<LogicalType>& input_types)
      : input(input_types),
        keys_executor(context.functions, specification.keys),
        keys(TypesOf(specification.keys)),
        encoded(context.memory()),
        fetcher(shared.view, specification.table->storage->types(), specification.scan,
                context.functions.kernels, specification.index, specification.keys.size(), context.memory()),
        pairs_memory(context.memory()),
        table_rows(specification.scan_types) {
    std::vector<LogicalType> pair_types = input_types;
    pair_types.insert(pair_types.end(), specification.scan_types.begin(), specification.scan_types.end());
    pairs.Initialize(pair_types);
    if (specification.residual) residual.emplace(context.functions, *specification.residual);
  }

  /// A row of the input and an entry that has its key.
  struct Entry {
    RowNumber row;
    sel_t input_row;
  };
  DataChunk input;
  ExpressionExecutor keys_executor;
  DataChunk keys;
  IndexKeys encoded;  // By row of the input.
  KeyedFetcher fetcher;
  std::vector<Entry> entries;  // By row of the input.
  MemoryReservation pairs_memory;
  size_t next_entry = 0;
  std::vector<KeyedFetcher::Candidate> candidates;
  std::vector<KeyedFetcher::Found> found;
  std::optional<ExpressionExecutor> residual;
  DataChunk table_rows;
  DataChunk pairs;
  ProbeMatches matches;
  bool is_probing = false;
};

IndexJoin::IndexJoin(PhysicalOperatorPtr input, Specification specification, std::vector<LogicalType> types)
    : PhysicalOperator("IndexJoin", std::move(types)), specification_(std::move(specification)) {
  children.push_back(std::move(input));
}

std::unique_ptr<SharedState> IndexJoin::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<Shared>(context, specification_);
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

std::unique_ptr<LocalState> IndexJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(context, shared, specification_, children[0]->types());
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void IndexJoin::BeginProbe(Shared& shared, Local& local) const {
  const size_t count = local.input.size();
  const TableIndex& index = *specification_.index;
  local.keys.Release();
  local.keys_executor.Execute(local.input, local.keys);
  index.encoder().Encode(local.keys, count, local.encoded);
  local.matches.Reset(count);
  local.entries.clear();
  local.next_entry = 0;
  const auto add = [&](uint64_t value, sel_t input_row) {
    if (const auto row = RowOfValue(value, shared.own)) local.entries.push_back({*row, input_row});
  };
  std::vector<KeyBytes> wanted;
  std::vector<sel_t> input_rows;
  for (size_t row = 0; row < count; row++) {
    if (local.encoded.has_null(row)) continue;  // Equals nothing.
    wanted.push_back(local.encoded[row]);
    input_rows.push_back(static_cast<sel_t>(row));
    if (shared.read != nullptr) shared.read->Add(local.encoded[row]);
  }
  if (specification_.keys.size() == index.columns().size()) {
    std::vector<uint64_t> values;
    std::vector<size_t> ends;
    index.tree().LookupMany(wanted, values, ends);
    for (size_t i = 0, next = 0; i < ends.size(); i++) {
      for (; next < ends[i]; next++) add(values[next], input_rows[i]);
    }
  } else {
    IndexBatch batch;
    for (size_t i = 0; i < wanted.size(); i++) {
      const size_t before = local.entries.size();
      KeyRange range{IndexKey(wanted[i].begin(), wanted[i].end()), {}};
      range.upper = range.lower;
      if (!MakePrefixSuccessor(*range.upper)) range.upper.reset();
      OrderedIndexScan scan(index.tree(), std::move(range), false);
      while (scan.Next(kVectorSize, false, batch)) {
        for (const uint64_t value : batch.values) add(value, input_rows[i]);
        local.pairs_memory.Resize(local.entries.capacity() * sizeof(Local::Entry));
      }
      // Of a row whose key was changed behind its beginning there may be several entries.
      const auto first = local.entries.begin() + static_cast<ptrdiff_t>(before);
      std::sort(first, local.entries.end(),
                [](const Local::Entry& a, const Local::Entry& b) { return a.row < b.row; });
      local.entries.erase(
          std::unique(first, local.entries.end(),
                      [](const Local::Entry& a, const Local::Entry& b) { return a.row == b.row; }),
          local.entries.end());
    }
  }
  local.pairs_memory.Resize(local.entries.capacity() * sizeof(Local::Entry));
}

bool IndexJoin::ProbeStep(Local& local, DataChunk& output) const {
  const size_t begin = local.next_entry;
  const size_t end = local.next_entry = std::min(begin + kVectorSize, local.entries.size());
  local.candidates.clear();
  for (size_t i = begin; i < end; i++) local.candidates.push_back({local.entries[i].row, i});
  local.fetcher.Fetch(
      local.candidates, [&](size_t number) { return local.encoded[local.entries[number].input_row]; },
      local.found);
  const size_t count = local.found.size();
  if (count == 0) return false;
  auto input_rows = std::make_shared<SelectionVector>(), table_rows = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < count; i++) {
    input_rows->rows[i] = local.entries[local.found[i].number].input_row;
    table_rows->rows[i] = local.found[i].row;
  }
  auto passing = std::make_shared<SelectionVector>();
  size_t kept = count;
  const size_t input_columns = local.input.column_count();
  const bool emits_pairs = EmitsRight(specification_.join_type);
  if (emits_pairs || local.residual) {
    local.table_rows.Release();
    local.fetcher.Give(table_rows, count, local.table_rows);
    local.pairs.Release();
    for (size_t i = 0; i < input_columns; i++)
      local.pairs.column(i).Slice(local.input.column(i), local.input.size(), input_rows, count);
    for (size_t i = 0; i < local.table_rows.column_count(); i++)
      local.pairs.column(input_columns + i).Reference(local.table_rows.column(i));
    local.pairs.SetSize(count);
  }
  if (local.residual) kept = local.residual->Select(0, local.pairs, *passing);
  for (size_t i = 0; i < kept; i++) {
    const size_t pair = local.residual ? passing->rows[i] : i;
    NoteMatch(specification_.join_type, local.matches, input_rows->rows[pair]);
  }
  if (kept == 0 || !emits_pairs) return false;
  if (kept == count) {
    output.Reference(local.pairs);
  } else {
    output.Slice(local.pairs, passing, kept);
  }
  output.SetSize(kept);
  output.batch_index = local.input.batch_index;
  return true;
}

void IndexJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                        DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  while (true) {
    if (!local.is_probing) {
      children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
      if (local.input.size() == 0) return;
      BeginProbe(shared, local);
      local.is_probing = true;
    }
    while (local.next_entry != local.entries.size()) {
      context.functions.CheckInterrupt();
      if (ProbeStep(local, output)) return;
    }
    local.is_probing = false;
    if (EmitAfterProbe(specification_.join_type, local.input, local.matches, output)) return;
  }
}

}  // namespace scaup
