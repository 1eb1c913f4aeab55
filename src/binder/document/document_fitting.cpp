// Fits document values to the values they are used with: in comparisons, in one column, in function calls.
#include <algorithm>

#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "type/text/json_text.hpp"
#include "type/type_rules.hpp"

namespace scaup {

void FitCompared(BindSession& session, ExpressionPtr& left, ExpressionPtr& right) {
  const bool left_is_path = IsDocumentValue(session, *left);
  const bool right_is_path = IsDocumentValue(session, *right);
  if (!left_is_path && !right_is_path) return;
  const ValueClass left_class = ClassOf(*left), right_class = ClassOf(*right);
  const bool are_lists = left_class == ValueClass::kList && right_class == ValueClass::kList;
  if (!right_is_path) {
    left = ReadLike(session, std::move(left), *right);
  } else if (!left_is_path) {
    right = ReadLike(session, std::move(right), *left);
  } else if (are_lists && left->type() != right->type()) {
    left = ReadAs(session, std::move(left), TypeId::kJson);
    right = ReadAs(session, std::move(right), TypeId::kJson);
  } else if (left_class == right_class) {
    // Both sides have the same type.
  } else if (left_class == ValueClass::kJson) {
    // The side whose values all have one type decides the comparison. If both have several, it is the left
    // side.
    left = ReadLike(session, std::move(left), *right);
  } else {
    right = ReadLike(session, std::move(right), *left);
  }
  FitOrder(session, left, right);
}

void FitConcatenated(BindSession& session, ExpressionPtr& left, ExpressionPtr& right) {
  const auto is_mixed = [&](const Expression& value) { return IsMixedValue(session, value); };
  if (is_mixed(*left) && is_mixed(*right)) {
    left = ReadForCast(session, std::move(left), TypeId::kVarchar);
    right = ReadForCast(session, std::move(right), TypeId::kVarchar);
    return;
  }
  for (auto [value, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (ClassOf(**other) == ValueClass::kString)
      *value = ReadForCast(session, std::move(*value), TypeId::kVarchar);
    if (ClassOf(**other) == ValueClass::kList && is_mixed(**value))
      *value = ReadLike(session, std::move(*value), (*other)->type());
  }
}

void FitTogether(BindSession& session, std::span<ExpressionPtr* const> values) {
  bool has_path = false, differ = false;
  const Expression* wanted = nullptr;
  const LogicalType* first = nullptr;
  for (const ExpressionPtr* value : values) {
    const Expression& each = **value;
    if (IsDocumentValue(session, each)) {
      has_path = true;
      if (first == nullptr) first = &each.type();
      differ = differ || (each.type() != *first && !(each.type().IsNumeric() && first->IsNumeric()));
      continue;
    }
    if (ClassOf(each) == ValueClass::kUnknown) continue;
    if (wanted != nullptr && ClassOf(*wanted) != ClassOf(each)) return;  // no common type; reported later
    wanted = &each;
  }
  if (!has_path || (wanted == nullptr && !differ)) return;
  const LogicalType json = TypeId::kJson;
  for (ExpressionPtr* value : values) {
    if (!IsDocumentValue(session, **value)) continue;
    *value = wanted == nullptr ? ReadAs(session, std::move(*value), json)
                               : ReadLike(session, std::move(*value), *wanted);
  }
}

void FitTogether(BindSession& session, std::span<BoundQueryPtr> queries, size_t column) {
  // References that stand in for the columns show which types FitTogether would give them.
  std::vector<ExpressionPtr> columns;
  std::vector<ExpressionPtr*> values;
  for (BoundQueryPtr& query : queries) {
    const size_t index = session.NewTableIndex();
    if (IsDocumentColumn(session, *query, column)) session.NoteDocumentColumn(index, 0);
    columns.push_back(
        std::make_unique<ColumnRefExpression>(query->types[column], ColumnBinding{index, 0}, ""));
  }
  const std::vector<LogicalType> before = TypesOf(columns);
  const bool has_path = std::any_of(columns.begin(), columns.end(),
                                    [&](const auto& c) { return IsDocumentValue(session, *c); });
  if (!has_path) return;
  for (size_t i = 0; i < columns.size(); i++) {
    // An untyped literal in a query is NULL or a string; only a copy of it shows which.
    if (before[i].id() == TypeId::kNull && queries[i]->kind == BoundQueryKind::kSelect)
      columns[i] = queries[i]->As<BoundSelect>().items[column]->Clone();
    if (before[i].id() == TypeId::kNull) columns[i]->set_type(TypeId::kNull);
    values.push_back(&columns[i]);
  }
  FitTogether(session, values);
  for (size_t i = 0; i < columns.size(); i++) {
    const LogicalType type = columns[i]->type();
    const bool is_cast = columns[i]->kind() == ExpressionKind::kCast;
    if (type == before[i]) continue;
    ConvertColumn(session, queries[i], column, [&](ExpressionPtr value) {
      return is_cast ? ReadLike(session, std::move(value), type) : ReadAs(session, std::move(value), type);
    });
  }
}

// --- Arguments of functions

namespace {

/// The argument classes that a set of overloads accepts at one position.
struct Takes {
  bool any = false;
  bool json = false;
  bool classes[6] = {};  // indexed by ValueClass, without kOther
  LogicalType list;
  bool Has(ValueClass each) const {
    return each <= ValueClass::kList && each != ValueClass::kJson && classes[static_cast<size_t>(each)];
  }
};

template <typename Function>
const LogicalType* ParameterOf(const Function& function, size_t i, size_t count) {
  const size_t fixed = function.argument_types.size();
  if constexpr (requires { function.varargs; }) {
    if (function.varargs && count > fixed)
      return i < fixed ? &function.argument_types[i] : &*function.varargs;
  }
  return count == fixed ? &function.argument_types[i] : nullptr;
}

bool IsAnyList(const LogicalType& type) {
  return type.id() == TypeId::kList && !IsMap(type) && type.element().id() == TypeId::kNull;
}

/// Returns whether a function takes ranges, which no document has.
template <typename Function>
bool TakesRange(const Function& function) {
  return std::any_of(function.argument_types.begin(), function.argument_types.end(),
                     [](const LogicalType& type) { return IsRangeOrMultirange(type.id()); });
}
bool HasRange(const std::vector<ExpressionPtr>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const ExpressionPtr& argument) {
    return IsRangeOrMultirange(argument->type().id());
  });
}

/// Returns whether an argument that is not a document value fits the parameter, maybe after a cast.
bool MayTake(const LogicalType& parameter, const Expression& argument) {
  if (IsUntyped(argument) || parameter.id() == TypeId::kNull) return true;
  if (IsAnyList(parameter)) return argument.type().id() == TypeId::kList;
  return ClassOf(parameter) == ClassOf(argument.type()) ||
         ImplicitCastCost(argument.type(), parameter).has_value();
}

template <typename Function>
Takes WhatTakes(const BindSession& session, std::span<const Function> overloads,
                const std::vector<ExpressionPtr>& arguments, size_t i) {
  Takes takes;
  for (const Function& function : overloads) {
    const LogicalType* parameter = ParameterOf(function, i, arguments.size());
    // A document has no maps: lists are read where functions take either.
    if (parameter == nullptr || IsMap(*parameter) || (TakesRange(function) && !HasRange(arguments))) continue;
    bool fits = true;
    for (size_t j = 0; j < arguments.size(); j++) {
      fits = fits && (j == i || IsDocumentValue(session, *arguments[j]) ||
                      MayTake(*ParameterOf(function, j, arguments.size()), *arguments[j]));
    }
    if (!fits) continue;
    const ValueClass each = ClassOf(*parameter);
    takes.any = takes.any || parameter->id() == TypeId::kNull;
    takes.json = takes.json || each == ValueClass::kJson;
    if (each == ValueClass::kList) takes.list = *parameter;
    if (each <= ValueClass::kList) takes.classes[static_cast<size_t>(each)] = true;
  }
  return takes;
}

/// Returns true for functions that accept values of any type and convert them to text.
bool MakesText(std::string_view name) {
  return name == "concat" || name == "concat_ws" || name == "format" || name == "quote_literal" ||
         name == "quote_nullable";
}

bool GivesOneOf(std::string_view name) {
  return name == "coalesce" || name == "greatest" || name == "least" || name == "nullif" ||
         name == "list_value";
}

/// Chooses the class as which a path of several types is read: the first accepted class that the path has
/// values of, or else the first accepted class.
ValueClass ChooseClass(const BindSession& session, const Expression& value, const Takes& takes) {
  const auto at = FindPath(session, value);
  const auto has = [&](ValueClass each) {
    if (!at || !at->projection->steps.empty()) return false;
    const auto is_there = [&](AttributeType type) { return at->attributes->Has(at->projection->path, type); };
    using enum AttributeType;
    switch (each) {
      case ValueClass::kNumber:
        return is_there(kInteger) || is_there(kLongInteger) || is_there(kHugeInteger) || is_there(kDouble) ||
               is_there(kNumber);
      case ValueClass::kString: return is_there(kString);
      case ValueClass::kBoolean: return is_there(AttributeType::kBoolean);
      default:
        return is_there(kBooleanArray) || is_there(kIntegerArray) || is_there(kLongIntegerArray) ||
               is_there(kDoubleArray) || is_there(kStringArray) || is_there(kArray);
    }
  };
  constexpr ValueClass kInOrder[] = {ValueClass::kNumber, ValueClass::kString, ValueClass::kBoolean,
                                     ValueClass::kList};
  for (const ValueClass each : kInOrder) {
    if (takes.Has(each) && has(each)) return each;
  }
  for (const ValueClass each : kInOrder) {
    if (takes.Has(each)) return each;
  }
  return ValueClass::kUnknown;
}

/// Returns another argument that is a list; null if there is none.
const Expression* OtherList(const std::vector<ExpressionPtr>& arguments, size_t i) {
  for (size_t j = 0; j < arguments.size(); j++) {
    if (j != i && arguments[j]->type().id() == TypeId::kList) return arguments[j].get();
  }
  return nullptr;
}

/// Returns the element that a list function searches for or adds; null if there is none.
const Expression* OtherElement(std::string_view name, const std::vector<ExpressionPtr>& arguments, size_t i) {
  for (const std::string_view part : {"contains", "position", "append", "prepend", "remove", "replace"}) {
    if (name.find(part) == std::string_view::npos) continue;
    for (size_t j = 0; j < arguments.size(); j++) {
      if (j != i && ClassOf(*arguments[j]) != ValueClass::kUnknown) return arguments[j].get();
    }
  }
  return nullptr;
}

/// Reads JSON for functions that accept only arrays or only objects; other values become NULL.
ExpressionPtr JsonOfKind(BindSession& session, ExpressionPtr value, std::string_view name) {
  const bool takes_array = name.find("array") != std::string_view::npos;
  const bool takes_object =
      name.find("each") != std::string_view::npos || name.find("object_keys") != std::string_view::npos;
  value = ReadAs(session, std::move(value), TypeId::kJson);
  const bool is_inspection = name.starts_with("json_") || name.starts_with("jsonb_");
  if (!is_inspection || (!takes_array && !takes_object) || name.find("build") != std::string_view::npos)
    return value;
  std::vector<ExpressionPtr> argument;
  argument.push_back(value->Clone());
  std::vector<CaseExpression::Branch> branches;
  ExpressionPtr kind = MakeScalarCall(session, "json_typeof", std::move(argument), value->position);
  branches.push_back({MakeComparison(session, ComparisonOp::kEqual, std::move(kind),
                                     MakeUntypedLiteral(takes_array ? "array" : "object"), value->position),
                      std::move(value)});
  return std::make_unique<CaseExpression>(TypeId::kJson, std::move(branches),
                                          std::make_unique<ConstantExpression>(Value(TypeId::kJson)));
}

bool IsJsonOperator(std::string_view name) {
  return name.starts_with("->") || name.starts_with("#") || name.starts_with("?") || name == "@>" ||
         name == "<@";
}

/// Reads one argument as a type that the overloads accept.
ExpressionPtr FitArgument(BindSession& session, std::string_view name, const Takes& takes,
                          const std::vector<ExpressionPtr>& arguments, size_t i, ExpressionPtr value) {
  const ValueClass own = ClassOf(value->type());
  if (takes.any) {
    return MakesText(name) ? ReadForCast(session, std::move(value), TypeId::kVarchar) : std::move(value);
  }
  const Expression* other = OtherList(arguments, i);
  if (other != nullptr && takes.Has(ValueClass::kList) && !IsDocumentValue(session, *other))
    return ReadLike(session, std::move(value), other->type());
  if (own == ValueClass::kJson && takes.json && (IsJsonOperator(name) || !takes.Has(ValueClass::kNumber)))
    return JsonOfKind(session, std::move(value), name);
  if (own != ValueClass::kJson && takes.Has(own)) return value;
  const bool has_other = takes.Has(ValueClass::kNumber) || takes.Has(ValueClass::kString) ||
                         takes.Has(ValueClass::kBoolean) || takes.Has(ValueClass::kList);
  if (takes.json && !has_other) return JsonOfKind(session, std::move(value), name);
  if (takes.json && own == ValueClass::kJson && name == "-" && i == 0 && arguments.size() == 2 &&
      ClassOf(*arguments[1]) == ValueClass::kString)
    return value;  // removes a member of an object
  const ValueClass wanted = ChooseClass(session, *value, takes);
  if (wanted == ValueClass::kUnknown) return value;
  if (wanted == ValueClass::kNumber) return ReadLike(session, std::move(value), TypeId::kDouble);
  if (wanted == ValueClass::kString) return ReadAs(session, std::move(value), TypeId::kVarchar);
  if (wanted == ValueClass::kBoolean) return ReadAs(session, std::move(value), TypeId::kBoolean);
  if (const Expression* element = IsAnyList(takes.list) ? OtherElement(name, arguments, i) : nullptr)
    return ReadForAny(session, std::move(value), *element);
  if (name == "array_to_string")
    return ReadAs(session, std::move(value), LogicalType::List(TypeId::kVarchar));
  return IsAnyList(takes.list) ? ReadAsList(session, std::move(value))
                               : ReadLike(session, std::move(value), takes.list);
}

}  // namespace

