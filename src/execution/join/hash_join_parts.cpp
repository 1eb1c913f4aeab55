// Hash joins whose build side does not fit in memory: both sides are partitioned and joined by partition.
#include "execution/join/hash_join_states.hpp"
#include "planner/node/join.hpp"

namespace scaup {

namespace {

/// The approximate number of blocks of a partition that tests force.
constexpr uint64_t kForcedBlocks = 3;

/// Probe rows, partitioned by the hashes of their keys.
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

/// Partitions the probe rows of one task.
class HashJoinProbeSink final : public ChunkSink {
 public:
  HashJoinProbeSink(const HashJoin& join, QueryContext& context)
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
    const size_t count = join_.HashProbeKeys(executor_, chunk, keys_, hashes, kept);
    divided.rows.Append(chunk, hashes, kept, count);
  }
  void Finish() override { divided.Finish(); }

  DividedLeft divided;

 private:
  const HashJoin& join_;
  ExpressionExecutor executor_;
  DataChunk keys_;
};

size_t HashJoin::HashProbeKeys(ExpressionExecutor& executor, DataChunk& input, DataChunk& keys,
                               uint64_t* hashes, sel_t* kept) const {
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

void HashJoin::PartitionBuildSide(QueryContext& context, Shared& shared) const {
  context.scheduler().RunAll(shared.sinks.size(), [&](size_t sink) {
    JoinBuilder& builder = shared.BuilderOf(sink);
    if (!builder.is_divided()) builder.Divide();
    builder.Finish();
  });
}

void HashJoin::PartitionProbeSide(QueryContext& context, Shared& shared) const {
  shared.left_sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<HashJoinProbeSink>(*this, context);
  });
}

bool HashJoin::TakePart(Shared& shared, Part& part) const {
  const MutexLock lock(shared.parts_mutex);
  // Return the memory of partitions that have been processed.
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) shared.BuilderOf(sink).GiveBack();
  for (auto& sink : shared.left_sinks) static_cast<HashJoinProbeSink&>(*sink).divided.rows.GiveBack();
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
    part.left.push_back(static_cast<HashJoinProbeSink&>(*sink).divided.rows.rows().Take(number));
  return true;
}

bool HashJoin::BeginPart(QueryContext& context, Shared& shared, Local& local) const {
  local.input.Release();
  local.built = nullptr;
  local.part_built.reset();
  local.part_builder.reset();
  if (local.part && !local.part->is_last_block) {
    BuildPart(context, shared, local, *local.part);
    return true;
  }
  // A partition that is partitioned again is not probed; its parts wait in divided_again.
  while (true) {
    local.part.reset();
    local.part.emplace();
    if (!TakePart(shared, *local.part)) return false;
    if (BuildPart(context, shared, local, *local.part)) return true;
  }
}

bool HashJoin::Part::DividesNoMore(const QueryContext& context) const {
  // Once a partition is joined in blocks, its next blocks are, too.
  if (!is_last_block || JoinBuilder::IsLastLevel(level)) return true;
  if (context.forces_partitions() && level == JoinBuilder::kForcedLevels) return true;
  MajorityHash majority;
  for (const PartitionReader& reader : right) majority.Merge(reader.majority());
  return majority.stands_out();
}

uint64_t HashJoin::Part::MostBlockRows(const QueryContext& context) const {
  if (!context.forces_partitions()) return UINT64_MAX;
  uint64_t row_count = 0;
  for (const PartitionReader& reader : right) row_count += reader.row_count();
  return row_count / kForcedBlocks + 1;
}

bool HashJoin::Part::AddRight(QueryContext& context, JoinBuilder& builder) {
  if (waiting.size() != 0) builder.Add(waiting);
  waiting.Release();
  for (; next_right < right.size(); next_right++) {
    while (right[next_right].Next(waiting)) {
      context.functions.CheckInterrupt();
      if (!builder.Add(waiting)) return false;
    }
  }
  waiting.Release();
  right.clear();
  return true;
}

