// Coercion of single expressions: untyped literals, assignments, common types.
#include "binder/scope/coercion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/document_value.hpp"
#include "binder/scope/literal.hpp"
#include "common/throw.hpp"
#include "expression/bound_call.hpp"
#include "expression/expression_executor.hpp"
#include "function/scalar/catalog/object_number.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_text.hpp"
#include "type/text/json_text.hpp"
#include "type/type_modifier.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

ExpressionPtr CoerceParameter(BindSession& session, ExpressionPtr expression, const LogicalType& type) {
  const size_t index = expression->As<ParameterExpression>().index;
  session.SetParameterType(index, type);
  expression->set_type(session.ParameterType(index));  // an earlier use may have set another type
  return AddCast(std::move(expression), type);
}

/// Returns whether PostgreSQL converts implicitly when a value is assigned to a column.
bool IsAssignable(const LogicalType& from, const LogicalType& to) {
  if (ImplicitCastCost(from, to)) return true;
  if (from.IsNumeric() && to.IsNumeric()) return true;
  if (from.id() == TypeId::kList && to.id() == TypeId::kList && IsMap(from) == IsMap(to))
    return IsAssignable(from.element(), to.element());
  // A struct, as dicts of Python come, becomes the map of its fields.
  if (from.id() == TypeId::kStruct && IsMap(to)) {
    return std::all_of(from.fields().begin(), from.fields().end(),
                       [&](const StructField& field) { return IsAssignable(field.type, MapValueType(to)); });
  }
  if (IsUnion(to)) return IsUnionInFile(from, to) && CastExists(from, to);
  if (from.id() == TypeId::kStruct && to.id() == TypeId::kStruct) {
    return std::equal(from.fields().begin(), from.fields().end(), to.fields().begin(), to.fields().end(),
                      [](const auto& a, const auto& b) { return IsAssignable(a.type, b.type); });
  }
  if (to.id() == TypeId::kVarchar) return from.id() != TypeId::kBlob;
  switch (from.id()) {
    case TypeId::kTimestampTz:
      return to.id() == TypeId::kTimestamp || to.id() == TypeId::kDate || to.id() == TypeId::kTime ||
             to.id() == TypeId::kTimeTz;
    case TypeId::kJson: return to.id() == TypeId::kJsonb;
    case TypeId::kJsonb: return to.id() == TypeId::kJson;
    case TypeId::kTimestamp: return to.id() == TypeId::kDate || to.id() == TypeId::kTime;
    case TypeId::kTimeTz: return to.id() == TypeId::kTime;
    case TypeId::kInterval: return to.id() == TypeId::kTime;
    case TypeId::kTime: return to.id() == TypeId::kInterval;
    default: return false;
  }
}

/// Returns whether the expression is ROW(...) and can be converted to `type` value by value.
bool IsRowFor(const Expression& expression, const LogicalType& type) {
  if (expression.kind() != ExpressionKind::kFunction || type.id() != TypeId::kStruct || IsUnion(type))
    return false;
  const auto& call = expression.As<FunctionExpression>();
  return call.function.name == "row" && call.arguments.size() == type.fields().size();
}

/// Returns whether the expression is union_value(name := value), and `type` is a union with that member.
bool IsMemberOf(const Expression& expression, const LogicalType& type) {
  if (expression.kind() != ExpressionKind::kFunction || !IsUnion(type) || !IsUnion(expression.type()))
    return false;
  const auto& call = expression.As<FunctionExpression>();
  if (call.function.name != "union_value" || !FindMember(type, UnionMembers(expression.type())[0].name))
    return false;
  const Expression& row = *call.arguments[0];
  return row.kind() == ExpressionKind::kFunction && row.As<FunctionExpression>().function.name == "row";
}

/// Returns the struct of the member alone that union_value(name := value) gives to a union.
LogicalType MemberStruct(const Expression& value, const LogicalType& type) {
  const std::string& name = UnionMembers(value.type())[0].name;
  return LogicalType::Struct({UnionMembers(type)[*FindMember(type, name)]});
}

}  // namespace

