// Aggregate table: updating, merging and finalizing states.
#include "execution/aggregate/aggregate_table.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "function/many_groups.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

void InitializeStates(const void* owner, std::byte* row) {
  const auto& layout = *static_cast<const AggregateLayout*>(owner);
  for (size_t i = 0; i < layout.aggregates.size(); i++)
    layout.aggregates[i].function.initialize(row + layout.rows.state_offset(i));
}

std::vector<LogicalType> FirstTypes(const std::vector<LogicalType>& types, size_t count) {
  return {types.begin(), types.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<StateSpace> StateSpaces(const std::vector<AggregateSpecification>& aggregates) {
  std::vector<StateSpace> spaces;
  for (const auto& aggregate : aggregates)
    spaces.push_back({aggregate.function.state_size, aggregate.function.state_alignment});
  return spaces;
}

}  // namespace

AggregateLayout::AggregateLayout(const std::vector<LogicalType>& input_types_in, size_t group_count_in,
                                 const std::vector<AggregateSpecification>& aggregates_in,
                                 size_t tables_at_once_in)
    : group_count(group_count_in),
      group_types(FirstTypes(input_types_in, group_count_in)),
      input_types(input_types_in),
      aggregates(aggregates_in),
      tables_at_once(tables_at_once_in),
      rows(group_types, GroupTable::kHeaderBytes, StateSpaces(aggregates_in)) {}

AggregateTable::AggregateTable(const AggregateLayout& layout, const FunctionContext& context,
                               MemoryTracker& memory)
    : layout_(layout),
      context_(context),
      groups_(layout.rows, memory, InitializeStates, &layout),
      known_(layout.input_types) {
  for (size_t i = 0; i < layout.aggregates.size(); i++) {
    const auto& aggregate = layout.aggregates[i];
    arguments_.emplace_back(aggregate, layout.input_types);
    kept_.push_back(aggregate.function.row_retention
                        ? std::make_unique<RetainedRowsStore>(aggregate, context, memory, false)
                        : nullptr);
  }
}

void AggregateTable::HashGroups(std::span<Vector> groups, size_t count, uint64_t* hashes) const {
  if (groups.empty()) std::fill(hashes, hashes + count, 0);
  for (size_t i = 0; i < groups.size(); i++) HashVector(groups[i], count, hashes, i != 0);
}

void AggregateTable::Hash(DataChunk& input, uint64_t* hashes) const {
  HashGroups(GroupsOf(input), input.size(), hashes);
}

void AggregateTable::Add(DataChunk& input) {
  SCAUP_ASSERT(!is_finished_);
  const std::span<Vector> groups = GroupsOf(input);
  const size_t count = input.size();
  if (is_first_ && !groups_.is_ascending()) {
    dense_ = DenseGroups::TryMake(groups, count);
    is_first_ = false;
  }
  if (dense_ && !dense_->pays()) dense_.reset();
  std::byte* rows[kVectorSize];
  uint64_t hashes[kVectorSize];
  // Try the cheapest way first: dictionary codes, then small ranges, then hashing.
  const bool has_all = coded_.Find(groups, count, rows) || (dense_ && dense_->Find(groups, count, rows) == 0);
  if (!has_all) {
    HashGroups(groups, count, hashes);
    groups_.FindOrCreate(groups, hashes, count, rows);
    coded_.Note(count, rows);
    if (dense_) dense_->Note(count, rows);
  }
  UpdateStates(input, rows);
}

size_t AggregateTable::AddKnown(DataChunk& input, const uint64_t* hashes, sel_t* missing) {
  SCAUP_ASSERT(!is_finished_);
  const size_t count = input.size();
  std::byte* rows[kVectorSize];
  const size_t missing_count = groups_.Find(GroupsOf(input), hashes, count, rows, missing);
  if (missing_count == 0) {
    UpdateStates(input, rows);
  } else if (missing_count < count) {
    auto selection = std::make_shared<SelectionVector>();
    size_t known = 0;
    for (size_t row = 0, next = 0; row < count; row++) {
      if (next < missing_count && missing[next] == row) {
        next++;
        continue;
      }
      selection->rows[known] = static_cast<sel_t>(row);
      rows[known++] = rows[row];
    }
    known_.Slice(input, selection, known);
    UpdateStates(known_, rows);
    known_.Release();
  }
  return missing_count;
}

size_t AggregateTable::size_bytes() const { return groups_.size_bytes() + kept_bytes(); }

size_t AggregateTable::MostGrowBytes(DataChunk& input) const {
  return groups_.MostGrowBytes(input.size()) + MostKeepBytes(input);
}

size_t AggregateTable::MostKeepBytes(DataChunk& input) const {
  size_t bytes = 0;
  for (const auto& kept : kept_) bytes += kept ? kept->MostAddBytes(input) : 0;
  return bytes;
}

size_t AggregateTable::kept_bytes() const {
  size_t bytes = 0;
  for (const auto& kept : kept_) bytes += kept ? kept->size_bytes() : 0;
  return bytes;
}

bool AggregateTable::keeps_rows() const {
  return std::ranges::any_of(kept_, [](const auto& kept) { return kept != nullptr; });
}

bool AggregateTable::takes_rows() const {
  return std::ranges::any_of(kept_, [](const auto& kept) { return kept && kept->takes_rows(); });
}

void AggregateTable::KeepRowsApart(QueryContext& context, size_t piece_bytes) {
  for (size_t i = 0; i < kept_.size(); i++) {
    if (!kept_[i]) continue;
    const size_t offset = layout_.rows.state_offset(i);
    kept_[i]->SpillRows(context, piece_bytes, [&](const RetainedRowsStore::VisitState& visit) {
      groups_.rows().ForEachBlock([&](std::byte* first, size_t count) {
        for (size_t row = 0; row < count; row++) visit(first + row * layout_.rows.row_bytes() + offset);
      });
    });
  }
  are_rows_apart_ = true;
}

void AggregateTable::FinishRowsApart(QueryContext& context, MemoryGrant& grant) {
  is_finished_ = true;
  for (const auto& kept : kept_) {
    if (!kept || kept->collects()) continue;
    std::vector<SpilledRun> runs;
    kept->MoveRunsTo(runs);
    kept->AddInOrder(context, std::move(runs), nullptr, &grant);
  }
  for (const auto& kept : kept_) {
    if (!kept || !kept->collects()) continue;
    kept->BeginReturn(context, grant);
    is_returning_ = true;
  }
}

void AggregateTable::FinishAhead() {
  SCAUP_ASSERT(!are_rows_apart_);
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    const auto* const data = dynamic_cast<const ManyGroupsData*>(layout_.aggregates[i].data.get());
    if (data == nullptr) continue;
    is_finished_ = true;
    std::vector<std::byte*> states;
    states.reserve(groups_.group_count());
    const size_t offset = layout_.rows.state_offset(i);
    groups_.rows().ForEachBlock([&](std::byte* first, size_t count) {
      for (size_t row = 0; row < count; row++)
        states.push_back(first + row * layout_.rows.row_bytes() + offset);
    });
    try {
      data->FinishAhead(CallOf(i), states);
    } catch (const Error& error) {
      // Finalize computes the other results, with fewer groups at a time, and may spill rows.
      if (error.kind() != ErrorKind::kOutOfMemory) throw;
    }
  }
}

