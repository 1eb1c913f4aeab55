// Expression executor: constants, references, calls and casts, per dictionary entry or per row.
#include "expression/expression_executor.hpp"

#include <algorithm>
#include <set>

#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/evaluated_once.hpp"
#include "expression/expression_node.hpp"
#include "expression/try_call.hpp"

namespace scaup {

namespace {

void CollectColumns(const Expression& expression, std::set<size_t>& columns) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kReference)
    columns.insert(expression.As<ReferenceExpression>().index);
  expression.ForEachChild([&](const Expression& child) { CollectColumns(child, columns); });
}

bool IsVolatile(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.volatility == Volatility::kVolatile;
}

/// SQL guarantees that an argument of COALESCE is evaluated only if all earlier ones are NULL. That matters
/// only if an argument can fail; otherwise the kernel, which reads all arguments at once, is faster.
bool IsLazyCoalesce(const Expression& expression) {
  if (expression.kind() != ExpressionKind::kFunction || CannotFail(expression)) return false;
  const std::string& name = expression.As<FunctionExpression>().function.name;
  return name == "coalesce" || name == "ifnull";
}

bool PropagatesNull(const Expression& expression) {
  switch (expression.kind()) {
    case ExpressionKind::kFunction:
      return expression.As<FunctionExpression>().function.nulls == NullHandling::kPropagate;
    case ExpressionKind::kCast: return true;
    default: return false;
  }
}

}  // namespace

ExpressionExecutor::ExpressionExecutor(const FunctionContext& context,
                                       std::span<const ExpressionPtr> expressions)
    : context_(context) {
  for (const auto& expression : expressions) roots_.push_back(MakeNode(*expression));
}

ExpressionExecutor::ExpressionExecutor(const FunctionContext& context, const Expression& expression)
    : context_(context) {
  roots_.push_back(MakeNode(expression));
}

ExpressionExecutor::~ExpressionExecutor() = default;
ExpressionExecutor::ExpressionExecutor(ExpressionExecutor&&) noexcept = default;

std::unique_ptr<ExpressionExecutor::Node> ExpressionExecutor::MakeNode(const Expression& expression) {
  CheckStack();
  RunningCall::CheckInterrupt();
  auto node = std::make_unique<Node>(context_, expression);
  std::vector<LogicalType> types;
  expression.ForEachChild([&](const Expression& child) {
    node->children.push_back(MakeNode(child));
    types.push_back(child.type());
  });
  if (!types.empty()) {
    node->arguments.Initialize(types);
    node->dictionary_arguments.Initialize(types);
  }
  node->entry_result = std::make_unique<Vector>(expression.type());
  node->entry_result->AccountStrings(&context_.memory);
  node->can_fail = !CannotFail(expression);
  node->is_deterministic = IsDeterministic(expression);
  node->is_lazy_coalesce = IsLazyCoalesce(expression);
  node->is_try = IsTry(expression);
  std::set<size_t> columns;
  CollectColumns(expression, columns);
  node->used_columns.assign(columns.begin(), columns.end());
  switch (expression.kind()) {
    case ExpressionKind::kConstant:
      node->constant = std::make_unique<Vector>(expression.As<ConstantExpression>().value);
      break;
    case ExpressionKind::kParameter: {
      const size_t index = expression.As<ParameterExpression>().index;
      SCAUP_CHECK(index < context_.parameters.size());
      node->constant = std::make_unique<Vector>(context_.parameters[index]);
      break;
    }
    case ExpressionKind::kInList: {
      const auto& in_list = expression.As<InListExpression>();
      node->in_list = std::make_unique<InListSet>(in_list.child->type(), in_list.values);
      break;
    }
    case ExpressionKind::kConjunction:
      for (size_t i = 0; i < node->children.size(); i++) node->order.push_back({i});
      break;
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery:
      ThrowInternal("an expression was executed before it was resolved: " + expression.ToString());
    case ExpressionKind::kFunction: {
      const auto& call = expression.As<FunctionExpression>();
      if (const LambdaData* lambda = LambdaOf(call))
        node->lambda = std::make_unique<LambdaEvaluator>(context_, call, *lambda);
      if (const Expression* body = OnceBodyOf(call))
        node->body = std::make_unique<ExpressionExecutor>(context_, *body);
      break;
    }
    case ExpressionKind::kReference:
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull: break;
    case ExpressionKind::kCase:
      node->case_ways.may_blend =
          node->is_deterministic && PhysicalTypeOf(expression.type()) != PhysicalType::kString;
      break;
  }
  return node;
}

