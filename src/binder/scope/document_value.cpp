// Document values: recognizes them in expressions, and reads them as a context needs.
#include "binder/scope/document_value.hpp"

#include <algorithm>
#include <limits>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "expression/window_expression.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

ValueClass ClassOf(const LogicalType& type) {
  if (type.IsNumeric()) return ValueClass::kNumber;
  if (IsJson(type)) return ValueClass::kJson;
  switch (type.id()) {
    case TypeId::kNull: return ValueClass::kUnknown;
    case TypeId::kBoolean: return ValueClass::kBoolean;
    case TypeId::kVarchar: return ValueClass::kString;
    case TypeId::kList: return ValueClass::kList;
    default: return ValueClass::kOther;
  }
}

ValueClass ClassOf(const Expression& expression) {
  if (IsUntyped(expression)) {
    const bool is_null =
        expression.kind() == ExpressionKind::kConstant && expression.As<ConstantExpression>().value.is_null();
    return is_null ? ValueClass::kUnknown : ValueClass::kString;
  }
  return ClassOf(expression.type());
}

// --- Recognizing document values

namespace {

/// Returns whether all values except NULL are document values, and there is at least one.
bool AreDocumentValues(const BindSession& session, const std::vector<const Expression*>& values) {
  bool is_any = false;
  for (const Expression* value : values) {
    const bool is_null =
        value->kind() == ExpressionKind::kConstant && value->As<ConstantExpression>().value.is_null();
    if (is_null) continue;
    if (!IsDocumentValue(session, *value)) return false;
    is_any = true;
  }
  return is_any;
}

bool IsFunctionOf(const BindSession& session, const FunctionExpression& call) {
  const std::string& name = call.function.name;
  if (name == "coalesce" || name == "greatest" || name == "least") {
    std::vector<const Expression*> arguments;
    for (const ExpressionPtr& argument : call.arguments) arguments.push_back(argument.get());
    return AreDocumentValues(session, arguments);
  }
  const bool is_slice = name == "array_subscript" && call.arguments.size() == 3;
  // The elements of a list that was read from a document value are document values.
  const bool is_read_list = name == kDocumentValue && call.type().id() == TypeId::kList;
  const bool is_part = name == kDocumentNormal || name == kUnnestFunction || name == "->" ||
                       name == "nullif" || is_slice || is_read_list;
  if (!is_part || call.arguments.empty()) return false;
  // Lists are converted to JSON before an element is read.
  const Expression& whole = *call.arguments[0];
  const bool is_converted = name == "->" && whole.kind() == ExpressionKind::kFunction &&
                            whole.As<FunctionExpression>().function.name == "to_json";
  return IsDocumentValue(session, is_converted ? *whole.As<FunctionExpression>().arguments[0] : whole);
}

/// Returns whether an aggregate returns one of the values of its first argument.
bool GivesArgument(const std::string& name) {
  return name == "min" || name == "max" || name == "any_value" || name == "first" || name == "last" ||
         name == "mode" || name == "arg_min" || name == "arg_max" || name == "min_by" || name == "max_by" ||
         name == "percentile_disc";
}

bool IsWindowOf(const BindSession& session, const WindowExpression& window) {
  if (window.arguments.empty()) return false;
  switch (window.function) {
    case WindowFunctionKind::kLag:
    case WindowFunctionKind::kLead:
    case WindowFunctionKind::kFirstValue:
    case WindowFunctionKind::kLastValue:
    case WindowFunctionKind::kNthValue: return IsDocumentValue(session, *window.arguments[0]);
    case WindowFunctionKind::kAggregate:
      return GivesArgument(window.aggregate.name) && IsDocumentValue(session, *window.arguments[0]);
    default: return false;
  }
}

bool IsCaseOf(const BindSession& session, const CaseExpression& expression) {
  std::vector<const Expression*> results = {expression.otherwise.get()};
  for (const auto& branch : expression.branches) results.push_back(branch.result.get());
  return AreDocumentValues(session, results);
}

}  // namespace

