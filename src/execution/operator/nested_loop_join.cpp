// Nested-loop join: pairs in batches of 1024, tested as a chunk.
#include "execution/operator/nested_loop_join.hpp"

#include <exception>

#include "execution/column_collection.hpp"
#include "execution/operator/join_output.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

struct NestedLoopJoin::Shared final : SharedState {
  std::unique_ptr<ColumnCollection> right;
  std::exception_ptr late_error;  // For the first left row.
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  std::unique_ptr<std::atomic<bool>[]> right_matched;
  std::atomic<size_t> probing{0};
  std::atomic<size_t> next_right_row{0};
};

struct NestedLoopJoin::Local final : LocalState {
  Local(const NestedLoopJoin& join, QueryContext& context) : input(join.children[0]->types()) {
    std::vector<LogicalType> pair_types = join.children[0]->types();
    const auto& right_types = join.children[1]->types();
    pair_types.insert(pair_types.end(), right_types.begin(), right_types.end());
    pairs.Initialize(pair_types);
    if (join.condition_) executor = std::make_unique<ExpressionExecutor>(context.functions, *join.condition_);
  }
  DataChunk input;
  DataChunk pairs;
  std::unique_ptr<ExpressionExecutor> executor;
  Vector truth{TypeId::kBoolean};
  ProbeMatches matches;
  uint64_t next_pair = 0;  // left row * right rows + right row
  enum class Phase : uint8_t { kInput, kPairs, kRight, kEnd } phase = Phase::kInput;
};

namespace {

class CollectSink final : public ChunkSink {
 public:
  CollectSink(const std::vector<LogicalType>& types, MemoryTracker& memory) : collection(types, memory) {}
  void Consume(DataChunk& chunk) override { collection.Append(chunk); }
  ColumnCollection collection;
};

}  // namespace

NestedLoopJoin::NestedLoopJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                               ExpressionPtr condition, std::vector<LogicalType> types)
    : PhysicalOperator("NestedLoopJoin", std::move(types)),
      join_type_(join_type),
      condition_(std::move(condition)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::unique_ptr<SharedState> NestedLoopJoin::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<Shared>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void NestedLoopJoin::Restrict(SharedState& shared, size_t column, const JoinKeyRange& range) const {
  if (IsMadeOfLeftRows(join_type_) && column < children[0]->types().size())
    children[0]->Restrict(*shared.children[0], column, range);
}

void NestedLoopJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<Shared&>(shared_state);
  shared.late_error = CollectRightSide(right_is_scalar, [&] { CollectRight(context, shared); });
  children[0]->Prepare(context, *shared.children[0]);
}

void NestedLoopJoin::CollectRight(QueryContext& context, Shared& shared) const {
  children[1]->Prepare(context, *shared.children[1]);
  // One task, so that pairs come in the order of the right input.
  shared.sinks = DrainParallel(
      context, *children[1], *shared.children[1], shared.profile,
      [&](size_t) { return std::make_unique<CollectSink>(children[1]->types(), context.memory()); }, 1);
  shared.right =
      std::make_unique<ColumnCollection>(std::move(static_cast<CollectSink&>(*shared.sinks[0]).collection));
  if (KeepsRight(join_type_))
    shared.right_matched = std::make_unique<std::atomic<bool>[]>(shared.right->row_count());
}

std::unique_ptr<LocalState> NestedLoopJoin::MakeLocal(QueryContext& context,
                                                      SharedState& shared_state) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(*this, context);
  // Counted before the joins below are: whoever ends last below must find this task counted here, or
  // unmatched rows would be given out while the join below still has rows to give.
  shared.probing.fetch_add(1);
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

