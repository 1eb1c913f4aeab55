// Aggregates of the program: states collect rows, and calls get the rows of as many groups as fit.
#include "execution/foreign/foreign_aggregate.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "common/check.hpp"
#include "execution/foreign/collected_rows.hpp"
#include "execution/foreign/state_bytes.hpp"

namespace scaup {

namespace {

/// The state of one group.
struct GroupState {
  CollectedRows rows;      ///< arguments
  CollectedRows partials;  ///< states of the function, of earlier rows
};

class ForeignAggregateData final : public FunctionData {
 public:
  ForeignAggregateData(const std::vector<LogicalType>& arguments, LogicalType result_in,
                       std::shared_ptr<const ForeignAggregate> function_in)
      : function(std::move(function_in)),
        argument_types(arguments),
        rows(arguments, !function->omits_nulls()),
        result(std::move(result_in)) {}

  bool IsSame(const FunctionData& other) const override {
    return function == static_cast<const ForeignAggregateData&>(other).function;
  }
  /// Returns the layout of the function's states, which may be known only when a statement runs.
  const CollectedLayout& states() const {
    std::call_once(states_once_, [&] { states_ = std::make_unique<CollectedLayout>(StateTypes(), true); });
    return *states_;
  }
  const std::vector<LogicalType>& StateTypes() const { return function->StateTypes(); }
  bool has_state() const { return !states().columns().empty(); }

  const std::shared_ptr<const ForeignAggregate> function;
  const std::vector<LogicalType> argument_types;
  const CollectedLayout rows;
  const LogicalType result;

 private:
  mutable std::once_flag states_once_;
  mutable std::unique_ptr<const CollectedLayout> states_;
};

const ForeignAggregateData& DataOf(const AggregateCall& call) {
  return static_cast<const ForeignAggregateData&>(*call.data);
}

GroupState& StateAt(std::byte* state) { return *reinterpret_cast<GroupState*>(state); }

/// Gathers the rows of groups.
GroupedArguments GatherGroups(const AggregateCall& call, const CollectedLayout& layout,
                              const std::vector<LogicalType>& types, std::span<const CollectedRows> groups) {
  const ResultMemory memory(call.context.memory);
  GroupedArguments arguments;
  arguments.group_count = groups.size();
  const auto offsets = std::make_shared<int64_t[]>(groups.size() + 1);
  for (size_t i = 0; i < groups.size(); i++)
    offsets[i + 1] = offsets[i] + static_cast<int64_t>(groups[i].count());
  arguments.rows.row_count = static_cast<size_t>(offsets[groups.size()]);
  arguments.offsets = offsets;
  ResultHeap heap(memory);
  for (const LogicalType& type : types) arguments.rows.columns.emplace_back(type, memory);
  CollectedRows::Gather(layout, groups, arguments.rows.columns, heap);
  arguments.rows.heaps.push_back(std::move(heap));
  return arguments;
}

/// Adds row i of columns with states of the function to *targets[i].
void AddStates(const AggregateCall& call, const ForeignAggregate::Columns& columns,
               std::span<CollectedRows* const> targets, Arena& arena) {
  const ForeignAggregateData& data = DataOf(call);
  DataChunk chunk(data.StateTypes());
  for (Vector& column : chunk.columns()) column.AccountStrings(&call.context.memory);
  for (size_t begin = 0; begin < targets.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, targets.size() - begin);
    chunk.Release();
    for (size_t i = 0; i < columns.size(); i++) columns[i]->Read(begin, count, chunk.column(i));
    CollectedRows::Add(data.states(), {chunk.columns(), count, nullptr, count}, targets.data() + begin,
                       arena);
  }
}

/// Makes a state of the function of the rows that a state of ours has collected, and forgets these.
void Fold(const AggregateCall& call, GroupState& state) {
  const ForeignAggregateData& data = DataOf(call);
  call.context.CheckInterrupt();
  const auto columns = data.function->Accumulate(
      call.context, GatherGroups(call, data.rows, data.argument_types, std::span(&state.rows, 1)));
  state.rows.Clear();
  CollectedRows* const target = &state.partials;
  AddStates(call, columns, std::span(&target, 1), call.arena);
}

bool IsFull(const ForeignAggregateData& data, const GroupState& state) {
  return state.rows.count() >= data.function->most_rows();
}

/// Selects the rows without NULLs. Returns nothing if all rows have none.
std::optional<SelectionVector> RowsWithoutNulls(std::span<Vector> arguments, size_t count, size_t& selected) {
  uint8_t is_null[kVectorSize] = {};
  bool has_nulls = false;
  for (Vector& argument : arguments) {
    const UnifiedView view = argument.View(count);
    if (view.validity == nullptr) continue;
    for (size_t row = 0; row < count; row++) {
      is_null[row] |= static_cast<uint8_t>(!view.IsValid(row));
      has_nulls = has_nulls || is_null[row] != 0;
    }
  }
  selected = count;
  if (!has_nulls) return std::nullopt;
  std::optional<SelectionVector> selection(std::in_place);
  selected = 0;
  for (size_t row = 0; row < count; row++) {
    selection->rows[selected] = static_cast<sel_t>(row);
    selected += is_null[row] == 0 ? 1 : 0;
  }
  return selection;
}

// --- The functions of an AggregateFunction

void Initialize(std::byte* state) { new (state) GroupState(); }

void Update(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte** states) {
  const ForeignAggregateData& data = DataOf(call);
  SelectedRows rows{arguments.first(data.argument_types.size()), count, nullptr, count};
  std::optional<SelectionVector> selection;
  if (data.function->omits_nulls()) selection = RowsWithoutNulls(rows.columns, count, rows.count);
  if (selection) rows.rows = selection->rows;
  CollectedRows* targets[kVectorSize];
  for (size_t i = 0; i < rows.count; i++)
    targets[i] = &StateAt(states[selection ? selection->rows[i] : i]).rows;
  CollectedRows::Add(data.rows, rows, targets, call.arena);
  if (!data.has_state()) return;
  for (size_t i = 0; i < count; i++) {
    if (IsFull(data, StateAt(states[i]))) Fold(call, StateAt(states[i]));
  }
}

void UpdateSingle(const AggregateCall& call, std::span<Vector> arguments, size_t count, std::byte* state) {
  const ForeignAggregateData& data = DataOf(call);
  SelectedRows rows{arguments.first(data.argument_types.size()), count, nullptr, count};
  std::optional<SelectionVector> selection;
  if (data.function->omits_nulls()) selection = RowsWithoutNulls(rows.columns, count, rows.count);
  if (selection) rows.rows = selection->rows;
  StateAt(state).rows.AddAll(data.rows, rows, call.arena);
  if (data.has_state() && IsFull(data, StateAt(state))) Fold(call, StateAt(state));
}

void Combine(const AggregateCall& call, std::byte** sources, std::byte** targets, size_t count) {
  for (size_t i = 0; i < count; i++) {
    StateAt(targets[i]).rows.Join(StateAt(sources[i]).rows, call.arena);
    StateAt(targets[i]).partials.Join(StateAt(sources[i]).partials, call.arena);
  }
}

/// Computes the results of some groups, in one call. All of them have rows or states.
class GroupCall {
 public:
  GroupCall(const AggregateCall& call) : call_(call), data_(DataOf(call)) {}