template <typename Function>
void FitArguments(BindSession& session, std::string_view name, std::span<const Function> overloads,
                  std::vector<ExpressionPtr>& arguments) {
  const bool has_path = std::any_of(arguments.begin(), arguments.end(), [&](const ExpressionPtr& argument) {
    return IsDocumentValue(session, *argument);
  });
  if (!has_path) return;
  if (GivesOneOf(name)) {
    std::vector<ExpressionPtr*> values;
    for (ExpressionPtr& argument : arguments) values.push_back(&argument);
    return FitTogether(session, values);
  }
  for (size_t i = 0; i < arguments.size(); i++) {
    if (!IsDocumentValue(session, *arguments[i])) continue;
    const Takes takes = WhatTakes(session, overloads, arguments, i);
    ExpressionPtr value = std::move(arguments[i]);
    // WhatTakes and FitArgument look at the other arguments, so a placeholder replaces the moved one.
    arguments[i] = std::make_unique<ConstantExpression>(Value());
    arguments[i] = FitArgument(session, name, takes, arguments, i, std::move(value));
  }
}

template void FitArguments(BindSession&, std::string_view, std::span<const ScalarFunction>,
                           std::vector<ExpressionPtr>&);
template void FitArguments(BindSession&, std::string_view, std::span<const AggregateFunction>,
                           std::vector<ExpressionPtr>&);

}  // namespace scaup