void ExpressionExecutor::Execute(DataChunk& input, DataChunk& output) {
  for (size_t i = 0; i < roots_.size(); i++) roots_[i]->Evaluate(input, output.column(i));
  output.SetSize(input.size());
  output.batch_index = input.batch_index;
}

void ExpressionExecutor::Execute(size_t index, DataChunk& input, Vector& result) {
  roots_[index]->Evaluate(input, result);
}

size_t ExpressionExecutor::Select(size_t index, DataChunk& input, SelectionVector& selection) {
  return roots_[index]->Select(input, selection.rows);
}

Value EvaluateConstant(const FunctionContext& context, const Expression& expression) {
  ExpressionExecutor executor(context, expression);
  DataChunk input;
  input.SetSize(1);
  Vector result(expression.type());
  executor.Execute(0, input, result);
  return result.GetValue(0);
}

void ExpressionExecutor::Node::SliceInput(DataChunk& input, const SelectionRef& selection, size_t count,
                                          DataChunk& target) const {
  if (target.column_count() != input.column_count()) target.Initialize(input.types());
  for (const size_t column : used_columns)
    target.column(column).Slice(input.column(column), input.size(), selection, count);
  target.SetSize(count);
}

void ExpressionExecutor::Node::Evaluate(DataChunk& input, Vector& result) {
  CheckStack(kRowStackReserve);
  // Strings produced by functions may be of any length, so they count as memory of the query.
  result.AccountStrings(&context.memory);
  const size_t count = input.size();
  if (count == 0) {
    result.Reset();
    return;
  }
  switch (expression.kind()) {
    case ExpressionKind::kConstant:
    case ExpressionKind::kParameter: result.Reference(*constant); return;
    case ExpressionKind::kReference:
      result.Reference(input.column(expression.As<ReferenceExpression>().index));
      return;
    case ExpressionKind::kConjunction: EvaluateConjunction(input, result); return;
    case ExpressionKind::kCase: EvaluateCase(input, result); return;
    case ExpressionKind::kFunction:
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList:
      try {
        is_try             ? EvaluateTry(input, result)
        : is_lazy_coalesce ? EvaluateCoalesce(input, result)
                           : EvaluateCall(input, result);
      } catch (Error& error) {
        error.SetPositionIfUnknown(expression.position);
        throw;
      }
      return;
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: break;
  }
  ThrowInternal("an expression was executed before it was resolved");
}

void ExpressionExecutor::Node::EvaluateCall(DataChunk& input, Vector& result) {
  const size_t count = input.size();
  bool all_constant = !IsVolatile(expression);
  bool any_null_constant = false;
  for (size_t i = 0; i < children.size(); i++) {
    children[i]->Evaluate(input, arguments.column(i));
    all_constant = all_constant && arguments.column(i).is_constant();
    any_null_constant = any_null_constant || arguments.column(i).is_null_constant();
  }
  arguments.SetSize(count);
  if (any_null_constant && PropagatesNull(expression)) {
    result.SetConstantNull();
    return;
    // With constant arguments a single evaluation suffices, unless the function is volatile.
  }
  if (all_constant) {
    arguments.SetSize(1);
    result.Reset();
    CallKernel(arguments, result);
    if (result.is_flat()) result.SetConstant();
    return;
  }
  if (EvaluateByEntry(count, result)) return;
  result.Reset();
  CallKernel(arguments, result);
}