// Literals in ROW(...) are converted to the types of the fields, even if strings are not assignable to them.
bool IsAssignable(const Expression& expression, const LogicalType& to) {
  SCAUP_ASSERT(!IsUntyped(expression));
  if (IsMemberOf(expression, to))
    return IsAssignable(*expression.As<FunctionExpression>().arguments[0], MemberStruct(expression, to));
  if (!IsRowFor(expression, to)) return IsAssignable(expression.type(), to);
  const auto& arguments = expression.As<FunctionExpression>().arguments;
  for (size_t i = 0; i < arguments.size(); i++) {
    const bool is_literal =
        arguments[i]->kind() == ExpressionKind::kConstant && arguments[i]->type().id() == TypeId::kVarchar;
    if (!is_literal && !IsAssignable(*arguments[i], to.fields()[i].type)) return false;
  }
  return true;
}

namespace {

ExpressionPtr CoerceRow(BindSession& session, ExpressionPtr expression, const LogicalType& type) {
  auto& call = expression->As<FunctionExpression>();
  for (size_t i = 0; i < call.arguments.size(); i++) {
    const LogicalType& field = type.fields()[i].type;
    call.arguments[i] = Coerce(session, std::move(call.arguments[i]), field);
    call.function.argument_types[i] = field;
  }
  call.function.return_type = type;
  expression->set_type(type);
  return expression;
}

/// Converts union_value(name := value), a literal by the type of the member.
ExpressionPtr CoerceMember(BindSession& session, ExpressionPtr expression, const LogicalType& type) {
  auto& call = expression->As<FunctionExpression>();
  const LogicalType member = MemberStruct(*expression, type);
  call.arguments[0] = CoerceRow(session, std::move(call.arguments[0]), member);
  call.function.argument_types[0] = member;
  call.function.return_type = UnionType(member.fields());
  expression->set_type(call.function.return_type);
  return AddCast(std::move(expression), type);
}

}  // namespace

ExpressionPtr MakeUntypedLiteral(std::string text) {
  auto literal = std::make_unique<ConstantExpression>(Value::Varchar(std::move(text)));
  literal->set_type(TypeId::kNull);
  return literal;
}

/// Returns the time that a word means, such as 'today', as an expression of the type; null for other texts.
static ExpressionPtr MomentOfWord(BindSession& session, std::string_view text, const LogicalType& type,
                                  std::optional<size_t> position) {
  const bool is_time = type.id() == TypeId::kTime || type.id() == TypeId::kTimeTz;
  const bool is_date =
      type.id() == TypeId::kDate || type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz;
  if (!is_time && !is_date) return nullptr;
  const std::string_view word = TrimSpace(text);
  const auto call = [&](const char* function) { return MakeScalarCall(session, function, {}, position); };
  if (EqualsIgnoringCase(word, "now")) {
    const char* function = type.id() == TypeId::kTimeTz        ? "current_time"
                           : is_time                           ? "localtime"
                           : type.id() == TypeId::kDate        ? "current_date"
                           : type.id() == TypeId::kTimestampTz ? "current_timestamp"
                                                               : "localtimestamp";
    return call(function);
  }
  constexpr struct {
    std::string_view word;
    int32_t days;
  } kDays[] = {{"yesterday", -1}, {"today", 0}, {"tomorrow", 1}};
  for (const auto& day : kDays) {
    if (is_time || !EqualsIgnoringCase(word, day.word)) continue;
    ExpressionPtr date = MakeScalarCall(
        session, "+", PairOf(call("current_date"), MakeConstant(Value::Integer(day.days))), position);
    return AddCast(std::move(date), type);
  }
  return nullptr;
}

ExpressionPtr FitModifier(ExpressionPtr value, const LogicalType& type, bool is_explicit) {
  SCAUP_ASSERT(value->type() == type);
  const bool fits = ModifierBits(type) == 0 || ModifierBits(value->type()) == ModifierBits(type);
  if (fits) return value;
  ExpressionPtr call = CallBound(FittingFunction(type, is_explicit), std::move(value));
  call->set_type(type);
  return call;
}

bool IsObjectName(const Expression& expression, const LogicalType& type) {
  return ObjectNumberOf(type) != ObjectNumber::kNone &&
         (IsUntyped(expression) || expression.type().id() == TypeId::kVarchar);
}

ExpressionPtr FindObjectNumber(BindSession& session, ExpressionPtr name, const LogicalType& type,
                               bool is_try) {
  SCAUP_ASSERT(IsObjectName(*name, type));
  ExpressionPtr number = CallBound(ObjectNumberFunction(ObjectNumberOf(type), is_try),
                                   Coerce(session, std::move(name), TypeId::kVarchar));
  number->set_type(type);
  return number;
}

