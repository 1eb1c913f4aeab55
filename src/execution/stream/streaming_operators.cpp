// Streaming operators: filter, projection, grouping sets, limit and union.
#include "execution/stream/streaming_operators.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/run/sole_reader.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

namespace {

/// An executor and its input chunk.
class ExpressionLocal final : public LocalState {
 public:
  ExpressionLocal(ExpressionExecutor executor_in, const std::vector<LogicalType>& input_types)
      : executor(std::move(executor_in)), input(input_types) {}
  ExpressionExecutor executor;
  DataChunk input;
};

class LimitShared final : public SharedState {
 public:
  ~LimitShared() override { input.reset(); }
  SoleReader reader;
  std::unique_ptr<LocalState> input;  // Shared, so that rows are counted in the input's order.
  uint64_t remaining = UINT64_MAX;
  uint64_t to_skip = 0;
};

class ExpandLocal final : public LocalState {
 public:
  explicit ExpandLocal(const std::vector<LogicalType>& types) : input(types) {}
  DataChunk input;
  size_t next_set = SIZE_MAX;
};

class UnionLocal final : public LocalState {
 public:
  size_t current = 0;
};

/// Evaluates LIMIT or OFFSET over the single row of `counts`. Returns `otherwise` if it is missing or NULL.
uint64_t EvaluateCount(QueryContext& context, const ExpressionPtr& expression, DataChunk& counts,
                       uint64_t otherwise, const char* name, const char* sqlstate) {
  if (!expression) return otherwise;
  Vector result(expression->type());
  ExpressionExecutor(context.functions, *expression).Execute(0, counts, result);
  const Value value = result.GetValue(0);
  if (value.is_null()) return otherwise;
  const int64_t count = value.GetBigInt();
  if (count < 0) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate, std::string(name) + " must not be negative",
               expression->position);
  }
  return static_cast<uint64_t>(count);
}

}  // namespace

FilterOperator::FilterOperator(PhysicalOperatorPtr child, ExpressionPtr predicate)
    : PhysicalOperator("Filter", child->types()), predicate_(std::move(predicate)) {
  children.push_back(std::move(child));
}

void FilterOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                        const RuntimeFilter& range) const {
  CheckStack();
  children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

std::vector<BatchRange> FilterOperator::BatchRanges(QueryContext& context, SharedState& shared,
                                                    size_t column) const {
  CheckStack();
  return children[0]->BatchRanges(context, *shared.children[0], column);
}

std::unique_ptr<LocalState> FilterOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<ExpressionLocal>(ExpressionExecutor(context.functions, *predicate_), types());
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void FilterOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                             DataChunk& output) const {
  auto& local = static_cast<ExpressionLocal&>(local_state);
  while (true) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    const size_t count = local.input.size();
    if (count == 0) return;
    auto selection = std::make_shared<SelectionVector>();
    const size_t kept = local.executor.Select(0, local.input, *selection);
    if (kept == 0) continue;
    if (kept == count) {
      output.Reference(local.input);
    } else {
      output.Slice(local.input, selection, kept);
    }
    return;
  }
}

ProjectOperator::ProjectOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> expressions)
    : PhysicalOperator("Project",
                       [&] {
                         std::vector<LogicalType> types;
                         for (const auto& expression : expressions) types.push_back(expression->type());
                         return types;
                       }()),
      expressions_(std::move(expressions)) {
  children.push_back(std::move(child));
}

void ProjectOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                         const RuntimeFilter& range) const {
  CheckStack();
  const Expression& source = *expressions_[column];
  if (source.kind() != ExpressionKind::kReference) return;
  // A moving filter lets through a number of rows that depends on chance, and so would what nextval returns.
  if (range.is_moving() &&
      !std::ranges::all_of(expressions_, [](const auto& e) { return IsDeterministic(*e); }))
    return;
  children[0]->ApplyRuntimeFilter(*shared.children[0], source.As<ReferenceExpression>().index, range);
}

std::unique_ptr<LocalState> ProjectOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<ExpressionLocal>(ExpressionExecutor(context.functions, expressions_),
                                                 children[0]->types());
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

uint64_t ProjectOperator::SkipRows(SharedState& shared, uint64_t row_count) const {
  CheckStack();
  // The results of nextval() depend on the rows before, so these cannot be skipped.
  for (const ExpressionPtr& expression : expressions_) {
    if (!IsDeterministic(*expression)) return 0;
  }
  return children[0]->SkipRows(*shared.children[0], row_count);
}

std::vector<uint64_t> ProjectOperator::BatchOffsets(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children[0]->BatchOffsets(context, *shared.children[0]);
}

std::vector<BatchRange> ProjectOperator::BatchRanges(QueryContext& context, SharedState& shared,
                                                     size_t column) const {
  CheckStack();
  const Expression& source = *expressions_[column];
  if (source.kind() != ExpressionKind::kReference) return {};
  return children[0]->BatchRanges(context, *shared.children[0], source.As<ReferenceExpression>().index);
}

void ProjectOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                              DataChunk& output) const {
  auto& local = static_cast<ExpressionLocal&>(local_state);
  children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
  if (local.input.size() != 0) local.executor.Execute(local.input, output);
}

ExpandOperator::ExpandOperator(PhysicalOperatorPtr child, size_t column_count,
                               std::vector<std::vector<size_t>> sets)
    : PhysicalOperator("GroupingSets",
                       [&] {
                         std::vector<LogicalType> types = child->types();
                         types.emplace_back(TypeId::kInteger);
                         return types;
                       }()),
      passed_columns_(child->types().size() - column_count),
      sets_(std::move(sets)) {
  children.push_back(std::move(child));
}

