// Batched calls: chunks are gathered as columns, the calls made, and the chunks given on with the results.
#include "execution/foreign/batched_calls.hpp"

#include <algorithm>
#include <span>

#include "common/stack_bound.hpp"
#include "execution/foreign/argument_projection.hpp"
#include "execution/foreign/foreign_arguments.hpp"
#include "execution/foreign/whole_calls.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

namespace {

/// The rows of the first call, so that a LIMIT of few rows computes few; further calls have four times as
/// many, up to the most.
constexpr size_t kFirstRows = kVectorSize;
constexpr size_t kMostBytes = size_t{16} << 20;

size_t BytesOf(DataChunk& chunk) {
  size_t bytes = 0;
  for (Vector& column : chunk.columns()) {
    bytes += chunk.size() * PhysicalSize(column.physical_type());
    if (column.physical_type() != PhysicalType::kString) continue;
    const auto strings = column.ViewAs<StringRef>(chunk.size());
    for (size_t row = 0; row < chunk.size(); row++) bytes += strings.IsValid(row) ? strings[row].size() : 0;
  }
  return bytes;
}

const ForeignFunction& CalledBy(const Expression& call) { return *ForeignDataOf(call).function; }

/// Gathered columns and their strings, which the chunks that are given on share.
struct GatheredColumns {
  std::vector<MaterializedColumn> columns;
  ResultHeap heap;
};

}  // namespace

struct BatchedCalls::Local final : LocalState {
  /// Consecutive rows that came as one chunk.
  struct Piece {
    size_t row_count;
    uint64_t batch_index;
  };

  Local(QueryContext& context, const PhysicalOperator& child, const std::vector<ExpressionPtr>& expressions)
      : memory(context), executor(context.functions, expressions), input(child.types()) {}

  const ResultMemory memory;
  ExpressionExecutor executor;  // of the arguments
  DataChunk input;
  DataChunk arguments;
  std::vector<std::vector<LogicalType>> argument_types;  // by call
  std::shared_ptr<const GatheredColumns> gathered;
  std::vector<std::unique_ptr<ForeignArguments>> calls;
  std::vector<Piece> pieces;
  size_t most_rows = ForeignFunction::kAllRows;
  size_t next_piece = 0;
  size_t next_row = 0;
  size_t wanted_rows = kFirstRows;
  bool has_ended = false;
};

BatchedCalls::BatchedCalls(PhysicalOperatorPtr child, std::vector<size_t> kept,
                           std::vector<ExpressionPtr> calls)
    : PhysicalOperator("BatchedCalls",
                       [&] {
                         std::vector<LogicalType> types;
                         for (const size_t column : kept) types.push_back(child->types()[column]);
                         for (const ExpressionPtr& call : calls) types.push_back(call->type());
                         return types;
                       }()),
      kept_(std::move(kept)),
      calls_(std::move(calls)) {
  estimated_rows = child->estimated_rows;
  children.push_back(std::move(child));
  for (const ExpressionPtr& call : calls_) {
    for (const ExpressionPtr& argument : call->As<FunctionExpression>().arguments)
      arguments_.push_back(argument->Clone());
  }
}

std::unique_ptr<LocalState> BatchedCalls::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  auto local = std::make_unique<Local>(context, *children[0], arguments_);
  std::vector<LogicalType> types;
  for (const ExpressionPtr& call : calls_) {
    std::vector<LogicalType>& own = local->argument_types.emplace_back();
    for (const ExpressionPtr& argument : call->As<FunctionExpression>().arguments)
      own.push_back(argument->type());
    types.insert(types.end(), own.begin(), own.end());
    local->most_rows = std::min(local->most_rows, CalledBy(*call).most_rows());
  }
  local->wanted_rows = std::min(local->wanted_rows, local->most_rows);
  local->arguments.Initialize(types);
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  return local;
}

std::vector<uint64_t> BatchedCalls::BatchOffsets(QueryContext& context, SharedState& shared) const {
  CheckStack();
  return children[0]->BatchOffsets(context, *shared.children[0]);
}

