// Lists and rows in expressions: ARRAY[...], ROW(...), subscripts, fields, ANY and ALL, ARRAY(SELECT ...).
#include "binder/scope/nested_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

ExpressionPtr MakeConstant(Value value) { return std::make_unique<ConstantExpression>(std::move(value)); }

std::vector<ExpressionPtr> Two(ExpressionPtr first, ExpressionPtr second) {
  std::vector<ExpressionPtr> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

ExpressionPtr BoundOf(BindSession& session, ExpressionPtr bound, int64_t otherwise) {
  if (!bound) return MakeConstant(Value::BigInt(otherwise));
  return bound->type().IsInteger() ? std::move(bound) : Coerce(session, std::move(bound), TypeId::kBigInt);
}

/// Converts an array index of JSON, counted from 0 or from -1 at the end, to a list index, counted from 1.
ExpressionPtr PlaceInList(BindSession& session, ExpressionPtr place, const Expression& list) {
  const std::optional<size_t> position = place->position;
  const auto add = [&](ExpressionPtr a, ExpressionPtr b) {
    return MakeScalarCall(session, "+", Two(std::move(a), std::move(b)), position);
  };
  place = Coerce(session, std::move(place), TypeId::kBigInt);
  std::vector<ExpressionPtr> lists;
  lists.push_back(list.Clone());
  ExpressionPtr length = MakeScalarCall(session, "cardinality", std::move(lists), position);
  ExpressionPtr from_end = add(place->Clone(), Coerce(session, std::move(length), TypeId::kBigInt));
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({std::make_unique<ComparisonExpression>(ComparisonOp::kLess, place->Clone(),
                                                             MakeConstant(Value::BigInt(0))),
                      add(std::move(from_end), MakeConstant(Value::BigInt(1)))});
  return std::make_unique<CaseExpression>(TypeId::kBigInt, std::move(branches),
                                          add(std::move(place), MakeConstant(Value::BigInt(1))));
}

/// Returns whether the syntax is a path that is NULL because of the setting unknown_keys.
bool IsAbsentPath(const ast::Expression& syntax, const Expression& bound) {
  const bool is_path = syntax.kind == ast::ExpressionKind::kColumn ||
                       syntax.kind == ast::ExpressionKind::kSubscript ||
                       syntax.kind == ast::ExpressionKind::kField;
  return is_path && IsUntyped(bound) && bound.kind() == ExpressionKind::kConstant;
}

}  // namespace

ExpressionPtr MakeFieldAccess(BindSession& session, ExpressionPtr value, const std::string& name,
                              std::optional<size_t> position) {
  if (value->type().id() != TypeId::kStruct) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("column notation .{} applied to type {}, which is not a composite type", name,
                           PostgresTypeName(value->type())),
               position);
  }
  return MakeScalarCall(session, "struct_extract", Two(std::move(value), MakeConstant(Value::Varchar(name))),
                        position);
}

ExpressionPtr MakeMember(BindSession& session, ExpressionPtr value, const std::string& name,
                         std::optional<size_t> position) {
  if (FindPath(session, *value)) return ReadStep(session, std::move(value), {.key = name});
  if (IsDocumentValue(session, *value)) value = ReadAs(session, std::move(value), TypeId::kJson);
  if (!IsJson(value->type())) return MakeFieldAccess(session, std::move(value), name, position);
  return MakeScalarCall(session, "->", Two(std::move(value), MakeConstant(Value::Varchar(name))), position);
}

ExpressionPtr ExpressionBinder::BindArray(const ast::Array& array) {
  if (array.elements.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kIndeterminateDatatype,
               "cannot determine type of empty array; cast it to the one it has, as in ARRAY[]::INTEGER[]",
               array.position);
  }
  std::vector<ExpressionPtr> elements;
  elements.reserve(array.elements.size());
  for (const auto& element : array.elements) elements.push_back(Bind(*element));
  return MakeScalarCall(session_, "list_value", std::move(elements), array.position);
}

ExpressionPtr ExpressionBinder::BindArrayComparison(const ast::ArrayComparison& comparison) {
  const auto op = ComparisonFromSymbol(comparison.symbol);
  if (!op) {
    ThrowNotSupported(
        fmt::format("the operator {} is not supported with ANY and ALL over an array", comparison.symbol),
        comparison.position);
  }
  ExpressionPtr child = Bind(*comparison.child);
  ExpressionPtr array = Bind(*comparison.array);
  if (!FitExactElements(session_, child, array)) array = ReadForAny(session_, std::move(array), *child);
  if (array->type().id() == TypeId::kList && !IsDocumentValue(session_, *array))
    child = ReadLike(session_, std::move(child), array->type().element());
  if (IsUntyped(*array)) {
    child = Settle(session_, std::move(child));
    array = Coerce(session_, std::move(array), LogicalType::List(child->type()));
  }
  if (array->type().id() != TypeId::kList) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               "op ANY/ALL (array) requires array on right side", comparison.position);
  }
  const std::string name = std::string(ComparisonSymbol(*op)) + (comparison.is_any ? " any" : " all");
  return MakeScalarCall(session_, name, Two(std::move(child), std::move(array)), comparison.position);
}

