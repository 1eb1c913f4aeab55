// Projects rows, and keeps the constants of the first row that comes.
#include "execution/foreign/argument_projection.hpp"

#include <atomic>
#include <utility>

#include "common/lock/mutex.hpp"
#include "common/stack_bound.hpp"
#include "execution/foreign/foreign_function.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

struct ArgumentProjection::Shared final : SharedState {
  Shared(QueryContext& context, const std::vector<LogicalType>& types)
      : memory(context), row(types, memory) {}
  const ResultMemory memory;
  Mutex mutex;
  ResultAppender row SCAUP_GUARDED_BY(mutex);
  std::atomic<bool> has_row{false};
};

struct ArgumentProjection::Local final : LocalState {
  Local(QueryContext& context, const ArgumentProjection& of)
      : columns(context.functions, of.columns_),
        constants(context.functions, of.constants_),
        input(of.children[0]->types()),
        constant_values(TypesOf(of.constants_)) {}
  ExpressionExecutor columns;
  ExpressionExecutor constants;
  DataChunk input;
  DataChunk constant_values;
};

ArgumentProjection::ArgumentProjection(PhysicalOperatorPtr child, std::vector<ExpressionPtr> columns,
                                       std::vector<ExpressionPtr> constants)
    : PhysicalOperator("Project", TypesOf(columns)),
      columns_(std::move(columns)),
      constants_(std::move(constants)) {
  estimated_rows = child->estimated_rows;
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> ArgumentProjection::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(context, TypesOf(constants_));
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

std::unique_ptr<LocalState> ArgumentProjection::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<Local>(context, *this);
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

std::vector<uint64_t> ArgumentProjection::BatchOffsets(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children[0]->BatchOffsets(context, *shared.children[0]);
}

std::shared_ptr<const MaterializedResult> ArgumentProjection::TakeConstants(SharedState& shared_state) const {
  auto& shared = static_cast<Shared&>(shared_state);
  const MutexLock lock(shared.mutex);
  auto constants = std::make_shared<MaterializedResult>();
  constants->row_count = shared.row.row_count();
  constants->columns = std::move(shared.row.columns());
  constants->heaps.push_back(shared.row.TakeHeap());
  return constants;
}

void ArgumentProjection::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                                 DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
  if (local.input.size() == 0) return;
  local.columns.Execute(local.input, output);
  if (constants_.empty()) return;
  local.constants.Execute(local.input, local.constant_values);
  for (Vector& column : local.constant_values.columns()) CheckConstant(column, local.input.size());
  if (shared.has_row.load(std::memory_order_acquire)) return;
  const MutexLock lock(shared.mutex);
  if (shared.row.row_count() != 0) return;
  local.constant_values.SetSize(1);
  shared.row.Append(local.constant_values);
  shared.has_row.store(true, std::memory_order_release);
}

}  // namespace scaup
