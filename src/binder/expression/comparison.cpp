// Comparisons and IN lists: converts both sides to one type, constants to the type of the column.
#include <fmt/format.h>

#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

bool IsExactNumber(const LogicalType& type) {
  return type.IsInteger() || type.id() == TypeId::kDecimal || type.id() == TypeId::kNumeric;
}

/// Converts a constant to another exact numeric type; returns nullopt if that type cannot represent it.
std::optional<Value> SameNumber(const Value& value, const LogicalType& type) {
  if (!IsExactNumber(value.type()) || !IsExactNumber(type)) return std::nullopt;
  if (value.is_null()) return Value(type);
  Value converted, back;
  if (!CastValue(value, type, converted) || !CastValue(converted, value.type(), back) || !(back == value))
    return std::nullopt;
  return converted;
}

/// Converts a constant to the type of the column next to it, so that the column needs no cast. Returns false
/// if it is not a constant or does not fit exactly.
bool FitConstant(ExpressionPtr& constant, const LogicalType& type) {
  if (constant->kind() != ExpressionKind::kConstant) return false;
  auto converted = SameNumber(constant->As<ConstantExpression>().value, type);
  if (!converted) return false;
  auto fitted = std::make_unique<ConstantExpression>(std::move(*converted));
  fitted->alias = constant->alias;
  fitted->position = constant->position;
  constant = std::move(fitted);
  return true;
}

/// Gives an untyped side the type of the other side.
ExpressionPtr TypeLike(BindSession& session, ExpressionPtr untyped, const LogicalType& other) {
  if (other.id() == TypeId::kDecimal) return CoerceToNumber(session, std::move(untyped), other);
  return Coerce(session, std::move(untyped), other);
}

[[noreturn]] void ThrowNoOperator(std::string_view symbol, const LogicalType& left, const LogicalType& right,
                                  std::optional<size_t> position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("operator does not exist: {} {} {}; use CAST to bring both sides to one type",
                         PostgresTypeName(left), symbol, PostgresTypeName(right)),
             position);
}

void Unify(BindSession& session, std::string_view symbol, ExpressionPtr& left, ExpressionPtr& right,
           std::optional<size_t> position) {
  FitCompared(session, left, right);
  if (IsUntyped(*left) && IsUntyped(*right)) {
    left = Settle(session, std::move(left));
    right = Settle(session, std::move(right));
  } else if (IsUntyped(*left)) {
    left = TypeLike(session, std::move(left), right->type());
  } else if (IsUntyped(*right)) {
    right = TypeLike(session, std::move(right), left->type());
  }
  if (left->type() == right->type()) return;
  const auto common = CommonType(left->type(), right->type());
  if (!common) ThrowNoOperator(symbol, left->type(), right->type(), position);
  const bool left_constant = left->kind() == ExpressionKind::kConstant;
  const bool right_constant = right->kind() == ExpressionKind::kConstant;
  // A comparison without a cast around the column lets scans filter by it.
  if (!left_constant && right_constant && FitConstant(right, left->type())) return;
  if (left_constant && !right_constant && FitConstant(left, right->type())) return;
  left = Coerce(session, std::move(left), *common);
  right = Coerce(session, std::move(right), *common);
}

/// Converts the value and a list of constants to one type. Returns true if all elements are still constants
/// afterwards.
bool UnifyConstantList(BindSession& session, ExpressionPtr& value, std::vector<ExpressionPtr>& list,
                       std::optional<size_t> position) {
  for (const auto& item : list) {
    if (item->kind() != ExpressionKind::kConstant) return false;
  }
  // The list needs a comparison per element if its elements read the path in different ways.
  if (NeedsSeveralReadings(session, *value, list)) return false;
  for (auto& item : list) FitCompared(session, value, item);
  if (IsUntyped(*value)) {
    CommonTypeFinder finder("IN");
    for (const auto& item : list) finder.Add(*item);
    value = finder.type().id() == TypeId::kNull ? Settle(session, std::move(value))
                                                : TypeLike(session, std::move(value), finder.type());
  }
  LogicalType common = value->type();
  for (auto& item : list) {
    if (IsUntyped(*item)) item = TypeLike(session, std::move(item), value->type());
    if (item->type() == value->type() || FitConstant(item, value->type())) continue;
    const auto both = CommonType(common, item->type());
    if (!both) ThrowNoOperator("=", value->type(), item->type(), item->position ? item->position : position);
    common = *both;
  }
  value = Coerce(session, std::move(value), common);
  for (auto& item : list) item = Coerce(session, std::move(item), common);
  // A cast that depends on the session's time zone is not evaluated now, so its result is not a constant.
  return std::all_of(list.begin(), list.end(),
                     [](const ExpressionPtr& item) { return item->kind() == ExpressionKind::kConstant; });
}

}  // namespace

