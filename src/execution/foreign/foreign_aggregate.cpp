// Aggregates of the program: states collect rows, and calls get the rows of as many groups as fit.
#include "execution/foreign/foreign_aggregate.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <utility>

#include "common/check.hpp"
#include "execution/foreign/collected_rows.hpp"
#include "execution/foreign/state_bytes.hpp"
#include "function/many_groups.hpp"
#include "type/visit_width.hpp"

namespace scaup {

namespace {

/// The state of one group.
struct GroupState {
  CollectedRows rows;      ///< arguments
  CollectedRows partials;  ///< states of the function, of earlier rows
  /// The result, if it has been computed ahead, in the arena; kNullResult for NULL. Null: it has not.
  const std::byte* result = nullptr;
};

constexpr std::byte kNullResult[1]{};

class ForeignAggregateData final : public ManyGroupsData {
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
  void FinishAhead(const AggregateCall& call, std::span<std::byte* const> group_states) const override;
  bool TakesWhole() const override { return !has_state(); }
  void FinishWhole(const FunctionContext& context, MaterializedResult rows,
                   Vector& result_column) const override;

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
                              const std::vector<LogicalType>& types,
                              std::span<const CollectedRows* const> groups) {
  const ResultMemory memory(call.context.memory);
  GroupedArguments arguments;
  arguments.group_count = groups.size();
  const auto offsets = std::make_shared<int64_t[]>(groups.size() + 1);
  for (size_t i = 0; i < groups.size(); i++)
    offsets[i + 1] = offsets[i] + static_cast<int64_t>(groups[i]->count());
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

/// Makes arguments of columns with a state of the function for each group.
GroupedArguments StatesAsArguments(const AggregateCall& call, const ForeignAggregate::Columns& columns,
                                   size_t group_count) {
  const ForeignAggregateData& data = DataOf(call);
  const ResultMemory memory(call.context.memory);
  ResultAppender appender(data.StateTypes(), memory);
  DataChunk chunk(data.StateTypes());
  for (Vector& column : chunk.columns()) column.AccountStrings(&call.context.memory);
  for (size_t begin = 0; begin < group_count; begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, group_count - begin);
    chunk.Release();
    for (size_t i = 0; i < columns.size(); i++) columns[i]->Read(begin, count, chunk.column(i));
    chunk.SetSize(count);
    appender.Append(chunk);
  }
  GroupedArguments arguments;
  arguments.group_count = group_count;
  const auto offsets = std::make_shared<int64_t[]>(group_count + 1);
  std::iota(offsets.get(), offsets.get() + group_count + 1, int64_t{0});
  arguments.offsets = offsets;
  arguments.rows.row_count = group_count;
  arguments.rows.columns = std::move(appender.columns());
  arguments.rows.heaps.push_back(appender.TakeHeap());
  return arguments;
}

/// Makes a state of the function of the rows that a state of ours has collected, and forgets these.
void Fold(const AggregateCall& call, GroupState& state) {
  const ForeignAggregateData& data = DataOf(call);
  call.context.CheckInterrupt();
  const CollectedRows* const rows = &state.rows;
  const auto columns = data.function->Accumulate(
      call.context, GatherGroups(call, data.rows, data.argument_types, std::span(&rows, 1)));
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

/// Computes the results of some groups, in one call. All of them have rows or states. Borrows the groups.
class GroupCall {
 public:
  explicit GroupCall(const AggregateCall& call) : call_(call), data_(DataOf(call)) {}

  /// Returns whether a group goes into the call besides those that are there.
  bool HasSpaceFor(const GroupState& state) const {
    return groups_.empty() || row_count_ + RowsOf(state) <= data_.function->most_rows();
  }
  bool empty() const { return groups_.empty(); }
  static uint64_t RowsOf(const GroupState& state) { return state.rows.count() + state.partials.count(); }

  void Add(const GroupState& state) {
    groups_.push_back(&state);
    row_count_ += RowsOf(state);
  }

  /// Calls take(view, i, group) for each group, whose result is row i of the view, and forgets the groups.
  template <typename Take>
  void Finish(Take&& take) {
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
      for (size_t i = 0; i < count; i++) take(view, i, begin + i);
    }
    groups_.clear();
    row_count_ = 0;
  }

 private:
  GroupedArguments WholeGroups() const {
    std::vector<const CollectedRows*> rows;
    for (const GroupState* const group : groups_) rows.push_back(&group->rows);
    return GatherGroups(call_, data_.rows, data_.argument_types, rows);
  }

  GroupedArguments GatherStates(std::span<const CollectedRows> states) const {
    std::vector<const CollectedRows*> rows;
    for (const CollectedRows& each : states) rows.push_back(&each);
    return GatherGroups(call_, data_.states(), data_.StateTypes(), rows);
  }

  // The groups themselves must not change, because windows finish states again and again.
  GroupedArguments MergedStates() {
    const bool has_partials =
        std::ranges::any_of(groups_, [](const GroupState* group) { return group->partials.count() != 0; });
    if (!has_partials) {
      return StatesAsArguments(call_, data_.function->Accumulate(call_.context, WholeGroups()),
                               groups_.size());
    }
    Arena arena(&call_.context.memory);
    std::vector<CollectedRows> states(groups_.size());
    std::vector<const CollectedRows*> rows;
    std::vector<CollectedRows*> targets;
    for (size_t i = 0; i < groups_.size(); i++) {
      states[i].Join(groups_[i]->partials, arena);
      if (groups_[i]->rows.count() == 0) continue;
      rows.push_back(&groups_[i]->rows);
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
    return StatesAsArguments(call_, data_.function->Merge(call_.context, GatherStates(states)),
                             groups_.size());
  }

  const AggregateCall& call_;
  const ForeignAggregateData& data_;
  std::vector<const GroupState*> groups_;
  uint64_t row_count_ = 0;
};

/// Writes a result that was computed ahead to a row.
void WriteKeptResult(const std::byte* kept, Vector& result, size_t row) {
  if (kept == kNullResult) return result.SetNull(row);
  const size_t width = PhysicalSize(result.physical_type());
  std::byte* const place = result.MutableData<std::byte>() + row * width;
  std::memcpy(place, kept, width);
  if (result.physical_type() != PhysicalType::kString) return;
  StringRef text;
  std::memcpy(&text, kept, sizeof(text));
  text = result.AddString(text.view());
  std::memcpy(place, &text, sizeof(text));
}

void Finalize(const AggregateCall& call, std::byte** states, size_t count, Vector& result, size_t offset) {
  GroupCall groups(call);
  std::vector<size_t> result_rows;
  const auto finish = [&] {
    groups.Finish([&](const UnifiedView& view, size_t i, size_t group) {
      if (view.IsValid(i)) {
        CopyRow(view, i, result, result_rows[group]);
      } else {
        result.SetNull(result_rows[group]);
      }
    });
    result_rows.clear();
  };
  for (size_t i = 0; i < count; i++) {
    const GroupState& state = StateAt(states[i]);
    if (state.result != nullptr) {
      WriteKeptResult(state.result, result, offset + i);
    } else if (GroupCall::RowsOf(state) == 0) {
      result.SetNull(offset + i);
    } else {
      if (!groups.HasSpaceFor(state)) finish();
      groups.Add(state);
      result_rows.push_back(offset + i);
    }
  }
  if (!groups.empty()) finish();
}

/// Copies a result to the arena. kNullResult stays as it is.
const std::byte* KeepResult(const std::byte* value, PhysicalType type, Arena& arena) {
  if (value == kNullResult) return value;
  const size_t width = PhysicalSize(type);
  std::byte* const kept = arena.Allocate(width, 8);
  std::memcpy(kept, value, width);
  if (type != PhysicalType::kString) return kept;
  StringRef text;
  std::memcpy(&text, value, sizeof(text));
  if (text.is_inline()) return kept;
  auto* const bytes = reinterpret_cast<char*>(arena.Allocate(text.size(), 1));
  std::memcpy(bytes, text.data(), text.size());
  text = StringRef(bytes, text.size());
  std::memcpy(kept, &text, sizeof(text));
  return kept;
}

void ForeignAggregateData::FinishAhead(const AggregateCall& call,
                                       std::span<std::byte* const> group_states) const {
  const PhysicalType type = PhysicalTypeOf(result);
  GroupCall groups(call);
  std::vector<GroupState*> called;
  const auto finish = [&] {
    groups.Finish([&](const UnifiedView& view, size_t i, size_t group) {
      const std::byte* const value = view.data + view.selection[i] * PhysicalSize(type);
      called[group]->result = KeepResult(view.IsValid(i) ? value : kNullResult, type, call.arena);
    });
    called.clear();
  };
  for (std::byte* const each : group_states) {
    GroupState& state = StateAt(each);
    if (GroupCall::RowsOf(state) == 0) continue;
    if (!groups.HasSpaceFor(state)) finish();
    groups.Add(state);
    called.push_back(&state);
  }
  if (!groups.empty()) finish();
}

// --- All rows of one group, which were collected as columns

/// Removes the rows that have a NULL.
void OmitRowsWithNulls(MaterializedResult& rows) {
  std::vector<uint8_t> is_null(rows.row_count);
  bool has_nulls = false;
  for (const MaterializedColumn& column : rows.columns) {
    if (!column.has_nulls) continue;
    has_nulls = true;
    const auto* const nulls = reinterpret_cast<const uint8_t*>(column.nulls.data());
    for (size_t row = 0; row < rows.row_count; row++) is_null[row] |= nulls[row];
  }
  if (!has_nulls) return;
  for (MaterializedColumn& column : rows.columns) {
    std::byte* const values = column.values.data();
    column.has_nulls = false;
    VisitWidth(PhysicalSize(PhysicalTypeOf(column.type)), [&]<size_t kBytes>() {
      size_t kept = 0;
      for (size_t row = 0; row < rows.row_count; row++) {
        std::memmove(values + kept * kBytes, values + row * kBytes, kBytes);
        kept += is_null[row] == 0 ? 1 : 0;
      }
    });
  }
  rows.row_count = static_cast<size_t>(std::ranges::count(is_null, uint8_t{0}));
}

void ForeignAggregateData::FinishWhole(const FunctionContext& context, MaterializedResult rows,
                                       Vector& result_column) const {
  SCAUP_ASSERT(TakesWhole());
  if (function->omits_nulls()) OmitRowsWithNulls(rows);
  if (rows.row_count == 0) return result_column.SetNull(0);
  const auto offsets = std::make_shared<int64_t[]>(2);
  offsets[1] = static_cast<int64_t>(rows.row_count);
  context.CheckInterrupt();
  const auto column = function->Finish(context, {std::move(rows), 1, offsets});
  Vector value(result);
  value.AccountStrings(&context.memory);
  column->Read(0, 1, value);
  CopyRow(value.View(1), 0, result_column, 0);
}

// --- Retained rows: the arguments, and the bytes of a state of the function, one of which is NULL

void Take(const AggregateCall& call, std::byte* state, RetainedRowsOutput& output) {
  const ForeignAggregateData& data = DataOf(call);
  GroupState& taken = StateAt(state);
  if (taken.result != nullptr) {
    // Its rows are not needed any more. The result moves to the new arena.
    GroupState finished;
    finished.result = KeepResult(taken.result, PhysicalTypeOf(data.result), call.arena);
    taken = finished;
    return;
  }
  const size_t bytes_column = data.argument_types.size();
  if (taken.partials.count() != 0) {
    const CollectedRows* const partials = &taken.partials;
    const GroupedArguments states =
        GatherGroups(call, data.states(), data.StateTypes(), std::span(&partials, 1));
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
  CollectedRows* argument_targets[kVectorSize] = {};
  CollectedRows* partial_targets[kVectorSize] = {};
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
