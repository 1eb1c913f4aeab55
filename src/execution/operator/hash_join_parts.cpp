// Hash joins whose right side does not fit in memory: both sides are divided, and joined part by part.
#include "execution/operator/hash_join_states.hpp"

namespace scaup {

namespace {

/// Left rows by the hashes of their keys.
struct DividedLeft {
  DividedLeft(QueryContext& context, const std::vector<LogicalType>& types, size_t level)
      : memory(context.arbiter, context.functions.interrupted),
        rows(context, memory, types, JoinBuilder::BitsOf(context, level)) {}
  void Finish() {
    rows.Finish();
    memory.SetFixed(SpillableReservation::kAll);
  }
  SpillableReservation memory;
  SpillablePartitions rows;
};

}  // namespace

/// Divides the rows of the left input in one task.
class HashJoinLeftSink final : public ChunkSink {
 public:
  HashJoinLeftSink(const HashJoin& join, QueryContext& context)
      : divided(context, join.children[0]->types(), 0),
        join_(join),
        executor_(context.functions, join.left_keys_),
        keys_(TypesOf(join.left_keys_)) {
    divided.memory.SetIdleSpill([this] { divided.rows.Spill(); });
  }

  void Consume(DataChunk& chunk) override {
    const SpillableReservation::Busy busy(divided.memory);
    uint64_t hashes[kVectorSize];
    sel_t kept[kVectorSize];
    const size_t count = join_.HashLeft(executor_, chunk, keys_, hashes, kept);
    divided.rows.Append(chunk, hashes, kept, count);
  }
  void Finish() override { divided.Finish(); }

  DividedLeft divided;

 private:
  const HashJoin& join_;
  ExpressionExecutor executor_;
  DataChunk keys_;
};

size_t HashJoin::HashLeft(ExpressionExecutor& executor, DataChunk& input, DataChunk& keys, uint64_t* hashes,
                          sel_t* kept) const {
  const size_t count = input.size();
  keys.Release();
  executor.Execute(input, keys);
  bool has_null[kVectorSize] = {};
  for (size_t i = 0; i < keys.column_count(); i++) {
    HashVector(keys.column(i), count, hashes, i != 0);
    const UnifiedView view = keys.column(i).View(count);
    if (nulls_equal_[i] || view.validity == nullptr || KeepsUnmatchedLeft(join_type_)) continue;
    for (size_t row = 0; row < count; row++) has_null[row] |= !view.IsValid(row);
  }
  size_t kept_count = 0;
  for (size_t row = 0; row < count; row++) {
    kept[kept_count] = static_cast<sel_t>(row);
    kept_count += !has_null[row];
  }
  return kept_count;
}

void HashJoin::DivideRight(QueryContext& context, Shared& shared) const {
  context.scheduler().RunAll(shared.sinks.size(), [&](size_t sink) {
    JoinBuilder& builder = shared.BuilderOf(sink);
    if (!builder.is_divided()) builder.Divide();
    builder.Finish();
  });
}

void HashJoin::DivideLeft(QueryContext& context, Shared& shared) const {
  shared.left_sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<HashJoinLeftSink>(*this, context);
  });
}

bool HashJoin::TakePart(Shared& shared, Part& part) const {
  const std::lock_guard lock(shared.parts_mutex);
  // The memory of parts that are done with.
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) shared.BuilderOf(sink).GiveBack();
  for (auto& sink : shared.left_sinks) static_cast<HashJoinLeftSink&>(*sink).divided.rows.GiveBack();
  if (!shared.divided_again.empty()) {
    part = std::move(shared.divided_again.back());
    shared.divided_again.pop_back();
    return true;
  }
  const size_t part_count = shared.BuilderOf(0).divided().rows().bits().partition_count();
  if (shared.next_part == part_count) return false;
  const size_t number = shared.next_part++;
  for (size_t sink = 0; sink < shared.sinks.size(); sink++)
    part.right.push_back(shared.BuilderOf(sink).divided().rows().Take(number));
  for (auto& sink : shared.left_sinks)
    part.left.push_back(static_cast<HashJoinLeftSink&>(*sink).divided.rows.rows().Take(number));
  return true;
}

bool HashJoin::BeginPart(QueryContext& context, Shared& shared, Local& local) const {
  local.input.Release();
  local.built = nullptr;
  local.part_built.reset();
  local.part_builder.reset();
  while (true) {
    local.part.reset();
    local.part.emplace();
    if (!TakePart(shared, *local.part)) return false;
    if (BuildPart(context, shared, local, *local.part)) return true;
  }
}

/// False where the part was too large, and is divided again.
bool HashJoin::BuildPart(QueryContext& context, Shared& shared, Local& local, Part& part) const {
  std::vector<LogicalType> types;
  for (size_t i = 0; i < layout_.column_count(); i++) types.push_back(layout_.type(i));
  DataChunk chunk(types);
  auto builder = std::make_shared<JoinBuilder>(context, shared.rules, part.level);
  for (PartitionReader& reader : part.right)
    while (reader.Next(chunk)) builder->Add(chunk);
  chunk.Release();
  part.right.clear();
  if (!builder->is_divided() && !builder->TryGrow(JoinTable::DirectoryBytes(builder->row_count())))
    builder->Divide();
  builder->Finish();
  if (!builder->is_divided()) {
    local.part_built = std::make_unique<BuiltSide>(layout_, builder->account());
    local.part_built->table.AddRows(builder->TakeRows());
    local.part_built->table.Build(context.functions, 1);
    ListRightRows(*local.part_built);
    builder->GiveBack();
    local.built = local.part_built.get();
    local.part_builder = std::move(builder);
    return true;
  }

  auto left = std::make_shared<DividedLeft>(context, children[0]->types(), part.level);
  for (PartitionReader& reader : part.left) {
    while (reader.Next(local.input)) {
      uint64_t hashes[kVectorSize];
      sel_t kept[kVectorSize];
      const size_t count = HashLeft(local.keys_executor, local.input, local.keys, hashes, kept);
      left->rows.Append(local.input, hashes, kept, count);
    }
  }
  local.input.Release();
  left->Finish();
  HashPartitions& right = builder->divided().rows();
  const std::lock_guard lock(shared.parts_mutex);
  for (size_t number = 0; number < right.bits().partition_count(); number++) {
    Part smaller;
    smaller.level = part.level + 1;
    smaller.owners = {builder, left};
    smaller.right.push_back(right.Take(number));
    smaller.left.push_back(left->rows.rows().Take(number));
    shared.divided_again.push_back(std::move(smaller));
  }
  return false;
}

}  // namespace scaup