ExpressionPtr Coerce(BindSession& session, ExpressionPtr expression, const LogicalType& declared) {
  if (expression->type() == declared) return expression;
  if (IsObjectName(*expression, declared))
    return FindObjectNumber(session, std::move(expression), declared, false);
  const LogicalType type = WithoutModifier(declared);
  if (IsMemberOf(*expression, type)) return CoerceMember(session, std::move(expression), type);
  if (IsRowFor(*expression, type)) return CoerceRow(session, std::move(expression), type);
  if (!IsUntyped(*expression)) return AddCast(std::move(expression), type);
  if (expression->kind() == ExpressionKind::kParameter)
    return CoerceParameter(session, std::move(expression), type);
  if (expression->kind() != ExpressionKind::kConstant) return AddCast(std::move(expression), type);
  auto& constant = expression->As<ConstantExpression>();
  if (constant.value.is_null()) {
    constant.value = Value(type);
    constant.set_type(type);
    return expression;
  }
  constant.set_type(TypeId::kVarchar);
  if (ExpressionPtr moment = MomentOfWord(session, constant.value.GetString(), type, expression->position))
    return moment;
  // Spaces at the end do not count in a CHAR(n), so those of a literal beside it must not either.
  if (IsChar(declared)) {
    std::string text = constant.value.GetString();
    text.erase(text.find_last_not_of(' ') + 1);
    constant.value = Value::Varchar(std::move(text));
  }
  return AddCast(std::move(expression), type);
}

ExpressionPtr Settle(BindSession& session, ExpressionPtr expression) {
  if (!IsUntyped(*expression)) return expression;
  return Coerce(session, std::move(expression), TypeId::kVarchar);
}

ExpressionPtr CoerceToNumber(BindSession& session, ExpressionPtr expression, const LogicalType& decimal) {
  if (expression->kind() == ExpressionKind::kConstant) {
    const Value& value = expression->As<ConstantExpression>().value;
    if (!value.is_null() && IsNumberText(value.GetString())) {
      ExpressionPtr number = MakeNumber(value.GetString());
      number->alias = expression->alias;
      number->position = expression->position;
      return number;
    }
    return Coerce(session, std::move(expression), decimal);
  }
  // For a parameter, use a type with more fractional digits than the column, so that its value is not rounded
  // before the comparison.
  constexpr int kRoomyScale = 12;
  const int integer_digits = decimal.width() - decimal.scale();
  const int scale = std::min<int>(LogicalType::kMaxDecimalWidth - integer_digits,
                                  std::max<int>(decimal.scale(), kRoomyScale));
  return Coerce(
      session, std::move(expression),
      LogicalType::Decimal(LogicalType::kMaxDecimalWidth, static_cast<uint8_t>(std::max(scale, 0))));
}

ExpressionPtr CoerceToBoolean(BindSession& session, ExpressionPtr expression, std::string_view place) {
  expression = ReadForCondition(session, std::move(expression));
  if (!IsUntyped(*expression) && expression->type().id() != TypeId::kBoolean) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("argument of {} must be type boolean, not type {}", place,
                           PostgresTypeName(expression->type())),
               expression->position);
  }
  return Coerce(session, std::move(expression), TypeId::kBoolean);
}

/// Returns an untyped text for an INTERVAL with fields as a literal with them: '1:30' has minutes and seconds
/// for MINUTE TO SECOND. None for all else.
static std::optional<ast::IntervalLiteral> LiteralOfFields(const Expression& expression,
                                                           const LogicalType& type) {
  const std::string fields = IntervalFieldsText(IntervalFieldsOf(type));
  if (fields.empty() || !IsUntyped(expression) || expression.kind() != ExpressionKind::kConstant)
    return std::nullopt;
  const Value& value = expression.As<ConstantExpression>().value;
  if (value.is_null()) return std::nullopt;
  ast::IntervalLiteral literal;
  literal.text = value.GetString();
  literal.unit = fields;
  literal.position = expression.position.value_or(0);
  return literal;
}

