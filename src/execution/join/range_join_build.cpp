// Collects the right rows of a range join in parallel, and indexes them if all fit in memory.
#include "execution/join/range_join_build.hpp"

#include "execution/join/join_output.hpp"
#include "expression/expression_executor.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// Right rows are collected in blocks of this fraction (1/8) of a thread's memory share. Sorting reads the
/// rows at random, which is fastest in few blocks.
constexpr size_t kRightBlockShare = 8;

/// Collects right rows and their computed keys.
class RangeSink final : public ChunkSink {
 public:
  RangeSink(const RangeSchema& schema, const std::vector<ExpressionPtr>& computed_keys, QueryContext& context,
            std::shared_ptr<SpillFailure> failure)
      : kept(std::make_unique<SpillableRows>(context, schema.types, std::move(failure),
                                             context.MemoryShareBytes() / kRightBlockShare)),
        executor_(context.functions, computed_keys),
        keys_(TypesOf(computed_keys)),
        rows_(schema.types) {}

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < chunk.column_count(); i++) rows_.column(i).Reference(chunk.column(i));
    keys_.Release();
    executor_.Execute(chunk, keys_);
    for (size_t i = 0; i < keys_.column_count(); i++)
      rows_.column(chunk.column_count() + i).Reference(keys_.column(i));
    rows_.SetSize(chunk.size());
    kept->Append(rows_);
    rows_.Release();
  }
  void Finish() override { kept->Finish(); }

  std::unique_ptr<SpillableRows> kept;

 private:
  ExpressionExecutor executor_;
  DataChunk keys_;
  DataChunk rows_;
};

}  // namespace

void RangeJoinBuildSide::Finish(LogicalJoinType join_type, QueryContext& context) {
  index->LearnCodes(context.functions);
  if (KeepsRight(join_type)) matched.Begin(index->rows().row_count());
  memory.SetFixed(TaskMemory::kAll);
}

RangeJoinRightRows CollectRightRows(const RangeJoinSpecification& join, QueryContext& context,
                                    const PhysicalOperator& right, SharedState& right_shared,
                                    OperatorProfile& profile) {
  const auto failure = std::make_shared<SpillFailure>();
  const auto sinks = DrainParallel(context, right, right_shared, profile, [&](size_t) {
    return std::make_unique<RangeSink>(join.schema, join.computed_keys, context, failure);
  });
  RangeJoinRightRows parts;
  for (const auto& sink : sinks) parts.push_back(std::move(static_cast<RangeSink&>(*sink).kept));
  return parts;
}

std::unique_ptr<RangeJoinBuildSide> TryIndexAll(const RangeJoinSpecification& join, QueryContext& context,
                                                MemoryGrant& grant, RangeJoinRightRows& right) {
  std::vector<std::shared_ptr<const ColumnCollection>> held;
  std::vector<const ColumnCollection*> rows;
  size_t row_count = 0, size_bytes = 0;
  for (const auto& part : right) {
    if (!part->HoldBlocks(held)) return nullptr;
    row_count += part->row_count();
  }
  for (const auto& block : held) {
    rows.push_back(block.get());
    size_bytes += block->size_bytes();
  }
  const bool has_numbers = rows.size() >> (64 - kCollectionRowBits) == 0;
  if (!has_numbers || (context.forces_spilling() && row_count != 0)) return nullptr;
  auto built = std::make_unique<RangeJoinBuildSide>(grant);
  try {
    if (!built->memory.TryGrow(size_bytes + RangeJoinBuildSide::MostBytes(join.schema, row_count)))
      return nullptr;
    built->index =
        std::make_unique<RangeIndex>(join.schema, rows, built->memory.account(), context.functions);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
  // Free the rows now: their memory is needed. The index no longer refers to them.
  held.clear();
  right.clear();
  built->Finish(join.join_type, context);
  return built;
}

}  // namespace scaup
