// Binds calls with OVER: where they are allowed, their arguments and their windows.
#include <fmt/format.h>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/expression/window_frame.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/null_order.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowWindowing(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError, message, position);
}

/// A window definition merged with those it extends. Borrowed from the syntax tree.
struct WindowParts {
  const std::vector<ast::ExpressionPtr>* partition_by;
  const std::vector<ast::OrderByItem>* order_by;
  const std::optional<ast::WindowFrame>* frame;
};

/// Adds the clauses of `syntax` to the definition that it extends.
void Extend(WindowParts& parts, const ast::WindowSpecification& syntax) {
  if (!syntax.partition_by.empty()) {
    ThrowWindowing(fmt::format("cannot override PARTITION BY clause of window \"{}\"", syntax.base),
                   syntax.position);
  }
  if (!syntax.order_by.empty() && !parts.order_by->empty()) {
    ThrowWindowing(fmt::format("cannot override ORDER BY clause of window \"{}\"", syntax.base),
                   syntax.position);
  }
  if (parts.frame->has_value()) {
    const bool adds_nothing = syntax.order_by.empty() && !syntax.frame;
    ThrowWindowing(fmt::format("cannot copy window \"{}\" because it has a frame clause{}", syntax.base,
                               adds_nothing ? "; omit the parentheses in this OVER clause" : ""),
                   syntax.position);
  }
  if (!syntax.order_by.empty()) parts.order_by = &syntax.order_by;
  parts.frame = &syntax.frame;
}

/// Merges a definition with its base windows. Only the first `visible` definitions of the WINDOW clause may
/// be referred to, and each of them may refer only to earlier ones.
WindowParts ResolveWindow(const std::vector<ast::WindowSpecification>* windows, size_t visible,
                          const ast::WindowSpecification& syntax) {
  std::vector<const ast::WindowSpecification*> chain = {&syntax};
  while (!chain.back()->base.empty()) {
    const ast::WindowSpecification& last = *chain.back();
    size_t index = 0;
    while (index < visible && (*windows)[index].name != last.base) index++;
    if (index == visible) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
                 fmt::format("window \"{}\" does not exist", last.base), last.position);
    }
    chain.push_back(&(*windows)[index]);
    visible = index;
  }
  const ast::WindowSpecification& root = *chain.back();
  WindowParts parts{&root.partition_by, &root.order_by, &root.frame};
  for (size_t i = chain.size() - 1; i-- > 0;) {
    if (!chain[i]->is_reference) Extend(parts, *chain[i]);
  }
  return parts;
}

/// Returns true for functions that depend on the whole partition, whatever the frame is.
bool IgnoresFrame(WindowFunctionKind function) {
  switch (function) {
    case WindowFunctionKind::kAggregate:
    case WindowFunctionKind::kFirstValue:
    case WindowFunctionKind::kLastValue:
    case WindowFunctionKind::kNthValue: return false;
    case WindowFunctionKind::kRowNumber:
    case WindowFunctionKind::kRank:
    case WindowFunctionKind::kDenseRank:
    case WindowFunctionKind::kPercentRank:
    case WindowFunctionKind::kCumeDist:
    case WindowFunctionKind::kNtile:
    case WindowFunctionKind::kLag:
    case WindowFunctionKind::kLead: return true;
  }
  return true;
}

/// Returns whether the function returns a value of another row.
bool ReturnsValue(WindowFunctionKind function) {
  return function == WindowFunctionKind::kLag || function == WindowFunctionKind::kLead ||
         function == WindowFunctionKind::kFirstValue || function == WindowFunctionKind::kLastValue ||
         function == WindowFunctionKind::kNthValue;
}

[[noreturn]] void ThrowNoSuchCall(const WindowFunction& function, const std::vector<ExpressionPtr>& arguments,
                                  size_t position) {
  std::string types;
  for (const auto& argument : arguments)
    types += (types.empty() ? "" : ", ") + PostgresTypeName(argument->type());
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("function {}({}) does not exist; there is: {}({})", function.name, types,
                         function.name, function.argument_types),
             position);
}

