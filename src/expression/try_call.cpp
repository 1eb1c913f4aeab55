// Makes calls of try(), and evaluates them.
#include "expression/try_call.hpp"

#include <numeric>
#include <string_view>

#include "expression/expression_node.hpp"

namespace scaup {

namespace {

/// Marks calls of try(), which the executor evaluates itself.
void RunTry(const ScalarCall&, DataChunk&, Vector&) {
  ThrowInternal("try() was called without its expression");
}

}  // namespace

ExpressionPtr MakeTry(ExpressionPtr expression) {
  if (expression->kind() == ExpressionKind::kCast) {
    expression->As<CastExpression>().is_try = true;
    if (CannotFail(*expression)) return expression;
  }
  ScalarFunction function;
  function.name = "try";
  function.argument_types = {expression->type()};
  function.return_type = expression->type();
  function.kernel = &RunTry;
  function.nulls = NullHandling::kSpecial;
  function.can_fail = false;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(expression));
  return std::make_unique<FunctionExpression>(std::move(function), nullptr, std::move(arguments));
}

bool IsTry(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.kernel == &RunTry;
}

bool IsDataError(const Error& error) {
  // Data exceptions, and those raised by error().
  const std::string_view state = error.sqlstate();
  return state.starts_with("22") || state == sqlstate::kRaisedException;
}

void ExpressionExecutor::Node::EvaluateTry(DataChunk& input, Vector& result) {
  try {
    children[0]->Evaluate(input, result);
  } catch (const Error& error) {
    if (!IsDataError(error)) throw;
    result.Reset();
    EvaluateTryRows(input, 0, input.size(), result);
  }
}

/// Evaluates rows of which one fails at least: in halves, until those that fail are alone.
void ExpressionExecutor::Node::EvaluateTryRows(DataChunk& input, size_t begin, size_t end, Vector& result) {
  if (end - begin == 1) {
    result.SetNull(begin);
    return;
  }
  const size_t middle = begin + (end - begin) / 2;
  for (const auto& [first, last] : {std::pair(begin, middle), std::pair(middle, end)}) {
    const size_t count = last - first;
    const auto rows = std::make_shared<SelectionVector>();
    std::iota(rows->rows, rows->rows + count, static_cast<sel_t>(first));
    DataChunk half;
    SliceInput(input, rows, count, half);
    bool has_failed = false;
    try {
      children[0]->Evaluate(half, arguments.column(0));
    } catch (const Error& error) {
      if (!IsDataError(error)) throw;
      has_failed = true;
    }
    if (has_failed) {
      EvaluateTryRows(input, first, last, result);
      continue;
    }
    const UnifiedView values = arguments.column(0).View(count);
    for (size_t i = 0; i < count; i++) CopyRow(values, i, result, first + i);
  }
}

}  // namespace scaup