// Gathers the rows of the next calls, and makes them.
void BatchedCalls::Gather(QueryContext& context, SharedState& shared, Local& local) const {
  std::vector<LogicalType> kept_types(types().begin(),
                                      types().begin() + static_cast<ptrdiff_t>(kept_.size()));
  ResultAppender kept(kept_types, local.memory);
  local.calls.clear();
  for (size_t i = 0; i < calls_.size(); i++) {
    local.calls.push_back(
        std::make_unique<ForeignArguments>(ForeignDataOf(*calls_[i]), local.argument_types[i], local.memory));
  }
  local.pieces.clear();
  local.next_piece = local.next_row = 0;
  DataChunk passed(kept_types);
  size_t rows = 0, bytes = 0;
  while (rows < local.wanted_rows && bytes < kMostBytes) {
    children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
    const size_t count = local.input.size();
    if (count == 0) {
      local.has_ended = true;
      break;
    }
    local.executor.Execute(local.input, local.arguments);
    std::span<Vector> arguments = local.arguments.columns();
    for (size_t i = 0; i < calls_.size(); i++) {
      const size_t own_count = local.argument_types[i].size();
      bytes += local.calls[i]->Append(arguments.first(own_count), count);
      arguments = arguments.subspan(own_count);
    }
    for (size_t i = 0; i < kept_.size(); i++) passed.column(i).Reference(local.input.column(kept_[i]));
    passed.SetSize(count);
    bytes += BytesOf(passed);
    kept.Append(passed);
    local.pieces.push_back({count, local.input.batch_index});
    rows += count;
  }
  local.gathered =
      std::make_shared<const GatheredColumns>(GatheredColumns{std::move(kept.columns()), kept.TakeHeap()});
  for (const auto& call : local.calls) {
    context.functions.CheckInterrupt();
    call->Call(context.functions);
  }
  local.wanted_rows = std::min(4 * local.wanted_rows, local.most_rows);
}

void BatchedCalls::Produce(QueryContext& context, SharedState& shared, LocalState& local_state,
                           DataChunk& output) const {
  auto& local = static_cast<Local&>(local_state);
  if (local.next_piece == local.pieces.size()) {
    if (local.has_ended) return;
    Gather(context, shared, local);
    if (local.pieces.empty()) return;
  }
  const Local::Piece& piece = local.pieces[local.next_piece++];
  for (size_t i = 0; i < kept_.size(); i++) {
    ReferenceRows(BytewiseOf(local.gathered->columns[i], local.gathered), local.next_row, piece.row_count,
                  output.column(i));
  }
  for (size_t i = 0; i < calls_.size(); i++)
    local.calls[i]->Read(local.next_row, piece.row_count, output.column(kept_.size() + i));
  output.SetSize(piece.row_count);
  output.batch_index = piece.batch_index;
  local.next_row += piece.row_count;
}

// --- Planning

bool HasForeignCall(const Expression& expression) {
  CheckStack();
  if (IsForeignCall(expression)) return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || HasForeignCall(child); });
  return found;
}

namespace {

/// Takes the innermost calls that are made for every row out of expressions.
class CallTaker {
 public:
  /// `whole`: takes calls that get all rows, or else the others.
  CallTaker(size_t first_column, bool whole) : first_column_(first_column), whole_(whole) {}

  std::vector<ExpressionPtr> calls;

  void Take(ExpressionPtr& part) {
    CheckStack();
    if (part->kind() == ExpressionKind::kCase) return Take(part->As<CaseExpression>().branches[0].condition);
    if (part->kind() == ExpressionKind::kConjunction)
      return Take(part->As<ConjunctionExpression>().children[0]);
    if (part->kind() == ExpressionKind::kFunction) {
      auto& call = part->As<FunctionExpression>();
      const bool is_innermost =
          std::none_of(call.arguments.begin(), call.arguments.end(),
                       [](const ExpressionPtr& argument) { return HasForeignCall(*argument); });
      if (is_innermost && !IsForeignCall(call)) return;
      if (is_innermost && (CalledBy(call).most_rows() == ForeignFunction::kAllRows) != whole_) return;
      if (is_innermost) return Replace(part);
      if (call.function.name == "coalesce" || call.function.name == "ifnull") return Take(call.arguments[0]);
    }
    part->ForEachChild([&](ExpressionPtr& child) { Take(child); });
  }

