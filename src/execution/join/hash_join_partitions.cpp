// Partitions both sides of a hash join and joins them by partition. Too large partitions are repartitioned,
// or joined block by block.
#include "execution/join/hash_join_partitions.hpp"

namespace scaup {

namespace {

/// The approximate number of blocks of a partition that tests force.
constexpr uint64_t kForcedPartitionBlocks = 3;

/// Probe rows, partitioned by the hashes of their keys.
struct ProbePartitions {
  ProbePartitions(QueryContext& context, const std::vector<LogicalType>& types, size_t level,
                  MemoryGrant& grant)
      : memory(grant), rows(context, grant, memory, types, JoinBuilder::BitsOf(context, level)) {}
  void Finish() { rows.Finish(); }
  TaskMemory memory;
  SpillablePartitions rows;
};

/// Partitions the probe rows of one task.
class HashJoinProbeSink final : public ChunkSink {
 public:
  HashJoinProbeSink(const HashJoinSpecification& join, QueryContext& context, MemoryGrant& grant)
      : partitions(context, join.left_types, 0, grant), hasher_(join, context) {}

  void Consume(DataChunk& chunk) override {
    uint64_t hashes[kVectorSize];
    sel_t kept[kVectorSize];
    const size_t count = hasher_.Hash(chunk, hashes, kept);
    partitions.rows.Append(chunk, hashes, kept, count);
  }
  void Finish() override { partitions.Finish(); }

  ProbePartitions partitions;

