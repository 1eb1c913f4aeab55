// Whole calls: the input is collected, each call is made once, and the rows are given on in parallel.
#include "execution/foreign/whole_calls.hpp"

#include <algorithm>
#include <atomic>

#include "common/stack_bound.hpp"
#include "execution/foreign/foreign_arguments.hpp"
#include "execution/rows/materialized_result.hpp"

namespace scaup {

namespace {

/// The rows that a thread takes at once.
constexpr size_t kBatchRows = 64 * kVectorSize;

}  // namespace

struct WholeCalls::Shared final : SharedState {
  explicit Shared(QueryContext& context) : memory(context) {}
  const ResultMemory memory;
  // Written by Prepare.
  std::shared_ptr<const MaterializedResult> input;
  std::vector<std::unique_ptr<ForeignArguments>> calls;
  std::atomic<size_t> next_batch{0};
};

struct WholeCalls::Local final : LocalState {
  size_t batch = 0;
  size_t next_row = 0;
  size_t end_row = 0;
};

WholeCalls::WholeCalls(std::unique_ptr<ArgumentProjection> child, size_t kept_count,
                       std::vector<ExpressionPtr> calls)
    : PhysicalOperator("WholeCalls",
                       [&] {
                         std::vector<LogicalType> types(
                             child->types().begin(),
                             child->types().begin() + static_cast<ptrdiff_t>(kept_count));
                         for (const ExpressionPtr& call : calls) types.push_back(call->type());
                         return types;
                       }()),
      kept_count_(kept_count),
      calls_(std::move(calls)) {
  estimated_rows = child->estimated_rows;
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> WholeCalls::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(context);
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void WholeCalls::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  shared.input =
      std::make_shared<const MaterializedResult>(CollectResult(context, *children[0], *shared.children[0]));
  const std::shared_ptr<const MaterializedResult> constants =
      static_cast<const ArgumentProjection&>(*children[0]).TakeConstants(*shared.children[0]);
  size_t next_column = kept_count_, next_constant = 0;
  for (const ExpressionPtr& call : calls_) {
    const ForeignFunctionData& data = ForeignDataOf(*call);
    std::vector<LogicalType> types;
    for (const ExpressionPtr& argument : call->As<FunctionExpression>().arguments)
      types.push_back(argument->type());
    auto given = std::make_unique<ForeignArguments>(data, types, shared.memory);
    const size_t first_column = next_column, first_constant = next_constant;
    DataChunk chunk(types);
    for (size_t begin = 0; begin < shared.input->row_count; begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, shared.input->row_count - begin);
      context.functions.CheckInterrupt();
      chunk.Release();
      next_column = first_column;
      next_constant = first_constant;
      for (size_t i = 0; i < types.size(); i++) {
        if (data.IsConstant(i)) {
          ReferenceRows(BytewiseOf(constants->columns[next_constant++], constants), 0, 1, chunk.column(i));
          chunk.column(i).SetConstant();
        } else {
          ReferenceRows(BytewiseOf(shared.input->columns[next_column++], shared.input), begin, count,
                        chunk.column(i));
        }
      }
      given->Append(chunk.columns(), count);
    }
    given->Call(context.functions);
    context.functions.CheckInterrupt();
    shared.calls.push_back(std::move(given));
  }
}

std::unique_ptr<LocalState> WholeCalls::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<Local>();
}

size_t WholeCalls::MaxTasks(QueryContext&, SharedState& shared) const {
  return (static_cast<const Shared&>(shared).input->row_count + kBatchRows - 1) / kBatchRows;
}

std::vector<uint64_t> WholeCalls::BatchOffsets(QueryContext&, SharedState& shared) const {
  const size_t row_count = static_cast<const Shared&>(shared).input->row_count;
  std::vector<uint64_t> offsets;
  for (size_t row = 0; row < row_count; row += kBatchRows) offsets.push_back(row);
  offsets.push_back(row_count);
  return offsets;
}

void WholeCalls::Produce(QueryContext&, SharedState& shared_state, LocalState& local_state,
                         DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  if (local.next_row == local.end_row) {
    local.batch = shared.next_batch.fetch_add(1);
    local.next_row = local.batch * kBatchRows;
    if (local.next_row >= shared.input->row_count) {
      local.next_row = local.end_row = 0;
      return;
    }
    local.end_row = std::min(local.next_row + kBatchRows, shared.input->row_count);
  }
  const size_t count = std::min(kVectorSize, local.end_row - local.next_row);
  for (size_t i = 0; i < kept_count_; i++) {
    ReferenceRows(BytewiseOf(shared.input->columns[i], shared.input), local.next_row, count,
                  output.column(i));
  }
  for (size_t i = 0; i < calls_.size(); i++)
    shared.calls[i]->Read(local.next_row, count, output.column(kept_count_ + i));
  output.SetSize(count);
  output.batch_index = local.batch;
  local.next_row += count;
}

}  // namespace scaup