bool NestedLoopJoin::TestPairs(Shared& shared, Local& local, DataChunk& output) const {
  const uint64_t right_rows = shared.right->row_count();
  const uint64_t pair_count = local.input.size() * right_rows;
  const size_t count = std::min<uint64_t>(kVectorSize, pair_count - local.next_pair);
  auto left_rows = std::make_shared<SelectionVector>();
  uint64_t chosen_right[kVectorSize];
  uint64_t left = local.next_pair / right_rows, right = local.next_pair % right_rows;
  for (size_t i = 0; i < count; i++) {
    left_rows->rows[i] = static_cast<sel_t>(left);
    chosen_right[i] = right;
    if (++right == right_rows) {
      right = 0;
      left++;
    }
  }
  local.next_pair += count;
  const size_t left_columns = local.input.column_count();
  local.pairs.Release();
  for (size_t i = 0; i < left_columns; i++)
    local.pairs.column(i).Slice(local.input.column(i), local.input.size(), left_rows, count);
  for (size_t i = left_columns; i < local.pairs.column_count(); i++) {
    local.pairs.column(i).Reset();
    shared.right->Gather(i - left_columns, chosen_right, count, local.pairs.column(i));
    if (right_rows == 1) local.pairs.column(i).SetConstant();
  }
  local.pairs.SetSize(count);
  local.pairs.batch_index = local.input.batch_index;

  auto passed = std::make_shared<SelectionVector>();
  size_t kept = 0;
  if (local.executor) {
    local.executor->Execute(0, local.pairs, local.truth);
    const auto truth = local.truth.ViewAs<uint8_t>(count);
    for (size_t i = 0; i < count; i++) {
      passed->rows[kept] = static_cast<sel_t>(i);
      if (!truth.IsValid(i)) {
        local.matches.unknown[left_rows->rows[i]] = true;
      } else {
        kept += truth[i] != 0;
      }
    }
  } else {
    for (; kept < count; kept++) passed->rows[kept] = static_cast<sel_t>(kept);
  }
  for (size_t i = 0; i < kept; i++) {
    NoteMatch(join_type_, local.matches, left_rows->rows[passed->rows[i]]);
    if (KeepsRight(join_type_))
      shared.right_matched[chosen_right[passed->rows[i]]].store(true, std::memory_order_relaxed);
  }
  if (kept == 0 || !EmitsRight(join_type_)) return false;
  if (kept == count) {
    output.Reference(local.pairs);
  } else {
    output.Slice(local.pairs, passed, kept);
  }
  return true;
}

bool NestedLoopJoin::EmitUnmatchedRight(Shared& shared, DataChunk& output) const {
  const size_t right_rows = shared.right->row_count();
  while (true) {
    const size_t begin = shared.next_right_row.fetch_add(kVectorSize);
    if (begin >= right_rows) return false;
    uint64_t rows[kVectorSize];
    size_t kept = 0;
    for (size_t row = begin; row < std::min(begin + kVectorSize, right_rows); row++) {
      if (!shared.right_matched[row].load(std::memory_order_relaxed)) rows[kept++] = row;
    }
    if (kept == 0) continue;
    const size_t left_columns = children[0]->types().size();
    SetLeftNull(output, left_columns);
    for (size_t i = left_columns; i < output.column_count(); i++) {
      output.column(i).Reset();
      shared.right->Gather(i - left_columns, rows, kept, output.column(i));
    }
    output.SetSize(kept);
    output.batch_index = UINT64_MAX;
    return true;
  }
}

void NestedLoopJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                             DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  while (true) {
    switch (local.phase) {
      case Local::Phase::kInput:
        children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
        if (local.input.size() == 0) {
          const bool is_last = shared.probing.fetch_sub(1) == 1;
          local.phase = is_last && KeepsRight(join_type_) ? Local::Phase::kRight : Local::Phase::kEnd;
          break;
        }
        if (shared.late_error) std::rethrow_exception(shared.late_error);
        local.matches.Reset(local.input.size());
        local.next_pair = 0;
        local.phase = Local::Phase::kPairs;
        break;
      case Local::Phase::kPairs:
        while (local.next_pair < local.input.size() * shared.right->row_count()) {
          context.functions.CheckInterrupt();
          if (TestPairs(shared, local, output)) return;
        }
        local.phase = Local::Phase::kInput;
        if (EmitAfterProbe(join_type_, local.input, local.matches, output)) return;
        break;
      case Local::Phase::kRight:
        if (EmitUnmatchedRight(shared, output)) return;
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd: return;
    }
  }
}

}  // namespace scaup
