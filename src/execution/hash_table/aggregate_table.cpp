// Aggregate table: updating, merging and finishing states.
#include "execution/hash_table/aggregate_table.hpp"

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
                                 const std::vector<AggregateSpecification>& aggregates_in)
    : group_count(group_count_in),
      group_types(FirstTypes(input_types_in, group_count_in)),
      input_types(input_types_in),
      aggregates(aggregates_in),
      rows(group_types, GroupTable::kHeaderBytes, StateSpaces(aggregates_in)) {
  for (const auto& aggregate : aggregates) {
    if (!aggregate.distinct) {
      distinct_rows.emplace_back();
      continue;
    }
    std::vector<LogicalType> types = group_types;
    for (const size_t argument : aggregate.arguments) types.push_back(input_types[argument]);
    distinct_rows.emplace_back(std::move(types), GroupTable::kHeaderBytes);
  }
}

AggregateTable::AggregateTable(const AggregateLayout& layout, const FunctionContext& context,
                               MemoryTracker& memory, PartitionBits bits)
    : layout_(layout),
      context_(context),
      bits_(bits),
      groups_(layout.rows, memory, InitializeStates, &layout),
      known_(layout.input_types) {
  for (size_t i = 0; i < layout.aggregates.size(); i++) {
    const auto& aggregate = layout.aggregates[i];
    arguments_.emplace_back(aggregate, layout.input_types);
    distinct_.push_back(aggregate.distinct
                            ? std::make_unique<GroupTable>(layout.distinct_rows[i], memory, nullptr, nullptr)
                            : nullptr);
    distinct_keys_.push_back(nullptr);
    if (!aggregate.distinct) continue;
    has_distinct_ = true;
    std::vector<LogicalType> types;
    for (size_t column = 0; column < layout.distinct_rows[i].column_count(); column++) {
      types.push_back(layout.distinct_rows[i].type(column));
    }
    distinct_keys_.back() = std::make_unique<DataChunk>(types);
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
  const std::span<Vector> groups = GroupsOf(input);
  const size_t count = input.size();
  if (is_first_) dense_ = DenseGroups::TryMake(groups, count);
  is_first_ = false;
  if (dense_ && !dense_->pays()) dense_.reset();
  std::byte* rows[kVectorSize];
  uint64_t hashes[kVectorSize];
  const bool has_all = coded_.Find(groups, count, rows) || (dense_ && dense_->Find(groups, count, rows) == 0);
  if (!has_all || has_distinct_) HashGroups(groups, count, hashes);
  if (!has_all) {
    groups_.FindOrCreate(groups, hashes, count, rows);
    coded_.Note(count, rows);
    if (dense_) dense_->Note(count, rows);
  }
  UpdateStates(input, hashes, rows);
}

size_t AggregateTable::AddKnown(DataChunk& input, const uint64_t* hashes, sel_t* missing) {
  const size_t count = input.size();
  std::byte* rows[kVectorSize];
  const size_t missing_count = groups_.Find(GroupsOf(input), hashes, count, rows, missing);
  if (missing_count == 0) {
    UpdateStates(input, hashes, rows);
  } else if (missing_count < count) {
    auto selection = std::make_shared<SelectionVector>();
    uint64_t known_hashes[kVectorSize];
    size_t known = 0;
    for (size_t row = 0, next = 0; row < count; row++) {
      if (next < missing_count && missing[next] == row) {
        next++;
        continue;
      }
      selection->rows[known] = static_cast<sel_t>(row);
      known_hashes[known] = hashes[row];
      rows[known++] = rows[row];
    }
    known_.Slice(input, selection, known);
    UpdateStates(known_, known_hashes, rows);
    known_.Release();
  }
  return missing_count;
}

size_t AggregateTable::size_bytes() const {
  size_t bytes = groups_.size_bytes();
  for (const auto& distinct : distinct_) bytes += distinct ? distinct->size_bytes() : 0;
  return bytes;
}

size_t AggregateTable::MostGrowBytes(size_t count) const {
  size_t bytes = groups_.MostGrowBytes(count);
  for (const auto& distinct : distinct_) bytes += distinct ? distinct->MostGrowBytes(count) : 0;
  return bytes;
}

void AggregateTable::UpdateStates(DataChunk& input, const uint64_t* hashes, std::byte* const* rows) {
  std::byte* states[kVectorSize];
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    if (layout_.aggregates[i].distinct) {
      AddDistinct(i, input, hashes);
      continue;
    }
    AggregateArguments& arguments = arguments_[i];
    const size_t row_count = arguments.Load(input);
    const size_t offset = layout_.rows.state_offset(i);
    if (const sel_t* selected = arguments.rows()) {
      for (size_t j = 0; j < row_count; j++) states[j] = rows[selected[j]] + offset;
    } else {
      for (size_t j = 0; j < row_count; j++) states[j] = rows[j] + offset;
    }
    layout_.aggregates[i].function.update(CallOf(i), arguments.chunk().columns(), row_count, states);
  }
}