std::optional<ComparisonOp> ComparisonFromSymbol(std::string_view symbol) {
  if (symbol == "=") return ComparisonOp::kEqual;
  if (symbol == "<>" || symbol == "!=") return ComparisonOp::kNotEqual;
  if (symbol == "<") return ComparisonOp::kLess;
  if (symbol == "<=") return ComparisonOp::kLessEqual;
  if (symbol == ">") return ComparisonOp::kGreater;
  if (symbol == ">=") return ComparisonOp::kGreaterEqual;
  if (symbol == "is distinct from") return ComparisonOp::kDistinctFrom;
  if (symbol == "is not distinct from") return ComparisonOp::kNotDistinctFrom;
  return std::nullopt;
}

ExpressionPtr MakeComparison(BindSession& session, ComparisonOp op, ExpressionPtr left, ExpressionPtr right,
                             std::optional<size_t> position) {
  const bool is_distinct = op == ComparisonOp::kDistinctFrom;
  ExpressionPtr result;
  if (is_distinct || op == ComparisonOp::kNotDistinctFrom) {
    result = CompareDistinct(session, is_distinct, left, right);
  } else {
    result = CompareExactly(session, op, left, right, position);
  }
  if (!result) return MakePlainComparison(session, op, std::move(left), std::move(right), position);
  result->position = position;
  return result;
}

ExpressionPtr MakePlainComparison(BindSession& session, ComparisonOp op, ExpressionPtr left,
                                  ExpressionPtr right, std::optional<size_t> position) {
  Unify(session, ComparisonSymbol(op), left, right, position);
  FitCollations(session, op, left, right);
  auto comparison = std::make_unique<ComparisonExpression>(op, std::move(left), std::move(right));
  comparison->position = position;
  return comparison;
}

ExpressionPtr MakeInList(BindSession& session, ExpressionPtr value, std::vector<ExpressionPtr> list,
                         bool negated, std::optional<size_t> position) {
  ExpressionPtr result;
  if (UnifyConstantList(session, value, list, position)) {
    std::vector<Value> values;
    values.reserve(list.size());
    const auto collation = CollationFor(session, {value.get()}, KeyUse::kEquality);
    for (auto& item : list) {
      if (collation) {
        ExpressionPtr key = KeyUnder(*collation, std::move(item));
        Value value_of_key = EvaluateForBinding(session, *key, "the list of IN");
        values.push_back(value_of_key.is_null() ? Value(key->type()) : std::move(value_of_key));
      } else {
        values.push_back(std::move(item->As<ConstantExpression>().value));
      }
    }
    value = CollationKeyOf(session, std::move(value), KeyUse::kEquality);
    result = std::make_unique<InListExpression>(std::move(value), std::move(values), negated);
  } else {
    const LogicalType value_type = value->type();
    std::vector<ExpressionPtr> comparisons;
    for (size_t i = 0; i < list.size(); i++) {
      ExpressionPtr copy = i + 1 < list.size() ? value->Clone() : std::move(value);
      copy->set_type(value_type);  // the copy of an untyped literal is untyped, too
      comparisons.push_back(MakeComparison(session, negated ? ComparisonOp::kNotEqual : ComparisonOp::kEqual,
                                           std::move(copy), std::move(list[i]), position));
    }
    result = comparisons.size() == 1
                 ? std::move(comparisons[0])
                 : std::make_unique<ConjunctionExpression>(negated, std::move(comparisons));
  }
  result->position = position;
  return result;
}

}  // namespace scaup