/// Converts an argument that is a number of rows.
void CoerceCount(BindSession& session, const WindowFunction& function, std::vector<ExpressionPtr>& arguments,
                 size_t index, size_t position) {
  ExpressionPtr& argument = arguments[index];
  if (!IsUntyped(*argument) && !argument->type().IsInteger()) ThrowNoSuchCall(function, arguments, position);
  argument = Coerce(session, std::move(argument), TypeId::kBigInt);
}

void BindFrame(ExpressionBinder& binder, const ast::WindowFrame& syntax, WindowExpression& window) {
  WindowFrame& frame = window.frame;
  frame.unit = syntax.unit;
  frame.exclusion = syntax.exclusion;
  const auto bind = [&](const ast::WindowFrameBound& from, WindowFrameBound& to) {
    to.kind = from.kind;
    if (from.offset)
      to.offset = ExpressionBinder(binder.session(), binder.level(), Clause::kWindowFrame).Bind(*from.offset);
  };
  bind(syntax.start, frame.start);
  bind(syntax.end, frame.end);
  SettleFrame(binder.session(), window);
}

void BindWindowDefinition(ExpressionBinder& binder, const ast::WindowSpecification& syntax,
                          WindowExpression& window) {
  const size_t visible = binder.level().windows == nullptr ? 0 : binder.level().windows->size();
  const WindowParts parts = ResolveWindow(binder.level().windows, visible, syntax);
  {
    const auto stay = binder.place().Enter(Enclosing::kWindowDefinition);
    for (const auto& key : *parts.partition_by)
      window.partition_by.push_back(CollationKeyOf(
          binder.session(), NormalOf(binder.session(), binder.BindSettled(*key)), KeyUse::kEquality));
    for (const ast::OrderByItem& item : *parts.order_by) {
      window.order_by.push_back({OrderOf(binder.session(), binder.BindSettled(*item.expression)),
                                 item.descending, NullsComeFirst(binder.session(), item)});
    }
  }
  if (!parts.frame->has_value()) return;
  // The frame is bound even if the function ignores it, so that errors in it are found.
  BindFrame(binder, **parts.frame, window);
  if (IgnoresFrame(window.function)) window.frame = WindowFrame();
}

/// Normalizes the arguments of DISTINCT, by which the planner will partition, and refuses what it cannot
/// plan.
void SettleDistinct(BindSession& session, WindowExpression& window) {
  for (ExpressionPtr& argument : window.arguments) argument = NormalOf(session, std::move(argument));
  if (window.frame.exclusion != FrameExclusion::kNoOthers)
    ThrowNotSupported("DISTINCT is not supported in frames with EXCLUDE", *window.position);
  // Its rows are compared in several sorts, so what these sort must be the same each time.
  bool is_stable = !window.filter || IsDeterministicThroughout(*window.filter);
  for (const auto& argument : window.arguments) is_stable &= IsDeterministicThroughout(*argument);
  for (const auto& key : window.partition_by) is_stable &= IsDeterministicThroughout(*key);
  for (const SortKey& key : window.order_by) is_stable &= IsDeterministicThroughout(*key.expression);
  if (is_stable) return;
  ThrowNotSupported(
      "DISTINCT in a window function is not supported with volatile functions; compute their "
      "values in a subquery",
      *window.position);
}

/// Binds a call of an aggregate function as a window function; count(*) is "count_star".
ExpressionPtr BindWindowAggregate(ExpressionBinder& binder, const ast::FunctionCall& call,
                                  const std::string& aggregate, const AggregateSource& source) {
  std::vector<ExpressionPtr> arguments, given;
  ExpressionPtr filter;
  std::vector<SortKey> keys;
  {
    const auto stay = binder.place().Enter(Enclosing::kWindowCall);
    arguments = BindAll(binder, call.arguments);
    if (call.filter) filter = binder.BindBoolean(*call.filter, "FILTER");
    keys = BindAggregateOrder(binder, call);
  }
  if (!keys.empty()) given = SortedArguments(binder.session(), call, arguments);
  ExpressionPtr bound = MakeAggregateCall(binder.session(), aggregate, std::move(arguments), call.distinct,
                                          std::move(filter), call.position, &source);
  auto& parts = bound->As<AggregateExpression>();
  if (parts.function.is_ordered_set) {
    ThrowNotSupported(fmt::format("OVER is not supported for ordered-set aggregate {}", aggregate),
                      call.position);
  }
  if (!keys.empty()) SortAggregate(parts, given, std::move(keys));
  auto window = std::make_unique<WindowExpression>(WindowFunctionKind::kAggregate, parts.function.name,
                                                   parts.function.return_type);
  window->aggregate = std::move(parts.function);
  window->data = std::move(parts.data);
  window->arguments = std::move(parts.arguments);
  window->filter = std::move(parts.filter);
  window->distinct = parts.distinct;
  window->position = call.position;
  BindWindowDefinition(binder, *call.over, *window);
  if (window->distinct) SettleDistinct(binder.session(), *window);
  return window;
}