void AggregateTable::UpdateStates(DataChunk& input, std::byte* const* rows) {
  std::byte* states[kVectorSize];
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    AggregateArguments& arguments = arguments_[i];
    const size_t row_count = arguments.Load(input);
    if (row_count == 0) continue;
    const size_t offset = layout_.rows.state_offset(i);
    if (const sel_t* selected = arguments.rows()) {
      for (size_t j = 0; j < row_count; j++) states[j] = rows[selected[j]] + offset;
    } else {
      for (size_t j = 0; j < row_count; j++) states[j] = rows[j] + offset;
    }
    if (kept_[i]) {
      kept_[i]->Add(arguments.chunk(), states);
    } else {
      layout_.aggregates[i].function.update(CallOf(i), arguments.chunk().columns(), row_count, states);
    }
  }
}

void AggregateTable::CombineStates(std::byte** sources, std::byte** targets, size_t count) {
  std::byte* source_states[kVectorSize];
  std::byte* target_states[kVectorSize];
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    const size_t offset = layout_.rows.state_offset(i);
    for (size_t j = 0; j < count; j++) {
      source_states[j] = sources[j] + offset;
      target_states[j] = targets[j] + offset;
    }
    layout_.aggregates[i].function.combine(CallOf(i), source_states, target_states, count);
  }
}