ExpressionPtr ExpressionBinder::BindSubscript(const ast::Subscript& subscript) {
  ExpressionPtr child = Bind(*subscript.child);
  if (IsAbsentPath(*subscript.child, *child)) return child;
  const bool is_path = IsDocumentValue(session_, *child);
  if (is_path && !subscript.is_slice) return BindElement(std::move(child), subscript);
  if (is_path) child = ReadAsList(session_, std::move(child));
  if (child->type().id() != TypeId::kList) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("cannot subscript type {} because it does not support subscripting",
                           PostgresTypeName(child->type())),
               subscript.position);
  }
  std::vector<ExpressionPtr> arguments;
  const ExpressionPtr list = is_path ? child->Clone() : nullptr;
  arguments.push_back(std::move(child));
  if (subscript.is_slice) {
    if (subscript.child->kind == ast::ExpressionKind::kSubscript &&
        subscript.child->As<ast::Subscript>().is_slice) {
      ThrowNotSupported("slices of more than one dimension are not supported", subscript.position);
    }
    const auto bound = [&](const ast::ExpressionPtr& syntax, int64_t otherwise) {
      ExpressionPtr place = BoundOf(session_, syntax ? Bind(*syntax) : nullptr, otherwise);
      return syntax && list ? PlaceInList(session_, std::move(place), *list) : std::move(place);
    };
    arguments.push_back(bound(subscript.low, 1));
    arguments.push_back(bound(subscript.high, std::numeric_limits<int64_t>::max()));
  } else {
    arguments.push_back(BoundOf(session_, Bind(*subscript.index), 1));
  }
  return MakeScalarCall(session_, "array_subscript", std::move(arguments), subscript.position);
}

ExpressionPtr ExpressionBinder::BindElement(ExpressionPtr array, const ast::Subscript& subscript) {
  ExpressionPtr index = Bind(*subscript.index);
  if (!index->type().IsInteger()) index = Coerce(session_, std::move(index), TypeId::kBigInt);
  const bool is_constant =
      index->kind() == ExpressionKind::kConstant && !index->As<ConstantExpression>().value.is_null();
  if (is_constant && FindPath(session_, *array)) {
    const Value number = EvaluateForBinding(session_, *index, "subscripts");
    return ReadStep(session_, std::move(array), {.index = number.GetBigInt(), .is_element = true});
  }
  return MakeScalarCall(session_, "->",
                        Two(ReadAs(session_, std::move(array), TypeId::kJson),
                            Coerce(session_, std::move(index), TypeId::kInteger)),
                        subscript.position);
}

ExpressionPtr ExpressionBinder::BindField(const ast::Field& field) {
  ExpressionPtr child = Bind(*field.child);
  if (IsAbsentPath(*field.child, *child)) return child;
  return MakeMember(session_, std::move(child), field.name, field.position);
}

/// Makes a row whose fields have the given names instead of f1, f2, ...
static ExpressionPtr MakeNamedRow(BindSession& session, std::vector<ExpressionPtr> values,
                                  const std::vector<std::string>& names, size_t position) {
  ExpressionPtr result = MakeScalarCall(session, "row", std::move(values), position);
  std::vector<StructField> fields = result->type().fields();
  for (size_t i = 0; i < fields.size(); i++) fields[i].name = names[i];
  const LogicalType named = LogicalType::Struct(std::move(fields));
  result->As<FunctionExpression>().function.return_type = named;
  result->set_type(named);
  return result;
}

ExpressionPtr ExpressionBinder::BindWholeRow(ScopeTable row, size_t position) {
  if (row.is_value || row.documents) return std::move(row.columns[0].value);
  std::vector<ExpressionPtr> values;
  std::vector<std::string> names;
  for (ScopeColumn& column : row.columns) {
    values.push_back(std::move(column.value));
    names.push_back(std::move(column.name));
  }
  if (values.empty()) ThrowNotSupported("a row without columns is not supported as a value", position);
  return MakeNamedRow(session_, std::move(values), names, position);
}

