// Binds COLUMNS(...): the expression around it is bound once for each column that it stands for;
// *COLUMNS(...) is as many values of a list.
#include <fmt/format.h>

#include <algorithm>

#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/star_columns.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns all columns of FROM, or those of the table in front of COLUMNS.
std::vector<StarColumn> AllColumns(ExpressionBinder& binder, const ast::FunctionCall& call) {
  ast::Star star;
  star.qualifier.assign(call.name.begin(), call.name.end() - 1);
  star.position = call.position;
  return ColumnsOfStar(binder.level(), star);
}

/// Returns the elements of a constant list of texts.
std::vector<std::string> NamesIn(const Value& list, size_t position) {
  std::vector<std::string> names;
  for (const Value& element : list.GetElements()) {
    if (element.is_null() || element.type().id() != TypeId::kVarchar)
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 "the list of COLUMNS must have names of columns", position);
    names.push_back(element.GetString());
  }
  return names;
}

bool Matches(BindSession& session, const std::string& name, const Value& pattern) {
  std::vector<ExpressionPtr> arguments = PairOf(std::make_unique<ConstantExpression>(Value::Varchar(name)),
                                                std::make_unique<ConstantExpression>(pattern));
  const ExpressionPtr call = MakeScalarCall(session, "regexp_like", std::move(arguments), std::nullopt);
  return EvaluateForBinding(session, *call, "the pattern of COLUMNS") == Value::Boolean(true);
}

std::vector<StarColumn> ColumnsOf(ExpressionBinder& binder, const ast::FunctionCall& call) {
  if (call.star) return AllColumns(binder, call);
  const ast::Expression& argument = *call.arguments[0];
  if (argument.kind == ast::ExpressionKind::kStar)
    return ColumnsOfStar(binder.level(), argument.As<ast::Star>());
  const Value chosen =
      EvaluateForBinding(binder.session(), *binder.BindSettled(argument), "the argument of COLUMNS");
  std::vector<StarColumn> all = AllColumns(binder, call), found;
  if (chosen.is_null() || (chosen.type().id() != TypeId::kVarchar && chosen.type().id() != TypeId::kList)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               "COLUMNS takes *, a pattern for names of columns, or a list of names", argument.position);
  }
  if (chosen.type().id() == TypeId::kVarchar) {
    for (StarColumn& column : all) {
      if (Matches(binder.session(), column.name, chosen)) found.push_back(std::move(column));
    }
    return found;
  }
  for (const std::string& name : NamesIn(chosen, argument.position)) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const StarColumn& c) { return c.value && c.name == name; });
    if (at == all.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" in COLUMNS does not exist, or is listed twice", name),
                 argument.position);
    }
    found.push_back(std::move(*at));
  }
  return found;
}

}  // namespace

bool IsColumnsCall(const ast::FunctionCall& call) {
  return call.name.back() == "columns" && (call.star || call.arguments.size() == 1) && !call.over &&
         !call.filter && !call.distinct && call.order_by.empty();
}

static ExpressionPtr BindColumn(ExpressionBinder& binder, StarColumn& column, size_t position) {
  if (column.replacement != nullptr) return binder.Bind(*column.replacement);
  column.value->position = position;
  return std::move(column.value);
}

static void RequireColumns(const std::vector<StarColumn>& columns, size_t position) {
  if (!columns.empty()) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn, "COLUMNS(...) matches no column", position);
}

std::vector<ListedValue> SpreadColumns(ExpressionBinder& binder, const ast::FunctionCall& call) {
  if (binder.level().scope == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kFeatureNotSupported,
               "COLUMNS(...) can only stand where columns of FROM can", call.position);
  }
  std::vector<StarColumn> columns = ColumnsOf(binder, call);
  RequireColumns(columns, call.position);
  std::vector<ListedValue> spread;
  for (StarColumn& column : columns)
    spread.push_back({BindColumn(binder, column, call.position), 0, column.name});
  return spread;
}

static bool IsUnpacked(const ast::Expression& value) {
  return value.kind == ast::ExpressionKind::kFunctionCall && value.As<ast::FunctionCall>().is_unpacked;
}

bool HasUnpacked(const std::vector<ast::ExpressionPtr>& list) {
  return std::any_of(list.begin(), list.end(), [](const auto& value) { return IsUnpacked(*value); });
}

std::vector<ListedValue> BindListed(ExpressionBinder& binder, const std::vector<ast::ExpressionPtr>& list) {
  std::vector<ListedValue> values;
  values.reserve(list.size());
  for (size_t i = 0; i < list.size(); i++) {
    if (!IsUnpacked(*list[i]) || !IsColumnsCall(list[i]->As<ast::FunctionCall>())) {
      values.push_back({binder.Bind(*list[i]), i});
      continue;
    }
    for (ListedValue& column : SpreadColumns(binder, list[i]->As<ast::FunctionCall>())) {
      column.source = i;
      values.push_back(std::move(column));
    }
  }
  return values;
}

std::vector<ExpressionPtr> BindAll(ExpressionBinder& binder, const std::vector<ast::ExpressionPtr>& list,
                                   bool is_settled) {
  std::vector<ExpressionPtr> values;
  values.reserve(list.size());
  for (ListedValue& listed : BindListed(binder, list)) {
    values.push_back(is_settled ? Settle(binder.session(), std::move(listed.value))
                                : std::move(listed.value));
  }
  return values;
}

ExpressionPtr BindColumns(ExpressionBinder& binder, const ast::FunctionCall& call) {
  if (call.is_unpacked) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kFeatureNotSupported,
        "*COLUMNS(...) stands for several values, so that it can only stand in lists of values: among "
        "the arguments of a function, in [...], {...}, ROW(...) and IN (...); COLUMNS(...) without the "
        "star makes the expression once for each column",
        call.position);
  }
  ColumnsExpansion* const expansion = binder.level().columns;
  if (expansion == nullptr || binder.level().scope == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kFeatureNotSupported,
               "COLUMNS(...) can stand in the SELECT list and in WHERE only", call.position);
  }
  std::vector<StarColumn> columns = ColumnsOf(binder, call);
  std::vector<std::string> names;
  for (const StarColumn& column : columns) names.push_back(column.name);
  RequireColumns(columns, call.position);
  if (expansion->names.empty()) expansion->names = names;
  if (expansion->names.size() != names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "every COLUMNS(...) of one expression must stand for as many columns as the first one",
               call.position);
  }
  return BindColumn(binder, columns[expansion->index], call.position);
}

}  // namespace scaup