void AggregateTable::MergeRows(std::span<std::byte* const> rows) {
  std::byte* sources[kVectorSize];
  std::byte* targets[kVectorSize];
  size_t pending = 0;
  for (std::byte* row : rows) {
    bool is_new;
    std::byte* target = groups_.FindOrAdopt(row, is_new);
    // An adopted row brings its states along: nothing to combine.
    if (is_new) continue;
    sources[pending] = row;
    targets[pending++] = target;
    if (pending == kVectorSize) {
      context_.CheckInterrupt();
      CombineStates(sources, targets, pending);
      pending = 0;
    }
  }
  CombineStates(sources, targets, pending);
}

uint64_t AggregateTable::HashOf(const std::vector<Value>& group) const {
  std::vector<Vector> keys;
  for (const Value& value : group) keys.emplace_back(value);
  uint64_t hash;
  HashGroups(keys, 1, &hash);
  return hash;
}

void AggregateTable::EnsureGroup(const std::vector<Value>& group) {
  std::vector<Vector> keys;
  for (const Value& value : group) keys.emplace_back(value);
  const uint64_t hash = HashOf(group);
  std::byte* row;
  groups_.FindOrCreate(keys, &hash, 1, &row);
}

// Returns rows to the states of groups until about `most_bytes` have been returned. Returns the number of
// groups.
size_t AggregateTable::ReturnRows(std::byte* first, size_t count, size_t most_bytes) {
  for (const auto& kept : kept_)
    if (kept && kept->collects()) kept->ReleaseReturned();
  for (size_t done = 0, step = 1;;) {
    const size_t end = std::min(count, done + step);
    size_t bytes = 0;
    for (size_t i = 0; i < kept_.size(); i++) {
      if (!kept_[i] || !kept_[i]->collects()) continue;
      std::byte* const state = first + layout_.rows.state_offset(i);
      kept_[i]->ReturnRows(state + done * layout_.rows.row_bytes(),
                           state + (end - 1) * layout_.rows.row_bytes());
      bytes += kept_[i]->returned_bytes();
    }
    done = end;
    if (done == count || bytes >= most_bytes) return done;
    // Further groups are assumed to be like those before, but each step at most doubles their number.
    step = std::clamp<size_t>((most_bytes - bytes) / (bytes / done + 1), 1, done);
  }
}

size_t AggregateTable::Finalize(std::byte* first, size_t count, size_t most_bytes, DataChunk& output) {
  if (is_returning_) count = ReturnRows(first, count, most_bytes);
  std::byte* rows[kVectorSize];
  for (size_t i = 0; i < count; i++) rows[i] = first + i * layout_.rows.row_bytes();
  for (size_t i = 0; i < layout_.aggregates.size(); i++)
    output.column(layout_.group_count + i).AccountStrings(&context_.memory);
  output.ResetForWriting();
  for (size_t i = 0; i < layout_.group_count; i++) layout_.rows.Gather(i, rows, count, output.column(i));
  std::byte* states[kVectorSize];
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    for (size_t j = 0; j < count; j++) states[j] = rows[j] + layout_.rows.state_offset(i);
    layout_.aggregates[i].function.finalize(CallOf(i), states, count, output.column(layout_.group_count + i),
                                            0);
  }
  output.SetSize(count);
  return count;
}

}  // namespace scaup