  uint64_t row_count() const { return row_count_; }
  bool empty() const { return groups_.empty(); }

  void Add(const GroupState& state, size_t result_row) {
    groups_.push_back(state);
    result_rows_.push_back(result_row);
    row_count_ += state.rows.count() + state.partials.count();
  }

  /// Writes the results to their rows, and forgets the groups.
  void Finish(Vector& result) {
    call_.context.CheckInterrupt();
    const auto column =
        data_.function->Finish(call_.context, data_.has_state() ? MergedStates() : WholeGroups());
    Vector part(data_.result);
    part.AccountStrings(&call_.context.memory);
    for (size_t begin = 0; begin < groups_.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, groups_.size() - begin);
      part.Release();
      column->Read(begin, count, part);
      const UnifiedView view = part.View(count);
      for (size_t i = 0; i < count; i++) {
        if (view.IsValid(i)) {
          CopyRow(view, i, result, result_rows_[begin + i]);
        } else {
          result.SetNull(result_rows_[begin + i]);
        }
      }
    }
    groups_.clear();
    result_rows_.clear();
    row_count_ = 0;
  }

 private:
  GroupedArguments WholeGroups() const {
    std::vector<CollectedRows> rows;
    for (const GroupState& group : groups_) rows.push_back(group.rows);
    return GatherGroups(call_, data_.rows, data_.argument_types, rows);
  }

  GroupedArguments GatherStates(std::span<const CollectedRows> states) const {
    return GatherGroups(call_, data_.states(), data_.StateTypes(), states);
  }

  // The groups themselves must not change, because windows finish states again and again.
  GroupedArguments MergedStates() {
    Arena arena(&call_.context.memory);
    std::vector<CollectedRows> states(groups_.size()), rows;
    std::vector<CollectedRows*> targets;
    for (size_t i = 0; i < groups_.size(); i++) {
      states[i].Join(groups_[i].partials, arena);
      if (groups_[i].rows.count() == 0) continue;
      rows.push_back(groups_[i].rows);
      targets.push_back(&states[i]);
    }
    if (!rows.empty()) {
      AddStates(call_,
                data_.function->Accumulate(call_.context,
                                           GatherGroups(call_, data_.rows, data_.argument_types, rows)),
                targets, arena);
    }
    const bool is_merged = std::ranges::all_of(states, [](const auto& each) { return each.count() == 1; });
    if (is_merged) return GatherStates(states);
    std::vector<CollectedRows> merged(states.size());
    targets.clear();
    for (CollectedRows& each : merged) targets.push_back(&each);
    AddStates(call_, data_.function->Merge(call_.context, GatherStates(states)), targets, arena);
    return GatherStates(merged);
  }