void ExpressionExecutor::Node::CallKernel(DataChunk& inputs, Vector& result) {
  SCAUP_ASSERT(result.is_flat() && result.type() == expression.type());
  const size_t count = inputs.size();
  switch (expression.kind()) {
    case ExpressionKind::kFunction: {
      if (lambda) return lambda->Run(inputs, result);
      if (body) {
        body->Execute(0, inputs, result);
        result.Flatten(count);
        return;
      }
      const auto& function = expression.As<FunctionExpression>();
      const ScalarCall call{context, function.data.get(), function.type()};
      function.function.kernel(call, inputs, result);
      return;
    }
    case ExpressionKind::kCast: {
      const auto& cast = expression.As<CastExpression>();
      const CastCall call{context, cast.child->type(), cast.type(), cast.is_try};
      cast.function.kernel(call, inputs.column(0), count, result);
      return;
    }
    case ExpressionKind::kComparison:
      CompareVectors(context.kernels, expression.As<ComparisonExpression>().op, inputs.column(0),
                     inputs.column(1), count, result);
      return;
    case ExpressionKind::kNot: NegateVector(inputs.column(0), count, result); return;
    case ExpressionKind::kIsNull:
      TestNull(inputs.column(0), expression.As<IsNullExpression>().negated, count, result);
      return;
    case ExpressionKind::kInList:
      in_list->Match(inputs.column(0), count, expression.As<InListExpression>().negated, result);
      return;
    default: ThrowInternal("not a call");
  }
}

bool ExpressionExecutor::Node::EvaluateByEntry(size_t count, Vector& result) {
  // An entry that no row uses must neither raise an error nor have a side effect.
  if (can_fail || !is_deterministic) return false;
  const Vector* leader = nullptr;
  for (size_t i = 0; i < children.size(); i++) {
    const Vector& argument = arguments.column(i);
    if (argument.is_constant()) continue;
    if (argument.kind() != VectorKind::kDictionary) return false;
    if (leader != nullptr && (leader->selection() != argument.selection() ||
                              leader->dictionary().size != argument.dictionary().size)) {
      return false;
    }
    leader = &argument;
  }
  if (leader == nullptr) return false;
  const Dictionary& dictionary = leader->dictionary();
  const size_t size = dictionary.size;
  // Only if it saves work: there are fewer entries than rows. A non-distinct dictionary is a filtered flat
  // vector, whose contiguous values are faster for the kernels if the filter passed most rows.
  if (size == 0 || size > kVectorSize || (dictionary.is_distinct ? size > count : count * 2 < size))
    return false;
  const bool single =
      children.size() == 1 || std::count_if(arguments.columns().begin(), arguments.columns().end(),
                                            [](const Vector& v) { return !v.is_constant(); }) == 1;
  // Only an argument that reads no column is certain to be the same constant in the next chunk.
  bool others_never_change = true;
  for (size_t i = 0; i < children.size(); i++) {
    others_never_change =
        others_never_change && (!arguments.column(i).is_constant() || children[i]->used_columns.empty());
  }
  const bool cacheable =
      dictionary.is_distinct && single && others_never_change && dictionary.owner != nullptr;
  if (!cacheable || cached_for != dictionary.owner || cached_data != dictionary.data) {
    for (size_t i = 0; i < children.size(); i++) {
      const Vector& argument = arguments.column(i);
      if (argument.is_constant()) {
        dictionary_arguments.column(i).Reference(argument);
      } else {
        dictionary_arguments.column(i).ReferenceFlat(
            argument.dictionary().data, argument.dictionary().validity, argument.dictionary().owner);
      }
    }
    dictionary_arguments.SetSize(size);
    // Invalidate the cache first: if the kernel throws, entry_result is incomplete.
    cached_for = nullptr;
    entry_result->Reset();
    CallKernel(dictionary_arguments, *entry_result);
    entry_result->Flatten(size);
    cached_for = cacheable ? dictionary.owner : nullptr;
    cached_data = dictionary.data;
  }
  Dictionary entries{entry_result->Data<std::byte>(), entry_result->Validity(), size,
                     entry_result->SharedMemory(), false};
  result.ReferenceDictionary(std::move(entries), leader->selection());
  return true;
}

}  // namespace scaup
