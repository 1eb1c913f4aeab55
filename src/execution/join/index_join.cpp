// Index nested-loop join: looks up the keys of a chunk together, and reads the rows found in storage order.
#include "execution/join/index_join.hpp"

#include <algorithm>

#include "catalog/table_reading.hpp"
#include "common/stack_bound.hpp"
#include "expression/expression_executor.hpp"
#include "planner/node/join.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table_index/keyed_fetcher.hpp"

namespace scaup {

struct IndexJoin::Shared final : SharedState {
  std::optional<uint32_t> writer;  // The transaction's number in IndexValue, if it has one.
  TableRead read;
};

struct IndexJoin::Local final : LocalState {
  Local(QueryContext& context, const Shared& shared, const Specification& specification,
        const std::vector<LogicalType>& input_types)
      : input(input_types),
        keys_executor(context.functions, specification.keys),
        keys(TypesOf(specification.keys)),
        encoded(context.memory()),
        fetcher(shared.read.view, specification.table->StorageColumns(), specification.scan,
                context.functions.kernels, specification.index, context.memory()),
        entries_memory(context.memory()),
        table_rows(specification.scan_types) {
    std::vector<LogicalType> pair_types = input_types;
    pair_types.insert(pair_types.end(), specification.scan_types.begin(), specification.scan_types.end());
    pairs.Initialize(pair_types);
    if (specification.residual) residual.emplace(context.functions, *specification.residual);
  }