 private:
  ProbeKeyHasher hasher_;
};

}  // namespace

size_t ProbeKeyHasher::Hash(DataChunk& input, uint64_t* hashes, sel_t* kept) {
  const size_t count = input.size();
  keys_.Release();
  executor_.Execute(input, keys_);
  bool has_null[kVectorSize] = {};
  for (size_t i = 0; i < keys_.column_count(); i++) {
    HashVector(keys_.column(i), count, hashes, i != 0);
    const UnifiedView view = keys_.column(i).View(count);
    if (join_.nulls_equal[i] || view.validity == nullptr || KeepsUnmatchedLeft(join_.join_type)) continue;
    for (size_t row = 0; row < count; row++) has_null[row] |= !view.IsValid(row);
  }
  size_t kept_count = 0;
  for (size_t row = 0; row < count; row++) {
    kept[kept_count] = static_cast<sel_t>(row);
    kept_count += !has_null[row];
  }
  return kept_count;
}

bool JoinPartition::CannotRepartition(const QueryContext& context) const {
  // Once a partition is joined in blocks, its next blocks are, too.
  if (!is_last_block || JoinBuilder::IsLastLevel(level)) return true;
  if (context.forces_partitions() && level == JoinBuilder::kForcedLevels) return true;
  MajorityHash majority;
  for (const PartitionReader& reader : build) majority.Merge(reader.majority());
  return majority.stands_out();
}

uint64_t JoinPartition::MostBlockRows(const QueryContext& context) const {
  if (!context.forces_partitions()) return UINT64_MAX;
  uint64_t row_count = 0;
  for (const PartitionReader& reader : build) row_count += reader.row_count();
  return row_count / kForcedPartitionBlocks + 1;
}

bool JoinPartition::AddBuildRows(QueryContext& context, JoinBuilder& builder) {
  if (waiting.size() != 0) builder.Add(waiting);
  waiting.Release();
  for (; next_build < build.size(); next_build++) {
    while (build[next_build].Next(waiting)) {
      context.functions.CheckInterrupt();
      if (!builder.Add(waiting)) return false;
    }
  }
  waiting.Release();
  build.clear();
  return true;
}

void JoinPartition::RewindProbeRows(LogicalJoinType join_type, MemoryTracker& memory, bool is_last) {
  const bool is_first_of_several = !is_last && is_last_block;
  if (is_first_of_several && RemembersLeft(join_type)) {
    uint64_t row_count = 0;
    for (const PartitionReader& reader : probe) row_count += reader.row_count();
    earlier = std::make_unique<EarlierMatches>(row_count, memory);
  }
  for (PartitionReader& reader : probe) {
    reader.Rewind();
    reader.SetKeeping(!is_last);
  }
  next_probe = 0;
  probe_row_end = 0;
  is_last_block = is_last;
}

void PartitionedJoin::PartitionBuildSide(QueryContext& context) {
  context.scheduler().RunAll(build_.builder_count(), [&](size_t task) {
    JoinBuilder& builder = build_.BuilderOf(task);
    if (!builder.is_partitioned()) builder.Partition();
    builder.Finish();
  });
}

void PartitionedJoin::PartitionProbeSide(QueryContext& context, const PhysicalOperator& input,
                                         SharedState& input_shared, OperatorProfile& profile) {
  const size_t least_probe_bytes = HashPartitions::LeastBytes(
      join_.left_types, JoinBuilder::BitsOf(context, 0), context.MemoryShareBytes());
  probe_grant_.emplace(context.grants, DrainTasks(context, input, input_shared), least_probe_bytes,
                       &profile.memory);
  const auto make_sink = [&](size_t) {
    return std::make_unique<HashJoinProbeSink>(join_, context, *probe_grant_);
  };
  probe_sinks_ = DrainParallel(context, input, input_shared, profile, make_sink, probe_grant_->task_count());
  probe_grant_->Finish();
  // Before operators above open theirs, so that these do not take what joining needs.
  const size_t least_join_bytes =
      std::max(least_probe_bytes, JoinBuilder::LeastBytes(context, join_.layout, 1));
  join_grant_.emplace(context.grants, context.scheduler().thread_count(), least_join_bytes, &profile.memory);
}

bool PartitionedJoin::Take(JoinPartition& partition) {
  const MutexLock lock(mutex_);
  // Return the memory of partitions that have been processed.
  for (size_t task = 0; task < build_.builder_count(); task++) build_.BuilderOf(task).GiveBack();
  for (auto& sink : probe_sinks_) static_cast<HashJoinProbeSink&>(*sink).partitions.rows.GiveBack();
  if (!repartitioned_.empty()) {
    partition = std::move(repartitioned_.back());
    repartitioned_.pop_back();
    return true;
  }
  const size_t partition_count = build_.BuilderOf(0).partitions().rows().bits().partition_count();
  if (next_partition_ == partition_count) return false;
  const size_t number = next_partition_++;
  for (size_t task = 0; task < build_.builder_count(); task++)
    partition.build.push_back(build_.BuilderOf(task).partitions().rows().Take(number));
  for (auto& sink : probe_sinks_)
    partition.probe.push_back(static_cast<HashJoinProbeSink&>(*sink).partitions.rows.rows().Take(number));
  return true;
}

JoinBuildSide* PartitionTask::Begin(QueryContext& context) {
  built_.reset();
  builder_.reset();
  if (!seat_.is_taken()) seat_ = TaskSeat(join_.grant());
  if (!seat_.is_taken()) return nullptr;
  if (partition_ && !partition_->is_last_block) {
    Build(context);
    return built_.get();
  }
  // A partition that is repartitioned is not probed; its smaller partitions wait in the join.
  while (true) {
    partition_.reset();
    partition_.emplace();
    if (!join_.Take(*partition_)) {
      seat_.Leave();
      return nullptr;
    }
    if (Build(context)) return built_.get();
  }
}

/// Builds the table of the partition, or of its next block. Returns false if the partition was too large and
/// has been repartitioned.
bool PartitionTask::Build(QueryContext& context) {
  const HashJoinSpecification& join = join_.specification();
  JoinPartition& partition = *partition_;
  auto builder = std::make_shared<JoinBuilder>(context, join_.rules(), partition.level, join_.grant());
  if (partition.CannotRepartition(context)) builder->StopWhenFull(partition.MostBlockRows(context));
  if (partition.waiting.column_count() == 0) partition.waiting.Initialize(join.layout.types());
  const bool is_last_block = partition.AddBuildRows(context, *builder);
  // The rows fit, but their table does not: repartition them.
  if (!builder->is_partitioned() && !builder->TryGrowForTable()) builder->Partition();
  builder->Finish();
  if (builder->is_partitioned()) {
    Repartition(context, std::move(builder));
    return false;
  }
  partition.RewindProbeRows(join.join_type, context.memory(), is_last_block);
  // Kept first: the rows must be freed before the memory they are accounted to, also after an error.
  builder_ = builder;
  built_ = std::make_unique<JoinBuildSide>(join.layout, builder->account());
  built_->table.AddRows(builder->TakeRows());
  builder->ReleaseReserve();
  // A single task: other threads build and probe other partitions.
  built_->table.Build(context.functions, 1);
  if (KeepsRight(join.join_type)) built_->ListRows(join.layout);
  builder->GiveBack();
  return true;
}

void PartitionTask::Repartition(QueryContext& context, std::shared_ptr<JoinBuilder> builder) {
  const std::vector<LogicalType>& types = join_.specification().left_types;
  auto probe = std::make_shared<ProbePartitions>(context, types, partition_->level, join_.grant());
  {
    DataChunk rows(types);
    uint64_t hashes[kVectorSize];
    sel_t kept[kVectorSize];
    for (PartitionReader& reader : partition_->probe) {
      while (reader.Next(rows)) {
        context.functions.CheckInterrupt();
        const size_t count = hasher_.Hash(rows, hashes, kept);
        probe->rows.Append(rows, hashes, kept, count);
      }
    }
  }
  probe->Finish();
  HashPartitions& build = builder->partitions().rows();
  std::vector<JoinPartition> smaller;
  for (size_t number = 0; number < build.bits().partition_count(); number++) {
    JoinPartition& added = smaller.emplace_back();
    added.level = partition_->level + 1;
    added.owners = {builder, probe};
    added.build.push_back(build.Take(number));
    added.probe.push_back(probe->rows.rows().Take(number));
  }
  join_.Add(std::move(smaller));
}

void PartitionedJoin::Add(std::vector<JoinPartition> smaller) {
  const MutexLock lock(mutex_);
  for (JoinPartition& partition : smaller) repartitioned_.push_back(std::move(partition));
}

bool PartitionTask::NextInput(DataChunk& input) {
  for (JoinPartition& part = *partition_; part.next_probe < part.probe.size(); part.next_probe++) {
    if (!part.probe[part.next_probe].Next(input)) continue;
    part.probe_row_end += input.size();
    input.batch_index = NextBatch();
    return true;
  }
  return false;
}

bool PartitionTask::RecallMatches(ProbeMatches& matches, size_t count) const {
  if (!partition_->earlier) return false;
  partition_->earlier->Recall(partition_->probe_row_end - count, count, matches);
  return true;
}

bool PartitionTask::DeferProbeRows(const ProbeMatches& matches, size_t count) {
  if (partition_->is_last_block) return false;
  if (partition_->earlier) partition_->earlier->Note(matches, partition_->probe_row_end - count, count);
  return true;
}

}  // namespace scaup
