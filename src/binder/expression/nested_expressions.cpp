// Lists and rows in expressions: ARRAY[...], ROW(...), subscripts, fields, ANY and ALL.
#include "binder/scope/nested_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "common/throw.hpp"
#include "type/text/json_text.hpp"
#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

ExpressionPtr BoundOf(BindSession& session, ExpressionPtr bound, int64_t otherwise) {
  if (!bound) return MakeConstant(Value::BigInt(otherwise));
  return bound->type().IsInteger() ? std::move(bound) : Coerce(session, std::move(bound), TypeId::kBigInt);
}

/// Converts an array index of JSON, counted from 0 or from -1 at the end, to a list index, counted from 1.
ExpressionPtr PlaceInList(BindSession& session, ExpressionPtr place, const Expression& list) {
  const std::optional<size_t> position = place->position;
  const auto add = [&](ExpressionPtr a, ExpressionPtr b) {
    return MakeScalarCall(session, "+", PairOf(std::move(a), std::move(b)), position);
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

/// Makes a list. The elements of a list of regclass or the like keep that type, which is one of numbers.
ExpressionPtr MakeList(BindSession& session, std::vector<ExpressionPtr> elements, size_t position) {
  const LogicalType first = elements[0]->type();
  const bool are_objects =
      ObjectNumberOf(first) != ObjectNumber::kNone &&
      std::all_of(elements.begin(), elements.end(), [&](const ExpressionPtr& element) {
        return element->type() == first && ObjectNumberOf(element->type()) == ObjectNumberOf(first);
      });
  ExpressionPtr list = MakeScalarCall(session, "list_value", std::move(elements), position);
  if (are_objects) list->set_type(LogicalType::List(first));
  return list;
}

}  // namespace

ExpressionPtr MakeFieldAccess(BindSession& session, ExpressionPtr value, const std::string& name,
                              std::optional<size_t> position) {
  const bool is_union = IsUnion(value->type());
  if (value->type().id() != TypeId::kStruct) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("column notation .{} applied to type {}, which is not a composite type", name,
                           PostgresTypeName(value->type())),
               position);
  }
  return MakeScalarCall(session, is_union ? "union_extract" : "struct_extract",
                        PairOf(std::move(value), MakeConstant(Value::Varchar(name))), position);
}

ExpressionPtr MakeMember(BindSession& session, ExpressionPtr value, const std::string& name,
                         std::optional<size_t> position) {
  if (FindPath(session, *value)) return ReadStep(session, std::move(value), {.key = name});
  if (IsDocumentValue(session, *value)) value = ReadAs(session, std::move(value), TypeId::kJson);
  if (!IsJson(value->type())) return MakeFieldAccess(session, std::move(value), name, position);
  return MakeScalarCall(session, "->", PairOf(std::move(value), MakeConstant(Value::Varchar(name))),
                        position);
}

ExpressionPtr BindArray(ExpressionBinder& binder, const ast::Array& array) {
  if (array.elements.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kIndeterminateDatatype,
               "cannot determine type of empty array; cast it to the one it has, as in ARRAY[]::INTEGER[]",
               array.position);
  }
  if (array.spread == ast::Array::Spread::kNone)
    return MakeList(binder.session(), BindAll(binder, array.elements), array.position);
  std::vector<ExpressionPtr> elements;
  for (const auto& element : array.elements) {
    const bool is_spread = element->kind == ast::ExpressionKind::kFunctionCall &&
                           IsColumnsCall(element->As<ast::FunctionCall>());
    if (!is_spread) {
      elements.push_back(binder.Bind(*element));
      continue;
    }
    for (ListedValue& column : SpreadColumns(binder, element->As<ast::FunctionCall>())) {
      elements.push_back(array.spread == ast::Array::Spread::kNames
                             ? MakeConstant(Value::Varchar(column.column))
                             : std::move(column.value));
    }
  }
  return MakeScalarCall(binder.session(), "list_value", std::move(elements), array.position);
}

ExpressionPtr BindArrayComparison(ExpressionBinder& binder, const ast::ArrayComparison& comparison) {
  const auto op = ComparisonFromSymbol(comparison.symbol);
  if (!op) {
    ThrowNotSupported(
        fmt::format("the operator {} is not supported with ANY and ALL over an array", comparison.symbol),
        comparison.position);
  }
  ExpressionPtr child = binder.Bind(*comparison.child);
  ExpressionPtr array = binder.Bind(*comparison.array);
  if (!FitExactElements(binder.session(), child, array))
    array = ReadForAny(binder.session(), std::move(array), *child);
  if (array->type().id() == TypeId::kList && !IsDocumentValue(binder.session(), *array))
    child = ReadLike(binder.session(), std::move(child), array->type().element());
  if (IsUntyped(*array)) {
    child = Settle(binder.session(), std::move(child));
    array = Coerce(binder.session(), std::move(array), LogicalType::List(child->type()));
  }
  if (array->type().id() != TypeId::kList || IsMap(array->type())) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               "op ANY/ALL (array) requires array on right side", comparison.position);
  }
  const std::string name = std::string(ComparisonSymbol(*op)) + (comparison.is_any ? " any" : " all");
  return MakeScalarCall(binder.session(), name, PairOf(std::move(child), std::move(array)),
                        comparison.position);
}