std::unique_ptr<LocalState> ExpandOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<ExpandLocal>(children[0]->types());
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

void ExpandOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                             DataChunk& output) const {
  auto& local = static_cast<ExpandLocal&>(local_state);
  if (local.next_set >= sets_.size()) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    if (local.input.size() == 0) return;
    local.next_set = 0;
  }
  const size_t set = local.next_set++;
  const size_t input_columns = local.input.column_count();
  for (size_t i = 0; i < input_columns; i++) {
    const bool is_in_set =
        i < passed_columns_ || std::binary_search(sets_[set].begin(), sets_[set].end(), i - passed_columns_);
    if (is_in_set) {
      output.column(i).Reference(local.input.column(i));
    } else {
      output.column(i).SetConstantNull();
    }
  }
  output.column(input_columns).ReferenceValue(Value::Integer(static_cast<int32_t>(set)));
  output.SetSize(local.input.size());
  output.batch_index = local.input.batch_index;
}

LimitOperator::LimitOperator(PhysicalOperatorPtr child, ExpressionPtr limit, ExpressionPtr offset,
                             PhysicalOperatorPtr counts)
    : PhysicalOperator("Limit", child->types()), limit_(std::move(limit)), offset_(std::move(offset)) {
  children.push_back(std::move(child));
  if (counts) children.push_back(std::move(counts));
}

std::unique_ptr<SharedState> LimitOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<LimitShared>();
  if (children.size() == 1) {
    DataChunk no_columns;
    no_columns.SetSize(1);
    SetCounts(context, *shared, no_columns);
  }
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void LimitOperator::SetCounts(QueryContext& context, SharedState& shared_state, DataChunk& counts) const {
  auto& shared = static_cast<LimitShared&>(shared_state);
  shared.remaining = EvaluateCount(context, limit_, counts, UINT64_MAX, "LIMIT", "2201W");
  shared.to_skip = EvaluateCount(context, offset_, counts, 0, "OFFSET", "2201X");
}

void LimitOperator::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  if (children.size() > 1) {
    const PhysicalOperator& source = *children[1];
    source.Prepare(context, *shared.children[1]);
    const auto local = source.MakeLocal(context, *shared.children[1]);
    DataChunk counts(source.types());
    source.Next(context, *shared.children[1], *local, counts);
    SCAUP_CHECK(counts.size() == 1);
    SetCounts(context, shared, counts);
  }
  children[0]->Prepare(context, *shared.children[0]);
  uint64_t& to_skip = static_cast<LimitShared&>(shared).to_skip;
  to_skip -= children[0]->SkipRows(*shared.children[0], to_skip);
}

std::unique_ptr<LocalState> LimitOperator::MakeLocal(QueryContext&, SharedState&) const {
  CheckStack();
  return std::make_unique<LocalState>();
}

void LimitOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState& local,
                            DataChunk& output) const {
  auto& shared = static_cast<LimitShared&>(shared_state);
  if (!shared.reader.IsTask(local)) return;
  if (!shared.input) shared.input = children[0]->MakeLocal(context, *shared.children[0]);
  while (shared.remaining != 0) {
    children[0]->Next(context, *shared.children[0], *shared.input, output);
    const size_t count = output.size();
    if (count == 0) return;
    if (shared.to_skip >= count) {
      shared.to_skip -= count;
      continue;
    }
    const size_t begin = shared.to_skip;
    const size_t kept = std::min<uint64_t>(count - begin, shared.remaining);
    shared.to_skip = 0;
    shared.remaining -= kept;
    if (kept < count) {
      auto selection = std::make_shared<SelectionVector>();
      for (size_t i = 0; i < kept; i++) selection->rows[i] = static_cast<sel_t>(begin + i);
      output.Slice(selection, kept);
    }
    return;
  }
}

UnionAllOperator::UnionAllOperator(std::vector<PhysicalOperatorPtr> inputs, std::vector<LogicalType> types)
    : PhysicalOperator("UnionAll", std::move(types)) {
  children = std::move(inputs);
}

void UnionAllOperator::ApplyRuntimeFilter(SharedState& shared, size_t column,
                                          const RuntimeFilter& range) const {
  CheckStack();
  for (size_t i = 0; i < children.size(); i++)
    children[i]->ApplyRuntimeFilter(*shared.children[i], column, range);
}

std::unique_ptr<LocalState> UnionAllOperator::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<UnionLocal>();
  local->children.resize(children.size());
  if (!children.empty()) local->children[0] = children[0]->MakeLocal(context, *shared.children[0]);
  return local;
}

size_t UnionAllOperator::MaxTasks(QueryContext& context, SharedState& shared) const {
  CheckStack();
  size_t most = 1;
  for (size_t i = 0; i < children.size(); i++)
    most = std::max(most, children[i]->MaxTasks(context, *shared.children[i]));
  return most;
}

void UnionAllOperator::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                               DataChunk& output) const {
  // Batches of a later input sort after all batches of an earlier one.
  constexpr uint64_t kBatchesPerInput = uint64_t{1} << 40;
  auto& local = static_cast<UnionLocal&>(local_state);
  while (local.current < children.size()) {
    const size_t current = local.current;
    if (!local.children[current])
      local.children[current] = children[current]->MakeLocal(context, *shared.children[current]);
    children[current]->Next(context, *shared.children[current], *local.children[current], output);
    if (output.size() != 0) {
      output.batch_index += current * kBatchesPerInput;
      return;
    }
    local.current++;
  }
}

}  // namespace scaup