bool IsDocumentValue(const BindSession& session, const Expression& expression) {
  if (FindPath(session, expression)) return true;
  switch (expression.kind()) {
    case ExpressionKind::kColumnRef: {
      const ColumnBinding& binding = expression.As<ColumnRefExpression>().binding;
      return session.IsDocumentColumn(binding.table_index, binding.column_index);
    }
    case ExpressionKind::kFunction: return IsFunctionOf(session, expression.As<FunctionExpression>());
    case ExpressionKind::kCase: return IsCaseOf(session, expression.As<CaseExpression>());
    case ExpressionKind::kWindow: return IsWindowOf(session, expression.As<WindowExpression>());
    case ExpressionKind::kAggregate: {
      const auto& aggregate = expression.As<AggregateExpression>();
      return GivesArgument(aggregate.function.name) && !aggregate.arguments.empty() &&
             IsDocumentValue(session, *aggregate.arguments[0]);
    }
    case ExpressionKind::kSubquery: {
      const auto& subquery = expression.As<SubqueryExpression>();
      return subquery.subquery == SubqueryKind::kScalar && IsDocumentColumn(session, *subquery.query, 0);
    }
    default: return false;
  }
}

bool IsDocumentColumn(const BindSession& session, BoundQuery& query, size_t column) {
  switch (query.kind) {
    case BoundQueryKind::kSelect: return IsDocumentValue(session, *query.As<BoundSelect>().items[column]);
    case BoundQueryKind::kSetOperation: {
      const auto& operands = query.As<BoundSetOperation>().operands;
      return std::all_of(operands.begin(), operands.end(), [&](const BoundQueryPtr& operand) {
        return IsDocumentColumn(session, *operand, column);
      });
    }
    case BoundQueryKind::kValues: return false;
  }
  return false;
}

void NoteDocumentColumns(BindSession& session, BoundQuery& query, size_t table_index) {
  for (size_t i = 0; i < query.types.size(); i++) {
    if (IsDocumentColumn(session, query, i)) session.NoteDocumentColumn(table_index, i);
  }
  NoteCollations(session, query, table_index);
}

void NoteDocumentColumn(BindSession& session, ColumnBinding column, const Expression& value) {
  if (IsDocumentValue(session, value)) session.NoteDocumentColumn(column.table_index, column.column_index);
  NoteCollation(session, column, CollationOf(session, value));
}

// --- Reading document values

namespace {

/// Returns whether a path may have values of a type. Values in arrays and from other queries may be of any
/// type.
bool HasAttribute(const std::optional<PathInExpression>& at, AttributeType type) {
  return !at || !at->projection->steps.empty() || at->attributes->Has(at->projection->path, type);
}

/// Returns the type that can represent all numbers of a path.
LogicalType NumberType(const std::optional<PathInExpression>& at) {
  if (HasAttribute(at, AttributeType::kDouble) || HasAttribute(at, AttributeType::kNumber))
    return TypeId::kDouble;
  return HasAttribute(at, AttributeType::kHugeInteger) ? TypeId::kHugeInt : TypeId::kBigInt;
}

LogicalType ListType(const std::optional<PathInExpression>& at, ValueClass element) {
  switch (element) {
    case ValueClass::kBoolean: return LogicalType::List(TypeId::kBoolean);
    case ValueClass::kNumber:
      return LogicalType::List(HasAttribute(at, AttributeType::kDoubleArray) ||
                                       HasAttribute(at, AttributeType::kArray)
                                   ? TypeId::kDouble
                                   : TypeId::kBigInt);
    case ValueClass::kString:
    case ValueClass::kOther: return LogicalType::List(TypeId::kVarchar);
    default: return LogicalType::List(TypeId::kJson);
  }
}

ExpressionPtr CallWithTwo(BindSession& session, const char* name, ExpressionPtr first, ExpressionPtr second) {
  const std::optional<size_t> position = first->position;
  return MakeScalarCall(session, name, PairOf(std::move(first), std::move(second)), position);
}

ExpressionPtr CallToJson(BindSession& session, ExpressionPtr value) {
  const std::optional<size_t> position = value->position;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(value));
  return MakeScalarCall(session, "to_json", std::move(arguments), position);
}

/// Reads a document value as another type after other operators have passed it on, so that the path itself
/// cannot be read again.
ExpressionPtr ReadPassedOn(BindSession& session, ExpressionPtr value, const LogicalType& type) {
  const LogicalType& from = value->type();
  if (from == type) return value;
  if (from.IsNumeric() && type.IsNumeric()) return AddCast(std::move(value), type);
  if (type.id() == TypeId::kJson)
    return IsJson(from) ? AddCast(std::move(value), type) : CallToJson(session, std::move(value));
  if (from.id() == TypeId::kList && type.id() == TypeId::kList) value = CallToJson(session, std::move(value));
  if (!IsJson(value->type())) {
    // A path with values of one type has no values of other types.
    auto nothing = std::make_unique<ConstantExpression>(Value(type));
    nothing->position = value->position;
    return nothing;
  }
  ResolvedScalar resolved = DocumentValueFunction(type);
  std::vector<ExpressionPtr> arguments;
  const std::optional<size_t> position = value->position;
  std::string alias = value->alias;
  arguments.push_back(AddCast(std::move(value), TypeId::kJson));
  arguments.push_back(std::make_unique<ConstantExpression>(Value::Varchar(type.ToString())));
  auto call = std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                                   std::move(arguments));
  call->position = position;
  call->alias = std::move(alias);
  return call;
}