ExpressionPtr BindWindowFunction(ExpressionBinder& binder, const ast::FunctionCall& call,
                                 const WindowFunction& function) {
  if (call.filter) {
    ThrowNotSupported("FILTER is not implemented for non-aggregate window functions", call.position);
  }
  std::vector<ExpressionPtr> arguments;
  {
    const auto stay = binder.place().Enter(Enclosing::kWindowCall);
    arguments = BindAll(binder, call.arguments);
  }
  if (arguments.size() < function.least_arguments || arguments.size() > function.most_arguments) {
    ThrowNoSuchCall(function, arguments, call.position);
  }
  LogicalType type = function.return_type;
  if (function.kind == WindowFunctionKind::kNtile) {
    CoerceCount(binder.session(), function, arguments, 0, call.position);
  } else if (!arguments.empty()) {
    std::vector<ExpressionPtr*> values = {&arguments[0]};
    if (arguments.size() == 3) values.push_back(&arguments[2]);
    FitTogether(binder.session(), values);
    CommonTypeFinder finder(function.name);
    finder.Add(*arguments[0]);
    if (arguments.size() == 3) finder.Add(*arguments[2]);
    type = finder.type().id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : finder.type();
    arguments[0] = Coerce(binder.session(), std::move(arguments[0]), type);
    if (arguments.size() > 1) CoerceCount(binder.session(), function, arguments, 1, call.position);
    if (arguments.size() == 3) arguments[2] = Coerce(binder.session(), std::move(arguments[2]), type);
  }
  auto window = std::make_unique<WindowExpression>(function.kind, function.name, type);
  window->arguments = std::move(arguments);
  window->ignores_nulls = call.ignores_nulls;
  window->position = call.position;
  BindWindowDefinition(binder, *call.over, *window);
  return window;
}

}  // namespace

ExpressionPtr BindWindow(ExpressionBinder& binder, const ast::FunctionCall& call, const std::string& name,
                         const AggregateSource& source) {
  binder.place().CheckWindowCall(call.position);
  const auto& registry = source.registry;
  const WindowFunction* function = FindWindowFunction(name);
  const std::string aggregate = call.star ? "count_star" : name;
  const bool is_aggregate =
      !registry.AggregateOverloads(aggregate).empty() && (!call.star || name == "count");
  if (function == nullptr && !is_aggregate && !registry.ScalarOverloads(name).empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("OVER specified, but {} is not a window function nor an aggregate function", name),
               call.position);
  }
  if (call.ignores_nulls && (function == nullptr || !ReturnsValue(function->kind))) {
    ThrowNotSupported(
        fmt::format("IGNORE NULLS is only for lag, lead, first_value, last_value and nth_value, "
                    "not for {}",
                    name),
        call.position);
  }
  if (function == nullptr) return BindWindowAggregate(binder, call, aggregate, source);
  if (call.distinct) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("DISTINCT specified, but {} is not an aggregate function", name), call.position);
  }
  if (!call.order_by.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("ORDER BY specified, but {} is not an aggregate function", name), call.position);
  }
  return BindWindowFunction(binder, call, *function);
}

void CheckWindow(ExpressionBinder& binder, const ast::WindowSpecification& window) {
  ResolveWindow(binder.level().windows, static_cast<size_t>(&window - binder.level().windows->data()),
                window);
  WindowExpression function(WindowFunctionKind::kFirstValue, "first_value", TypeId::kBigInt);
  BindWindowDefinition(binder, window, function);
}

}  // namespace scaup
