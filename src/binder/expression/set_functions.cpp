// Set-returning functions, such as unnest(): binds their calls and extracts them from expressions.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/type_name.hpp"

namespace scaup {

const ScalarFunction* FindSetFunction(const BindSession& session, std::string_view name) {
  for (const ScalarFunction& function : session.context().registry.ScalarOverloads(name)) {
    if (function.returns_set) return &function;
  }
  return nullptr;
}

/// Flattens lists of lists, because unnest() returns the elements of the innermost lists.
static ExpressionPtr UnnestedList(BindSession& session, ExpressionPtr list, size_t position) {
  if (list->type().id() == TypeId::kMultirange) {
    const LogicalType ranges = LogicalType::List(list->type().element());
    return AddCast(std::move(list), ranges);
  }
  list = ReadAsList(session, std::move(list));
  if (list->type().id() != TypeId::kList || IsMap(list->type())) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedFunction,
        fmt::format("function unnest({}) does not exist; unnest takes lists", PostgresTypeName(list->type())),
        position);
  }
  if (list->type().element().id() != TypeId::kList || IsMap(list->type().element())) return list;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(list));
  return MakeScalarCall(session, "list_leaves", std::move(arguments), position);
}

std::vector<ExpressionPtr> BindSetCall(ExpressionBinder& binder, const ast::FunctionCall& call) {
  const std::string& name = call.name.back();
  if (call.star || call.distinct || call.filter || call.over || !call.order_by.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} is no aggregate or window function", name), call.position);
  }
  std::vector<ExpressionPtr> lists;
  if (name != kUnnestFunction) {
    lists.push_back(MakeScalarCall(binder.session(), name, BindAll(binder, call.arguments), call.position));
    return lists;
  }
  if (call.arguments.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "function unnest() does not exist; unnest takes lists", call.position);
  }
  for (ListedValue& listed : BindListed(binder, call.arguments)) {
    lists.push_back(UnnestedList(binder.session(), Settle(binder.session(), std::move(listed.value)),
                                 call.arguments[listed.source]->position));
  }
  return lists;
}

ExpressionPtr BindSetFunction(ExpressionBinder& binder, const ast::FunctionCall& call) {
  binder.place().CheckSetFunction(call.name.back(), call.position);
  std::vector<ExpressionPtr> lists = BindSetCall(binder, call);
  if (lists.size() > 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "unnest() of several lists can only stand in FROM", call.position);
  }
  return MakeScalarCall(binder.session(), kUnnestFunction, std::move(lists), call.position);
}

static bool IsSet(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.name == kUnnestFunction;
}

static void RefuseSets(const Expression& expression, const char* place) {
  CheckStack();
  if (IsSet(expression)) {
    ThrowNotSupported(fmt::format("set-returning functions are not allowed in {}; put them into FROM", place),
                      expression.position);
  }
  expression.ForEachChild([&](const Expression& child) { RefuseSets(child, place); });
}

void TakeSets(BindSession& session, BoundSets& sets, ExpressionPtr& expression) {
  CheckStack();
  if (!IsSet(*expression)) {
    const bool is_coalesce = expression->kind() == ExpressionKind::kFunction &&
                             expression->As<FunctionExpression>().function.name == "coalesce";
    // CASE and COALESCE evaluate their branches conditionally, but sets are computed for every row.
    if (expression->kind() == ExpressionKind::kCase || is_coalesce)
      RefuseSets(*expression, is_coalesce ? "COALESCE" : "CASE");
    expression->ForEachChild([&](ExpressionPtr& child) { TakeSets(session, sets, child); });
    return;
  }
  ExpressionPtr& list = expression->As<FunctionExpression>().arguments[0];
  RefuseSets(*list, "arguments of others");
  if (sets.lists.empty()) sets.table_index = session.NewTableIndex();
  // Equal calls share one list, unless they are volatile.
  const auto same = std::find_if(sets.lists.begin(), sets.lists.end(),
                                 [&](const ExpressionPtr& other) { return other->Equals(*list); });
  const auto index = static_cast<size_t>(same - sets.lists.begin());
  const bool is_new = same == sets.lists.end() || !IsDeterministicThroughout(*list);
  auto element = std::make_unique<ColumnRefExpression>(
      expression->type(), ColumnBinding{sets.table_index, is_new ? sets.lists.size() : index},
      kUnnestFunction);
  element->alias = expression->alias;
  element->position = expression->position;
  NoteDocumentColumn(session, element->As<ColumnRefExpression>().binding, *expression);
  if (is_new) sets.lists.push_back(std::move(list));
  expression = std::move(element);
}

}  // namespace scaup