 private:
  void Replace(ExpressionPtr& part) {
    const auto same = std::find_if(calls.begin(), calls.end(), [&](const ExpressionPtr& call) {
      return IsDeterministic(*call) && call->Equals(*part);
    });
    auto column = std::make_unique<ReferenceExpression>(
        part->type(), first_column_ + static_cast<size_t>(same - calls.begin()), part->ToString());
    column->alias = part->alias;
    column->position = part->position;
    if (same == calls.end()) calls.push_back(std::move(part));
    part = std::move(column);
  }

  const size_t first_column_;
  const bool whole_;
};

void ForEachReference(Expression& expression, const std::function<void(ReferenceExpression&)>& visit) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kReference) return visit(expression.As<ReferenceExpression>());
  expression.ForEachChild([&](ExpressionPtr& child) { ForEachReference(*child, visit); });
}

}  // namespace

namespace {

/// Makes the operator of calls that get all rows, over a projection to what it needs.
PhysicalOperatorPtr MakeWholeCalls(PhysicalOperatorPtr child, const std::vector<size_t>& kept,
                                   std::vector<ExpressionPtr> calls) {
  std::vector<ExpressionPtr> columns, constants;
  for (const size_t column : kept)
    columns.push_back(std::make_unique<ReferenceExpression>(child->types()[column], column, ""));
  for (const ExpressionPtr& call : calls) {
    const ForeignFunctionData& data = ForeignDataOf(*call);
    const auto& arguments = call->As<FunctionExpression>().arguments;
    for (size_t i = 0; i < arguments.size(); i++)
      (data.IsConstant(i) ? constants : columns).push_back(arguments[i]->Clone());
  }
  auto project =
      std::make_unique<ArgumentProjection>(std::move(child), std::move(columns), std::move(constants));
  return std::make_unique<WholeCalls>(std::move(project), kept.size(), std::move(calls));
}

/// Takes one layer of calls out of the expressions and puts its operator on top of `child`. Returns false if
/// there are no such calls.
bool BatchLayer(PhysicalOperatorPtr& child, std::vector<ExpressionPtr>& expressions, bool whole) {
  const size_t column_count = child->types().size();
  CallTaker taker(column_count, whole);
  for (ExpressionPtr& expression : expressions) taker.Take(expression);
  if (taker.calls.empty()) return false;
  // Only the columns that are still read are gathered.
  std::vector<size_t> places(column_count, SIZE_MAX);
  for (const ExpressionPtr& expression : expressions) {
    ForEachReference(*expression, [&](ReferenceExpression& column) {
      if (column.index < column_count) places[column.index] = 0;
    });
  }
  std::vector<size_t> kept;
  for (size_t i = 0; i < column_count; i++) {
    if (places[i] == SIZE_MAX) continue;
    places[i] = kept.size();
    kept.push_back(i);
  }
  for (const ExpressionPtr& expression : expressions) {
    ForEachReference(*expression, [&](ReferenceExpression& column) {
      column.index =
          column.index < column_count ? places[column.index] : column.index - column_count + kept.size();
    });
  }
  std::string listed;
  for (const ExpressionPtr& call : taker.calls) listed += (listed.empty() ? "" : ", ") + call->ToString();
  if (whole) {
    child = MakeWholeCalls(std::move(child), kept, std::move(taker.calls));
  } else {
    child = std::make_unique<BatchedCalls>(std::move(child), std::move(kept), std::move(taker.calls));
  }
  child->details.push_back("calls: " + listed);
  return true;
}

}  // namespace

PhysicalOperatorPtr BatchForeignCalls(PhysicalOperatorPtr child, std::vector<ExpressionPtr>& expressions) {
  while (BatchLayer(child, expressions, false) || BatchLayer(child, expressions, true)) {
  }
  return child;
}

}  // namespace scaup