  /// A pair of an input row and an index entry with its key.
  struct Entry {
    RowNumber row;
    sel_t input_row;
    size_t key_begin, key_end;  // Within entry_keys, if the index has further columns.
  };
  DataChunk input;
  ExpressionExecutor keys_executor;
  DataChunk keys;
  IndexKeys encoded;               // By row of the input.
  std::vector<KeyBytes> wanted;    // Keys without NULL, which may match,
  std::vector<sel_t> wanted_rows;  // and their input rows.
  size_t next_wanted = 0;
  std::optional<OrderedIndexScan> scan;  // Scans the index entries with the current key as prefix.
  IndexBatch batch;
  std::vector<uint64_t> values;
  std::vector<size_t> ends;
  KeyedFetcher fetcher;
  std::vector<Entry> entries;  // A part of the entries at a time, by row of the input.
  std::vector<std::byte> entry_keys;
  MemoryReservation entries_memory;
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
  CheckStack();
  auto shared = std::make_unique<Shared>();
  const std::shared_ptr<Table>& table = specification_.table->storage;
  Transaction& transaction = context.transaction;
  shared->writer = table->indexes().WriterOf(transaction);
  shared->read = context.ReadTable(this, [&] {
    return ReaderOf(transaction, *specification_.table, specification_.table->StorageColumns())
        .ReadByKeys(specification_.index, specification_.keys.size(), specification_.scan);
  });
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

std::unique_ptr<LocalState> IndexJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(context, shared, specification_, children[0]->types());
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void IndexJoin::BeginProbe(Shared& shared, Local& local) const {
  const size_t count = local.input.size();
  local.keys.Release();
  local.keys_executor.Execute(local.input, local.keys);
  specification_.index->encoder().Encode(local.keys, count, local.encoded);
  local.matches.Reset(count);
  local.wanted.clear();
  local.wanted_rows.clear();
  local.next_wanted = 0;
  local.scan.reset();
  for (size_t row = 0; row < count; row++) {
    if (local.encoded.has_null(row)) continue;  // NULL equals nothing.
    local.wanted.push_back(local.encoded[row]);
    local.wanted_rows.push_back(static_cast<sel_t>(row));
    shared.read.LogKey(local.encoded[row]);
  }
}

bool IndexJoin::FindEntries(const Shared& shared, Local& local) const {
  local.entries.clear();
  local.entry_keys.clear();
  local.next_entry = 0;
  while (local.entries.empty()) {
    if (!local.scan && local.next_wanted == local.wanted.size()) return false;
    if (specification_.keys.size() == specification_.index->columns().size()) {
      FindKeys(shared, local);
    } else {
      FindBeginnings(shared, local);
    }
  }
  local.entries_memory.Resize(local.entries.capacity() * sizeof(Local::Entry) + local.entry_keys.capacity() +
                              local.values.capacity() * sizeof(uint64_t));
  return true;
}

// Looks up all entries of the next keys, for keys that cover all columns of the index.
void IndexJoin::FindKeys(const Shared& shared, Local& local) const {
  // Bounds the memory for keys with many rows each.
  constexpr size_t kMostEntries = 4 * kVectorSize;
  const std::span<const KeyBytes> wanted = std::span(local.wanted).subspan(local.next_wanted);
  local.values.clear();
  local.ends.clear();
  specification_.index->tree().LookupMany(wanted, local.values, local.ends, kMostEntries);
  for (size_t i = 0, next = 0; i < local.ends.size(); i++) {
    const sel_t input_row = local.wanted_rows[local.next_wanted + i];
    for (; next < local.ends[i]; next++) {
      if (const auto row = RowOfValue(local.values[next], shared.writer))
        local.entries.push_back({*row, input_row, 0, 0});
    }
  }
  local.next_wanted += local.ends.size();
}

// Finds up to 1024 entries whose index keys have the next input keys as prefix. A row whose key has changed
// after the prefix may have several entries; their whole keys tell which one is valid.
void IndexJoin::FindBeginnings(const Shared& shared, Local& local) const {
  size_t found = 0;
  while (found < kVectorSize && (local.scan || local.next_wanted < local.wanted.size())) {
    if (!local.scan) {
      const KeyBytes beginning = local.wanted[local.next_wanted++];
      KeyRange range{IndexKey(beginning.begin(), beginning.end()), {}};
      range.upper = range.lower;
      if (!MakePrefixSuccessor(*range.upper)) range.upper.reset();
      local.scan.emplace(specification_.index->tree(), std::move(range), false);
    }
    if (!local.scan->Next(kVectorSize - found, true, local.batch)) {
      local.scan.reset();
      continue;
    }
    found += local.batch.values.size();
    const size_t keys_begin = local.entry_keys.size();
    local.entry_keys.insert(local.entry_keys.end(), local.batch.keys.begin(), local.batch.keys.end());
    size_t key_begin = keys_begin;
    for (size_t i = 0; i < local.batch.values.size(); i++) {
      const size_t key_end = keys_begin + local.batch.key_ends[i];
      if (const auto row = RowOfValue(local.batch.values[i], shared.writer))
        local.entries.push_back({*row, local.wanted_rows[local.next_wanted - 1], key_begin, key_end});
      key_begin = key_end;
    }
  }
}

bool IndexJoin::ProbeStep(Local& local, DataChunk& output) const {
  const bool emits_pairs = EmitsRight(specification_.join_type);
  local.candidates.clear();
  for (; local.next_entry < local.entries.size() && local.candidates.size() < kVectorSize;
       local.next_entry++) {
    const Local::Entry& entry = local.entries[local.next_entry];
    // If one match suffices, no further rows are read.
    if (emits_pairs || !local.matches.matched[entry.input_row])
      local.candidates.push_back({entry.row, local.next_entry});
  }
  if (local.candidates.empty()) return false;
  const bool has_whole_keys = specification_.keys.size() == specification_.index->columns().size();
  const auto key_of = [&](size_t number) {
    const Local::Entry& entry = local.entries[number];
    if (has_whole_keys) return local.encoded[entry.input_row];
    return KeyBytes(local.entry_keys).subspan(entry.key_begin, entry.key_end - entry.key_begin);
  };
  local.fetcher.Fetch(local.candidates, key_of, local.found);
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
    while (local.next_entry != local.entries.size() || FindEntries(shared, local)) {
      context.functions.CheckInterrupt();
      if (ProbeStep(local, output)) return;
    }
    local.is_probing = false;
    if (EmitAfterProbe(specification_.join_type, local.input, local.matches, output)) return;
  }
}

}  // namespace scaup
