// Collects the build side of a hash join in parallel, and stores it densely, in a hash table, or in
// partitions.
#include "execution/join/hash_join_build.hpp"

#include "execution/join/hash_join_filters.hpp"
#include "execution/join/join_output.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

namespace {

/// From this size on, partitioning both sides costs less than the cache misses of a single table.
constexpr size_t kLargeTableBytes = size_t{256} << 20;

/// Collects the rows of the build side in one task.
class HashJoinBuildSink final : public ChunkSink {
 public:
  HashJoinBuildSink(const HashJoinSpecification& join, const JoinBuildRules& rules, QueryContext& context,
                    MemoryGrant& grant)
      : builder(context, rules, 0, grant),
        filters(MakeKeyFilters(join)),
        join_(join),
        task_count_(context.scheduler().thread_count()),
        executor_(context.functions, join.right_keys),
        keys_(TypesOf(join.right_keys)) {
    rows_.Initialize(rules.layout.types());
  }

  void Consume(DataChunk& chunk) override {
    keys_.Release();
    rows_.Release();
    executor_.Execute(chunk, keys_);
    const size_t key_count = keys_.column_count();
    for (size_t i = 0; i < key_count; i++) {
      filters[i].Add(keys_.column(i).View(chunk.size()), chunk.size());
      rows_.column(i).Reference(keys_.column(i));
    }
    for (size_t i = 0; i < join_.payload_columns.size(); i++)
      rows_.column(key_count + i).Reference(chunk.column(join_.payload_columns[i]));
    rows_.SetSize(chunk.size());
    builder.Add(rows_);
    if (!builder.is_partitioned() && IsLarge()) builder.Partition();
  }
  void Finish() override { builder.Finish(); }

  JoinBuilder builder;
  std::vector<RuntimeFilter> filters;  ///< by key

 private:
  bool IsLarge() const {
    const uint64_t all_rows = builder.rows().row_count() * task_count_;  // An estimate.
    const size_t row_bytes = join_.layout.row_bytes() + JoinTable::kDirectoryBytesPerRow;
    if (all_rows * row_bytes < kLargeTableBytes) return false;
    return !join_.MayBeDense() || !DenseJoinTable::IsDense(filters[0], all_rows);
  }

  const HashJoinSpecification& join_;
  const size_t task_count_;
  ExpressionExecutor executor_;
  DataChunk keys_;
  DataChunk rows_;  // In the layout.
};

}  // namespace

HashJoinBuild::HashJoinBuild(const HashJoinSpecification& join, QueryContext& context)
    : join_(join),
      rules_{join.layout, join.nulls_equal, KeepsRight(join.join_type)},
      built_(join.layout, context.memory()),
      filters_(MakeKeyFilters(join)) {}

JoinBuilder& HashJoinBuild::BuilderOf(size_t task) {
  return static_cast<HashJoinBuildSink&>(*sinks_[task]).builder;
}

void HashJoinBuild::Collect(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
                            OperatorProfile& profile) {
  grant_.emplace(context.grants, DrainTasks(context, input, input_shared),
                 JoinBuilder::LeastBytes(context, join_.layout, 0), &profile.memory);
  const auto make_sink = [&](size_t) {
    return std::make_unique<HashJoinBuildSink>(join_, rules_, context, *grant_);
  };
  sinks_ = DrainParallel(context, input, input_shared, profile, make_sink, grant_->task_count());
  grant_->Finish();
  for (const auto& sink : sinks_) {
    auto& collected = static_cast<HashJoinBuildSink&>(*sink);
    for (size_t i = 0; i < filters_.size(); i++) filters_[i].Merge(collected.filters[i]);
    has_null_key_ |= collected.builder.has_null_key();
    row_count_ += collected.builder.row_count();
    is_partitioned_ |= collected.builder.is_partitioned();
  }
}

void HashJoinBuild::ChooseLayout(QueryContext& context) {
  if (row_count_ == 0) is_partitioned_ = false;  // The probe side need not be read.
  if (!is_partitioned_) BuildDense(context);
  // Without memory for the directory, the rows are partitioned after all.
  if (!built_.dense && !is_partitioned_)
    is_partitioned_ = !built_.table.TryReserve(row_count_, context.grants.margin_bytes());
  if (is_partitioned_) return;
  for (size_t task = 0; task < builder_count(); task++) built_.table.AddRows(BuilderOf(task).TakeRows());
}

/// Makes a dense table instead of a directory, if the keys allow it.
void HashJoinBuild::BuildDense(QueryContext& context) {
  if (!join_.MayBeDense()) return;
  std::vector<const RowCollection*> rows;
  for (size_t sink = 0; sink < builder_count(); sink++) {
    // Partitions hold no rows here: all keys were NULL, and memory was short.
    if (!BuilderOf(sink).is_partitioned()) rows.push_back(&BuilderOf(sink).rows());
  }
  built_.dense = DenseJoinTable::TryMake(join_.layout, rows, filters_[0], context.functions);
}

void HashJoinBuild::Finish(QueryContext& context) {
  if (built_.dense) {
    // The dense table has copied all values but the bytes of long strings.
    if (!join_.layout.has_strings()) built_.table.ReleaseRows();
  } else if (!is_partitioned_) {
    built_.table.Build(context.functions);
    if (KeepsRight(join_.join_type)) built_.ListRows(join_.layout);
  }
  for (size_t task = 0; task < builder_count(); task++) BuilderOf(task).GiveBack();
}

}  // namespace scaup