ExpressionPtr CoerceForAssignment(BindSession& session, ExpressionPtr expression, const LogicalType& type,
                                  std::string_view column) {
  if (IsJson(type) || IsMixedValue(session, *expression))
    expression = ReadForCast(session, std::move(expression), type);
  if (!IsUntyped(*expression) && !IsObjectName(*expression, type) && !IsAssignable(*expression, type)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("column \"{}\" is of type {} but expression is of type {}{}", column,
                           PostgresTypeName(type), PostgresTypeName(expression->type()),
                           IsUnion(type) ? CastAdvice(expression->type(), type) : "; use CAST to convert it"),
               expression->position);
  }
  if (std::optional<ast::IntervalLiteral> literal = LiteralOfFields(*expression, type))
    expression = BindIntervalLiteral(*literal);
  if (IsObjectName(*expression, type)) return FindObjectNumber(session, std::move(expression), type, false);
  // Here the text of a literal counts as it is, since spaces may be too many for a VARCHAR(n).
  return FitModifier(Coerce(session, std::move(expression), WithoutModifier(type)), type, false);
}

/// Returns the value of a whole number as the text has it, which has the smallest type of INTEGER, BIGINT and
/// HUGEINT; nullopt for other expressions, and for numbers below zero, which no unsigned type holds.
static std::optional<int128_t> WholeNumber(const Expression& expression) {
  if (expression.kind() != ExpressionKind::kConstant) return std::nullopt;
  const Value& value = expression.As<ConstantExpression>().value;
  if (value.is_null()) return std::nullopt;
  const bool is_kind = value.type().id() == TypeId::kInteger || value.type().id() == TypeId::kBigInt ||
                       value.type().id() == TypeId::kHugeInt;
  if (!is_kind || ModifierBits(value.type()) != 0) return std::nullopt;
  const int128_t number = value.GetInteger();
  const bool has_its_size = value.type().id() == TypeId::kInteger ||
                            (number > INT32_MAX && value.type().id() == TypeId::kBigInt) ||
                            number > INT64_MAX;
  return has_its_size && number >= 0 ? std::optional(number) : std::nullopt;
}

static bool HoldsNumber(const LogicalType& type, int128_t number) {
  Value ignored;
  return IsUnsigned(type.id()) && CastValue(Value::HugeInt(number), type, ignored);
}

bool FitWholeNumber(ExpressionPtr& expression, const LogicalType& type) {
  const std::optional<int128_t> number = WholeNumber(*expression);
  if (!number || !HoldsNumber(type, *number)) return false;
  auto fitted = std::make_unique<ConstantExpression>(Value::FromInteger(type, *number));
  fitted->alias = expression->alias;
  fitted->position = expression->position;
  expression = std::move(fitted);
  return true;
}

void CommonTypeFinder::Add(const Expression& expression) {
  const std::optional<int128_t> number = WholeNumber(expression);
  if (number && HoldsNumber(type_, *number)) return;
  const bool has_only_numbers = number && (has_only_numbers_ || type_.id() == TypeId::kNull);
  if (has_only_numbers) greatest_ = std::max(greatest_, *number);
  const bool follows = !number && has_only_numbers_ && HoldsNumber(expression.type(), greatest_);
  if (follows) {
    type_ = expression.type();
  } else {
    Add(expression.type(), expression.position);
  }
  has_only_numbers_ = has_only_numbers || (has_only_numbers_ && IsUntyped(expression));
}

void CommonTypeFinder::Add(const LogicalType& type, std::optional<size_t> position) {
  const bool is_first = type_.id() == TypeId::kNull && !has_values_;
  has_values_ = true;
  const auto common = is_first ? std::optional(type) : CommonType(type_, type, Meeting::kSideBySide);
  if (!common) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               fmt::format("{} types {} and {} cannot be matched", place_, PostgresTypeName(type_),
                           PostgresTypeName(type)),
               position);
  }
  type_ = *common;
}

Value EvaluateForBinding(BindSession& session, const Expression& expression, std::string_view place) {
  if (expression.kind() == ExpressionKind::kConstant) return expression.As<ConstantExpression>().value;
  if (!IsFoldable(expression)) {
    ThrowNotSupported(
        fmt::format("{} must be a constant: no columns, parameters, subqueries or volatile functions", place),
        expression.position);
  }
  return EvaluateConstant(session.context().functions, expression);
}

}  // namespace scaup