ExpressionPtr ExpressionBinder::BindRow(const ast::Row& row) {
  if (row.values.empty()) ThrowNotSupported("ROW() without values is not supported", row.position);
  std::vector<ExpressionPtr> values;
  for (const auto& value : row.values) values.push_back(BindSettled(*value));
  if (row.names.empty()) return MakeScalarCall(session_, "row", std::move(values), row.position);
  for (const std::string& name : row.names) {
    if (std::count(row.names.begin(), row.names.end(), name) > 1) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("field \"{}\" specified more than once", name), row.position);
    }
  }
  return MakeNamedRow(session_, std::move(values), row.names, row.position);
}

ExpressionPtr ExpressionBinder::BindIsNull(const ast::IsNull& test) {
  ExpressionPtr child = BindSettled(*test.child);
  if (child->type().id() != TypeId::kStruct) {
    return std::make_unique<IsNullExpression>(std::move(child), test.negated);
  }
  // A row IS NULL if all of its fields are NULL, and IS NOT NULL if none is.
  std::vector<ExpressionPtr> parts;
  for (const StructField& field : child->type().fields()) {
    ExpressionPtr value = MakeFieldAccess(session_, Again(*test.child, *child), field.name, test.position);
    parts.push_back(std::make_unique<IsNullExpression>(std::move(value), test.negated));
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return std::make_unique<ConjunctionExpression>(true, std::move(parts));
}

/// Returns whether array_agg can be added to the query itself; otherwise a query around it is needed.
static bool TakesAggregate(BoundQuery& query) {
  if (query.kind != BoundQueryKind::kSelect || query.limit || query.offset) return false;
  auto& select = query.As<BoundSelect>();
  if (select.is_grouped || select.distinct || !select.sets.lists.empty() || !select.distinct_on.empty() ||
      !select.windows.empty())
    return false;
  return std::none_of(select.items.begin(), select.items.end(),
                      [](const ExpressionPtr& item) { return HasSubquery(*item); });
}

/// Makes SELECT * FROM (query), including hidden columns that only ORDER BY needs.
static std::unique_ptr<BoundSelect> SelectAll(BindSession& session, BoundQueryPtr query) {
  if (query->kind == BoundQueryKind::kSelect) {
    auto& inner = query->As<BoundSelect>();
    inner.table_index = inner.item_index;
    for (size_t i = inner.types.size(); i < inner.items.size(); i++) {
      inner.types.push_back(inner.items[i]->type());
      inner.names.push_back(inner.items[i]->ToString());
    }
  }
  // References to outer levels now cross one more query.
  ForEachOuterReference(*query, [](ColumnRefExpression& column, size_t) { column.outer_level++; });
  auto select = std::make_unique<BoundSelect>();
  for (size_t i = 0; i < query->types.size(); i++) {
    select->items.push_back(std::make_unique<ColumnRefExpression>(
        query->types[i], ColumnBinding{query->table_index, i}, query->names[i]));
  }
  select->order_by = query->order_by;
  select->table_index = select->item_index = session.NewTableIndex();
  select->from = std::make_unique<BoundQueryTable>(std::move(query));
  return select;
}

ExpressionPtr ExpressionBinder::BindArraySubquery(std::unique_ptr<BoundQuery> query, size_t position) {
  const LogicalType list = LogicalType::List(query->types[0]);
  if (!TakesAggregate(*query)) query = SelectAll(session_, std::move(query));
  auto& select = query->As<BoundSelect>();
  std::vector<SortKey> keys;
  for (const BoundOrder& key : select.order_by)
    keys.push_back({select.items[key.column]->Clone(), key.descending, key.nulls_first});
  std::vector<ExpressionPtr> argument, given;
  given.push_back(select.items[0]->Clone());
  argument.push_back(std::move(select.items[0]));
  ExpressionPtr aggregate =
      MakeAggregateCall(session_, "array_agg", std::move(argument), false, nullptr, position);
  SortAggregate(aggregate->As<AggregateExpression>(), given, std::move(keys));
  select.is_grouped = true;
  select.group_index = session_.NewTableIndex();
  select.aggregate_index = session_.NewTableIndex();
  ExpressionPtr item = std::make_unique<ColumnRefExpression>(
      // array_agg over no rows is NULL, but ARRAY(SELECT ...) is an empty array.
      aggregate->type(), ColumnBinding{select.aggregate_index, 0}, "array_agg");
  select.aggregates.push_back(std::move(aggregate));
  item = MakeScalarCall(session_, "coalesce",
                        Two(std::move(item), MakeConstant(Value::List(list.element(), {}))), position);
  item->alias = "array";
  select.items.clear();
  select.items.push_back(std::move(item));
  select.names = {"array"};
  select.types = {list};
  select.order_by.clear();
  select.table_index = select.item_index;
  return std::make_unique<SubqueryExpression>(SubqueryKind::kScalar, list, std::move(query));
}

}  // namespace scaup