void HashJoin::Part::RewindLeft(LogicalJoinType join_type, MemoryTracker& memory, bool is_last) {
  const bool is_first_of_several = !is_last && is_last_block;
  if (is_first_of_several && RemembersLeft(join_type)) {
    uint64_t row_count = 0;
    for (const PartitionReader& reader : left) row_count += reader.row_count();
    earlier = std::make_unique<EarlierMatches>(row_count, memory);
  }
  for (PartitionReader& reader : left) {
    reader.Rewind();
    reader.SetKeeping(!is_last);
  }
  next_left = 0;
  left_row_end = 0;
  is_last_block = is_last;
}

/// Builds the table of the partition, or of its next block. Returns false if the partition was too large and
/// has been partitioned again.
bool HashJoin::BuildPart(QueryContext& context, Shared& shared, Local& local, Part& part) const {
  auto builder = std::make_shared<JoinBuilder>(context, shared.rules, part.level);
  if (part.DividesNoMore(context)) builder->StopWhenFull(part.MostBlockRows(context));
  if (part.waiting.column_count() == 0) part.waiting.Initialize(layout_.types());
  const bool is_last_block = part.AddRight(context, *builder);
  // The rows fit, but their table does not: partition them again.
  if (!builder->is_divided() && !builder->TryGrowForTable()) builder->Divide();
  builder->Finish();
  if (builder->is_divided()) {
    RepartitionPart(context, shared, local, part, std::move(builder));
    return false;
  }
  part.RewindLeft(join_type_, context.memory(), is_last_block);
  local.part_built = std::make_unique<JoinBuildSide>(layout_, builder->account());
  local.part_built->table.AddRows(builder->TakeRows());
  builder->ReleaseReserve();
  // A single task: other threads build and probe other partitions.
  local.part_built->table.Build(context.functions, 1);
  ListRightRows(*local.part_built);
  builder->GiveBack();
  local.built = local.part_built.get();
  local.part_builder = std::move(builder);
  return true;
}

void HashJoin::RepartitionPart(QueryContext& context, Shared& shared, Local& local, Part& part,
                               std::shared_ptr<JoinBuilder> builder) const {
  auto left = std::make_shared<DividedLeft>(context, children[0]->types(), part.level);
  for (PartitionReader& reader : part.left) {
    while (reader.Next(local.input)) {
      context.functions.CheckInterrupt();
      uint64_t hashes[kVectorSize];
      sel_t kept[kVectorSize];
      const size_t count = HashProbeKeys(local.keys_executor, local.input, local.keys, hashes, kept);
      left->rows.Append(local.input, hashes, kept, count);
    }
  }
  local.input.Release();
  left->Finish();
  HashPartitions& right = builder->divided().rows();
  const MutexLock lock(shared.parts_mutex);
  for (size_t number = 0; number < right.bits().partition_count(); number++) {
    Part smaller;
    smaller.level = part.level + 1;
    smaller.owners = {builder, left};
    smaller.right.push_back(right.Take(number));
    smaller.left.push_back(left->rows.rows().Take(number));
    shared.divided_again.push_back(std::move(smaller));
  }
}

bool HashJoin::DeferProbeRows(Local& local) const {
  if (!local.part || local.part->is_last_block) return false;
  const size_t count = local.input.size();
  if (local.part->earlier) local.part->earlier->Note(local.matches, local.part->left_row_end - count, count);
  return true;
}

void HashJoin::RecallMatches(Local& local) const {
  if (!local.part || !local.part->earlier) return;
  const size_t count = local.input.size();
  local.part->earlier->Recall(local.part->left_row_end - count, count, local.matches);
  if (EmitsRight(join_type_)) return;
  size_t still_open = 0;  // The others have the one partner that they need.
  for (size_t i = 0; i < local.open_count; i++) {
    local.open[still_open] = local.open[i];
    still_open += !local.matches.matched[local.open[i]];
  }
  local.open_count = still_open;
}

}  // namespace scaup