/// Reads a path as values of a class. `wanted_type` gives the details for a list.
ExpressionPtr ReadAsClass(BindSession& session, ExpressionPtr value, ValueClass wanted,
                          const LogicalType& wanted_type) {
  if (wanted == ValueClass::kUnknown || !IsDocumentValue(session, *value)) return value;
  const auto at = FindPath(session, *value);
  const bool is_wanted = ClassOf(value->type()) == wanted;
  switch (wanted) {
    case ValueClass::kBoolean: return ReadAs(session, std::move(value), TypeId::kBoolean);
    case ValueClass::kNumber:
      return is_wanted ? std::move(value) : ReadAs(session, std::move(value), NumberType(at));
    case ValueClass::kString: return ReadAs(session, std::move(value), TypeId::kVarchar);
    case ValueClass::kJson:
      return is_wanted ? std::move(value) : ReadAs(session, std::move(value), TypeId::kJson);
    case ValueClass::kList:
      if (value->type() == wanted_type) return value;
      return ReadAs(session, std::move(value), ListType(at, ClassOf(wanted_type.element())));
    // Dates and similar types are strings in documents; strings that are not valid for the type become NULL.
    default: return AddCast(ReadAs(session, std::move(value), TypeId::kVarchar), wanted_type, true);
  }
}

}  // namespace

ExpressionPtr ReadAs(BindSession& session, ExpressionPtr value, const LogicalType& type) {
  const auto at = FindPath(session, *value);
  if (!at) return ReadPassedOn(session, std::move(value), type);
  DocumentProjection projection = *at->projection;
  projection.type = type;
  return ReadInstead(session, *value, projection);
}

ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const Expression& other) {
  return ReadAsClass(session, std::move(value), ClassOf(other), other.type());
}

ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const LogicalType& type) {
  return ReadAsClass(session, std::move(value), ClassOf(type), type);
}

ExpressionPtr ReadForCast(BindSession& session, ExpressionPtr value, const LogicalType& type) {
  if (!IsDocumentValue(session, *value)) return value;
  if (IsJson(type)) return ReadAs(session, std::move(value), TypeId::kJson);
  const ValueClass wanted = ClassOf(type), own = ClassOf(value->type());
  const auto at = FindPath(session, *value);
  if (wanted == ValueClass::kString) {
    // The text of these values does not depend on the path's other values.
    const bool is_plain =
        own == ValueClass::kString || own == ValueClass::kBoolean || value->type().IsInteger();
    if (is_plain) return value;
    return CallWithTwo(session, "#>>", ReadAs(session, std::move(value), TypeId::kJson),
                       std::make_unique<ConstantExpression>(Value::List(TypeId::kVarchar, {})));
  }
  if (own != ValueClass::kJson) return value;
  if (wanted == ValueClass::kOther) return ReadAsClass(session, std::move(value), wanted, type);
  const bool is_scalar = wanted == ValueClass::kNumber || wanted == ValueClass::kBoolean;
  if (!is_scalar || !HasAttribute(at, AttributeType::kString) || HasSubquery(*value))
    return ReadAsClass(session, std::move(value), wanted, type);
  // Numbers and booleans are read as such, and strings are parsed; strings that do not parse become NULL.
  ExpressionPtr strings = ReadAs(session, value->Clone(), TypeId::kVarchar);
  ExpressionPtr values = ReadAsClass(session, std::move(value), wanted, type);
  return CallWithTwo(session, "coalesce", AddCast(std::move(values), type),
                     AddCast(std::move(strings), type, true));
}

ExpressionPtr ReadForCondition(BindSession& session, ExpressionPtr value) {
  if (value->type().id() == TypeId::kBoolean || !IsDocumentValue(session, *value)) return value;
  return ReadAs(session, std::move(value), TypeId::kBoolean);
}