/// Binds the access to an array element in a document. Elements are counted from 0, as usual in JSON.
static ExpressionPtr BindElement(ExpressionBinder& binder, ExpressionPtr array,
                                 const ast::Subscript& subscript) {
  ExpressionPtr index = binder.Bind(*subscript.index);
  if (!index->type().IsInteger()) index = Coerce(binder.session(), std::move(index), TypeId::kBigInt);
  const bool is_constant =
      index->kind() == ExpressionKind::kConstant && !index->As<ConstantExpression>().value.is_null();
  if (is_constant && FindPath(binder.session(), *array)) {
    const Value number = EvaluateForBinding(binder.session(), *index, "subscripts");
    return ReadStep(binder.session(), std::move(array), {.index = number.GetBigInt(), .is_element = true});
  }
  return MakeScalarCall(binder.session(), "->",
                        PairOf(ReadAs(binder.session(), std::move(array), TypeId::kJson),
                               Coerce(binder.session(), std::move(index), TypeId::kInteger)),
                        subscript.position);
}

/// Binds value['key'] and value[index] of JSON, which are value -> 'key' and value -> index.
static ExpressionPtr BindJsonPart(ExpressionBinder& binder, ExpressionPtr value,
                                  const ast::Subscript& subscript) {
  if (subscript.is_slice) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("{} subscript does not support slices", PostgresTypeName(value->type())),
               subscript.position);
  }
  ExpressionPtr part = binder.BindSettled(*subscript.index);
  if (part->type().id() != TypeId::kVarchar)
    part = Coerce(binder.session(), std::move(part), TypeId::kInteger);
  return MakeScalarCall(binder.session(), "->", PairOf(std::move(value), std::move(part)),
                        subscript.position);
}

/// Binds map[key], the value of a key.
static ExpressionPtr BindEntry(ExpressionBinder& binder, ExpressionPtr map, const ast::Subscript& subscript) {
  if (subscript.is_slice) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("type {} is subscripted by one key; it does not support slices",
                           PostgresTypeName(map->type())),
               subscript.position);
  }
  return MakeScalarCall(binder.session(), "map_extract_value",
                        PairOf(std::move(map), binder.Bind(*subscript.index)), subscript.position);
}

ExpressionPtr BindSubscript(ExpressionBinder& binder, const ast::Subscript& subscript) {
  ExpressionPtr child = binder.Bind(*subscript.child);
  if (IsAbsentPath(*subscript.child, *child)) return child;
  const bool is_path = IsDocumentValue(binder.session(), *child);
  if (is_path && !subscript.is_slice) return BindElement(binder, std::move(child), subscript);
  const TypeId id = child->type().id();
  if (!is_path && (id == TypeId::kJson || id == TypeId::kJsonb))
    return BindJsonPart(binder, std::move(child), subscript);
  if (is_path) child = ReadAsList(binder.session(), std::move(child));
  if (IsMap(child->type())) return BindEntry(binder, std::move(child), subscript);
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
      ExpressionPtr place = BoundOf(binder.session(), syntax ? binder.Bind(*syntax) : nullptr, otherwise);
      return syntax && list ? PlaceInList(binder.session(), std::move(place), *list) : std::move(place);
    };
    arguments.push_back(bound(subscript.low, 1));
    arguments.push_back(bound(subscript.high, std::numeric_limits<int64_t>::max()));
  } else {
    arguments.push_back(BoundOf(binder.session(), binder.Bind(*subscript.index), 1));
  }
  return MakeScalarCall(binder.session(), "array_subscript", std::move(arguments), subscript.position);
}

ExpressionPtr BindField(ExpressionBinder& binder, const ast::Field& field) {
  ExpressionPtr child = binder.Bind(*field.child);
  if (IsAbsentPath(*field.child, *child)) return child;
  return MakeMember(binder.session(), std::move(child), field.name, field.position);
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

ExpressionPtr MakeWholeRow(BindSession& session, ScopeTable row, size_t position) {
  if (row.is_value || row.documents) return std::move(row.columns[0].value);
  std::vector<ExpressionPtr> values;
  std::vector<std::string> names;
  for (ScopeColumn& column : row.columns) {
    values.push_back(std::move(column.value));
    names.push_back(std::move(column.name));
  }
  if (values.empty()) ThrowNotSupported("a row without columns is not supported as a value", position);
  return MakeNamedRow(session, std::move(values), names, position);
}

ExpressionPtr BindRow(ExpressionBinder& binder, const ast::Row& row) {
  if (row.values.empty()) ThrowNotSupported("ROW() without values is not supported", row.position);
  std::vector<ExpressionPtr> values;
  std::vector<std::string> names;
  for (ListedValue& listed : BindListed(binder, row.values)) {
    values.push_back(Settle(binder.session(), std::move(listed.value)));
    if (row.names.empty()) continue;
    names.push_back(listed.column.empty() ? row.names[listed.source] : std::move(listed.column));
  }
  if (row.names.empty()) return MakeScalarCall(binder.session(), "row", std::move(values), row.position);
  for (const std::string& name : names) {
    if (std::count(names.begin(), names.end(), name) > 1) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("field \"{}\" specified more than once", name), row.position);
    }
  }
  return MakeNamedRow(binder.session(), std::move(values), names, row.position);
}

}  // namespace scaup
