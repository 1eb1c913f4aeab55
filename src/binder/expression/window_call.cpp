// Binds calls with OVER: where they are allowed, their arguments and their windows.
#include <fmt/format.h>

#include "binder/expression/window_frame.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowWindowing(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError, message, position);
}

bool AllowsWindows(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kOrderBy || clause == Clause::kDistinctOn;
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

}  // namespace

ExpressionPtr ExpressionBinder::BindWindow(const ast::FunctionCall& call, const std::string& name) {
  if (in_aggregate_) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "aggregate function calls cannot contain window function calls", call.position);
  }
  if (in_window_) ThrowWindowing("window function calls cannot be nested", call.position);
  if (in_window_definition_) {
    ThrowWindowing("window functions are not allowed in window definitions", call.position);
  }
  if (!AllowsWindows(clause_)) {
    ThrowWindowing(fmt::format("window functions are not allowed in {}", ClauseName(clause_)), call.position);
  }
  if (call.distinct) ThrowNotSupported("DISTINCT is not implemented for window functions", call.position);
  if (!call.order_by.empty()) {
    ThrowNotSupported("aggregate ORDER BY is not implemented for window functions", call.position);
  }
  const auto& registry = session_.context().registry;
  const WindowFunction* function = FindWindowFunction(name);
  const std::string aggregate = call.star ? "count_star" : name;
  const bool is_aggregate =
      !registry.AggregateOverloads(aggregate).empty() && (!call.star || name == "count");
  if (function == nullptr && !is_aggregate && !registry.ScalarOverloads(name).empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("OVER specified, but {} is not a window function nor an aggregate function", name),
               call.position);
  }
  if (function != nullptr) return BindWindowFunction(call, *function);
  in_window_ = true;
  std::vector<ExpressionPtr> arguments;
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
  ExpressionPtr filter = call.filter ? BindBoolean(*call.filter, "FILTER") : nullptr;
  in_window_ = false;
  ExpressionPtr bound =
      MakeAggregateCall(session_, aggregate, std::move(arguments), false, std::move(filter), call.position);
  auto& parts = bound->As<AggregateExpression>();
  if (parts.function.is_ordered_set) {
    ThrowNotSupported(fmt::format("OVER is not supported for ordered-set aggregate {}", name), call.position);
  }
  auto window = std::make_unique<WindowExpression>(WindowFunctionKind::kAggregate, parts.function.name,
                                                   parts.function.return_type);
  window->aggregate = std::move(parts.function);
  window->data = std::move(parts.data);
  window->arguments = std::move(parts.arguments);
  window->filter = std::move(parts.filter);
  window->position = call.position;
  BindWindowDefinition(*call.over, *window);
  return window;
}

ExpressionPtr ExpressionBinder::BindWindowFunction(const ast::FunctionCall& call,
                                                   const WindowFunction& function) {
  if (call.filter) {
    ThrowNotSupported("FILTER is not implemented for non-aggregate window functions", call.position);
  }
  in_window_ = true;
  std::vector<ExpressionPtr> arguments;
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
  in_window_ = false;
  if (arguments.size() < function.least_arguments || arguments.size() > function.most_arguments) {
    ThrowNoSuchCall(function, arguments, call.position);
  }
  LogicalType type = function.return_type;
  if (function.kind == WindowFunctionKind::kNtile) {
    CoerceCount(session_, function, arguments, 0, call.position);
  } else if (!arguments.empty()) {
    std::vector<ExpressionPtr*> values = {&arguments[0]};
    if (arguments.size() == 3) values.push_back(&arguments[2]);
    FitTogether(session_, values);
    CommonTypeFinder finder(function.name);
    finder.Add(*arguments[0]);
    if (arguments.size() == 3) finder.Add(*arguments[2]);
    type = finder.type().id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : finder.type();
    arguments[0] = Coerce(session_, std::move(arguments[0]), type);
    if (arguments.size() > 1) CoerceCount(session_, function, arguments, 1, call.position);
    if (arguments.size() == 3) arguments[2] = Coerce(session_, std::move(arguments[2]), type);
  }
  auto window = std::make_unique<WindowExpression>(function.kind, function.name, type);
  window->arguments = std::move(arguments);
  window->position = call.position;
  BindWindowDefinition(*call.over, *window);
  return window;
}

void ExpressionBinder::BindWindowDefinition(const ast::WindowSpecification& syntax,
                                            WindowExpression& window) {
  const size_t visible = level_.windows == nullptr ? 0 : level_.windows->size();
  const WindowParts parts = ResolveWindow(level_.windows, visible, syntax);
  in_window_definition_ = true;
  for (const auto& key : *parts.partition_by)
    window.partition_by.push_back(NormalOf(session_, BindSettled(*key)));
  for (const ast::OrderByItem& item : *parts.order_by) {
    window.order_by.push_back({OrderOf(session_, BindSettled(*item.expression)), item.descending,
                               item.nulls_first.value_or(item.descending)});
  }
  in_window_definition_ = false;
  if (!parts.frame->has_value()) return;
  // The frame is bound even if the function ignores it, so that errors in it are found.
  BindFrame(**parts.frame, window);
  if (IgnoresFrame(window.function)) window.frame = WindowFrame();
}

void ExpressionBinder::BindFrame(const ast::WindowFrame& syntax, WindowExpression& window) {
  WindowFrame& frame = window.frame;
  frame.unit = syntax.unit;
  frame.exclusion = syntax.exclusion;
  const auto bind = [&](const ast::WindowFrameBound& from, WindowFrameBound& to) {
    to.kind = from.kind;
    if (from.offset) to.offset = ExpressionBinder(session_, level_, Clause::kWindowFrame).Bind(*from.offset);
  };
  bind(syntax.start, frame.start);
  bind(syntax.end, frame.end);
  SettleFrame(session_, window);
}

void ExpressionBinder::CheckWindow(const ast::WindowSpecification& window) {
  ResolveWindow(level_.windows, static_cast<size_t>(&window - level_.windows->data()), window);
  WindowExpression function(WindowFunctionKind::kFirstValue, "first_value", TypeId::kBigInt);
  BindWindowDefinition(window, function);
}

}  // namespace scaup