LogicalType ListTypeForAny(const BindSession& session, const Expression& array, const Expression& element) {
  const ValueClass wanted = ClassOf(element);
  if (!IsDocumentValue(session, array) ||
      (wanted == ValueClass::kUnknown && array.type().id() == TypeId::kList))
    return array.type();
  return ListType(FindPath(session, array), wanted);
}

ExpressionPtr ReadForAny(BindSession& session, ExpressionPtr array, const Expression& element) {
  const LogicalType list = ListTypeForAny(session, *array, element);
  return array->type() == list ? std::move(array) : ReadAs(session, std::move(array), list);
}

ExpressionPtr ReadAsList(BindSession& session, ExpressionPtr value) {
  if (value->type().id() == TypeId::kList || !IsDocumentValue(session, *value)) return value;
  const auto at = FindPath(session, *value);
  std::vector<ValueClass> classes;
  const auto add = [&](AttributeType type, ValueClass element) {
    if (HasAttribute(at, type)) classes.push_back(element);
  };
  add(AttributeType::kBooleanArray, ValueClass::kBoolean);
  constexpr AttributeType kOfNumbers[] = {AttributeType::kIntegerArray, AttributeType::kLongIntegerArray,
                                          AttributeType::kDoubleArray};
  const bool has_numbers = std::any_of(std::begin(kOfNumbers), std::end(kOfNumbers),
                                       [&](AttributeType type) { return HasAttribute(at, type); });
  // Longs and doubles in one list have no exact common type, so the list remains JSON.
  const bool is_exact =
      !HasAttribute(at, AttributeType::kLongIntegerArray) || !HasAttribute(at, AttributeType::kDoubleArray);
  if (has_numbers) classes.push_back(is_exact ? ValueClass::kNumber : ValueClass::kJson);
  add(AttributeType::kStringArray, ValueClass::kString);
  add(AttributeType::kArray, ValueClass::kJson);
  const ValueClass element = classes.size() == 1 ? classes[0] : ValueClass::kJson;
  return ReadAs(session, std::move(value), ListType(at, element));
}

std::optional<std::vector<DocumentStep>> StepsWithin(const BindSession& session, const Expression& outer,
                                                     const Expression& inner) {
  const auto from = FindPath(session, outer), to = FindPath(session, inner);
  if (!from || !to || from->attributes != to->attributes) return std::nullopt;
  const std::vector<DocumentStep>& first = from->projection->steps;
  std::vector<DocumentStep> steps = to->projection->steps;
  if (from->projection->path == to->projection->path) {
    if (first.size() > steps.size() || !std::equal(first.begin(), first.end(), steps.begin()))
      return std::nullopt;
    steps.erase(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(first.size()));
    return steps;
  }
  if (!first.empty()) return std::nullopt;
  const AttributeDictionary& dictionary = *from->attributes->dictionary();
  std::vector<DocumentStep> keys;
  for (PathId path = to->projection->path; path != from->projection->path; path = dictionary.ParentOf(path)) {
    if (path == kRootPath) return std::nullopt;
    keys.push_back({.key = dictionary.KeyOf(path)});
  }
  steps.insert(steps.begin(), keys.rbegin(), keys.rend());
  return steps;
}

ExpressionPtr ReadSteps(BindSession& session, ExpressionPtr value, const std::vector<DocumentStep>& steps) {
  for (const DocumentStep& step : steps) {
    using Places = std::numeric_limits<int32_t>;
    const Value place = step.is_element ? Value::Integer(static_cast<int32_t>(
                                              std::clamp<int64_t>(step.index, Places::min(), Places::max())))
                                        : Value::Varchar(step.key);
    value = CallWithTwo(session, "->", ReadAs(session, std::move(value), TypeId::kJson),
                        std::make_unique<ConstantExpression>(place));
  }
  return value;
}

bool NeedsSeveralReadings(const BindSession& session, const Expression& value,
                          const std::vector<ExpressionPtr>& list) {
  if (!IsDocumentValue(session, value)) return false;
  ValueClass common = ValueClass::kUnknown;
  for (const ExpressionPtr& item : list) {
    const ValueClass each = ClassOf(*item);
    if (each == ValueClass::kUnknown) continue;
    if (each == ValueClass::kJson || (common != ValueClass::kUnknown && common != each)) return true;
    if (IsInexact(session, value, *item)) return true;
    common = each;
  }
  return false;
}

}  // namespace scaup