  const AggregateCall& call_;
  const ForeignAggregateData& data_;
  std::vector<GroupState> groups_;
  std::vector<size_t> result_rows_;
  uint64_t row_count_ = 0;
};

void Finalize(const AggregateCall& call, std::byte** states, size_t count, Vector& result, size_t offset) {
  const uint64_t most_rows = DataOf(call).function->most_rows();
  GroupCall groups(call);
  for (size_t i = 0; i < count; i++) {
    const GroupState& state = StateAt(states[i]);
    const uint64_t row_count = state.rows.count() + state.partials.count();
    if (row_count == 0) {
      result.SetNull(offset + i);
      continue;
    }
    if (!groups.empty() && groups.row_count() + row_count > most_rows) groups.Finish(result);
    groups.Add(state, offset + i);
  }
  if (!groups.empty()) groups.Finish(result);
}

// --- Retained rows: the arguments, and the bytes of a state of the function, one of which is NULL

void Take(const AggregateCall& call, std::byte* state, RetainedRowsOutput& output) {
  const ForeignAggregateData& data = DataOf(call);
  GroupState& taken = StateAt(state);
  const size_t bytes_column = data.argument_types.size();
  if (taken.partials.count() != 0) {
    const GroupedArguments states =
        GatherGroups(call, data.states(), data.StateTypes(), std::span(&taken.partials, 1));
    std::string bytes;
    for (size_t i = 0; i < states.rows.row_count; i++) {
      const size_t row = output.AddRow(state);
      for (size_t c = 0; c < bytes_column; c++) output.rows().column(c).SetNull(row);
      bytes.clear();
      AppendStateBytes(states.rows.columns, i, bytes);
      Vector& column = output.rows().column(bytes_column);
      column.MutableData<StringRef>()[row] = column.AddString(bytes);
    }
    taken.partials = CollectedRows();
  }
  taken.rows.TakeAll(data.rows, state, output);
}

void UpdateOrdered(const AggregateCall& call, std::span<Vector> rows, size_t count, std::byte** states) {
  const ForeignAggregateData& data = DataOf(call);
  Vector& bytes = rows[data.argument_types.size()];
  const auto view = bytes.ViewAs<StringRef>(count);
  SelectionVector arguments, partials;
  size_t argument_count = 0, partial_count = 0;
  CollectedRows* argument_targets[kVectorSize];
  CollectedRows* partial_targets[kVectorSize];
  for (size_t row = 0; row < count; row++) {
    if (view.IsValid(row)) {
      partial_targets[partial_count] = &StateAt(states[row]).partials;
      partials.rows[partial_count++] = static_cast<sel_t>(row);
    } else {
      argument_targets[argument_count] = &StateAt(states[row]).rows;
      arguments.rows[argument_count++] = static_cast<sel_t>(row);
    }
  }
  CollectedRows::Add(data.rows,
                     {rows.first(data.argument_types.size()), count, arguments.rows, argument_count},
                     argument_targets, call.arena);
  if (partial_count == 0) return;
  DataChunk chunk(data.StateTypes());
  for (Vector& column : chunk.columns()) column.AccountStrings(&call.context.memory);
  chunk.ResetForWriting();
  for (size_t i = 0; i < partial_count; i++) ReadStateBytes(view[partials.rows[i]].view(), chunk, i);
  CollectedRows::Add(data.states(), {chunk.columns(), partial_count, nullptr, partial_count}, partial_targets,
                     call.arena);
}

}  // namespace

bool IsForeignAggregate(const AggregateFunction& function) { return function.initialize == Initialize; }

AggregateFunction MakeForeignAggregate(std::string name, std::vector<LogicalType> arguments,
                                       LogicalType result, std::shared_ptr<const ForeignAggregate> function) {
  auto retention = std::make_shared<RowRetention>();
  retention->own_types = arguments;
  retention->own_types.push_back(TypeId::kBlob);
  retention->collects = true;
  retention->take = Take;
  retention->update_ordered = UpdateOrdered;

  AggregateFunction aggregate;
  aggregate.name = std::move(name);
  aggregate.argument_types = arguments;
  aggregate.return_type = result;
  aggregate.state_size = (sizeof(GroupState) + 15) / 16 * 16;
  aggregate.state_alignment = 16;
  aggregate.initialize = Initialize;
  aggregate.update = Update;
  aggregate.update_single = UpdateSingle;
  aggregate.combine = Combine;
  aggregate.finalize = Finalize;
  aggregate.row_retention = std::move(retention);
  aggregate.description = "An aggregate function of the program.";
  aggregate.data = std::make_shared<ForeignAggregateData>(arguments, std::move(result), std::move(function));
  return aggregate;
}

}  // namespace scaup