void AggregateTable::AddDistinct(size_t aggregate, DataChunk& input, const uint64_t* group_hashes) {
  AggregateArguments& arguments = arguments_[aggregate];
  const size_t count = arguments.Load(input);
  if (count == 0) return;
  DataChunk& keys = *distinct_keys_[aggregate];
  keys.Release();
  const sel_t* selected = arguments.rows();
  uint64_t hashes[kVectorSize];
  for (size_t i = 0; i < count; i++) hashes[i] = group_hashes[selected != nullptr ? selected[i] : i];
  uint64_t partition_bits[kVectorSize];
  for (size_t i = 0; i < count; i++) partition_bits[i] = hashes[i] & bits_.mask();
  for (size_t i = 0; i < layout_.group_count; i++) {
    if (selected != nullptr) {
      auto selection = std::make_shared<SelectionVector>();
      std::copy(selected, selected + count, selection->rows);
      keys.column(i).Slice(input.column(i), input.size(), selection, count);
    } else {
      keys.column(i).Reference(input.column(i));
    }
  }
  for (size_t i = 0; i < arguments.chunk().column_count(); i++) {
    Vector& argument = keys.column(layout_.group_count + i);
    argument.Reference(arguments.chunk().column(i));
    HashVector(argument, count, hashes, true);
  }
  // A group's distinct values go to the partition of the group.
  for (size_t i = 0; i < count; i++) hashes[i] = (hashes[i] & ~bits_.mask()) | partition_bits[i];
  std::byte* rows[kVectorSize];
  distinct_[aggregate]->FindOrCreate(keys.columns(), hashes, count, rows);
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

void AggregateTable::MergeDistinct(size_t aggregate, std::span<std::byte* const> rows) {
  bool is_new;
  for (const std::byte* row : rows) distinct_[aggregate]->FindOrAdopt(row, is_new);
}

void AggregateTable::FinishDistinct() {
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    if (!distinct_[i]) continue;
    const RowLayout& layout = layout_.distinct_rows[i];
    DataChunk& keys = *distinct_keys_[i];
    distinct_[i]->rows().ForEachBlock([&](std::byte* first, size_t block_rows) {
      for (size_t begin = 0; begin < block_rows; begin += kVectorSize) {
        context_.CheckInterrupt();
        const size_t count = std::min(kVectorSize, block_rows - begin);
        std::byte* rows[kVectorSize];
        for (size_t j = 0; j < count; j++) rows[j] = first + (begin + j) * layout.row_bytes();
        keys.ResetForWriting();
        for (size_t column = 0; column < layout.column_count(); column++)
          layout.Gather(column, rows, count, keys.column(column));
        const std::span<Vector> groups(keys.columns().data(), layout_.group_count);
        uint64_t hashes[kVectorSize];
        HashGroups(groups, count, hashes);
        std::byte* states[kVectorSize];
        groups_.FindOrCreate(groups, hashes, count, states);
        for (size_t j = 0; j < count; j++) states[j] += layout_.rows.state_offset(i);
        layout_.aggregates[i].function.update(
            CallOf(i), std::span<Vector>(keys.columns()).subspan(layout_.group_count), count, states);
      }
    });
  }
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

void AggregateTable::Finalize(std::byte** rows, size_t count, DataChunk& output) {
  output.ResetForWriting();
  for (size_t i = 0; i < layout_.group_count; i++) layout_.rows.Gather(i, rows, count, output.column(i));
  std::byte* states[kVectorSize];
  for (size_t i = 0; i < layout_.aggregates.size(); i++) {
    for (size_t j = 0; j < count; j++) states[j] = rows[j] + layout_.rows.state_offset(i);
    layout_.aggregates[i].function.finalize(CallOf(i), states, count, output.column(layout_.group_count + i),
                                            0);
  }
  output.SetSize(count);
}

}  // namespace scaup
