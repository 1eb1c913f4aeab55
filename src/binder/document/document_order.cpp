// Comparison and order of document values: mixed types, and integers by their exact values.
#include <algorithm>
#include <optional>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

ExpressionPtr CallOverJson(ResolvedScalar resolved, ExpressionPtr argument) {
  const std::optional<size_t> position = argument->position;
  std::string alias = argument->alias;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(AddCast(std::move(argument), TypeId::kJson));
  auto call = std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                                   std::move(arguments));
  call->position = position;
  call->alias = std::move(alias);
  return call;
}

/// Converts any value to JSON. A document value is read as JSON.
ExpressionPtr OperandAsJson(BindSession& session, ExpressionPtr value) {
  if (IsDocumentValue(session, *value)) return ReadAs(session, std::move(value), TypeId::kJson);
  value = Settle(session, std::move(value));
  if (IsJson(value->type())) return value;
  const std::optional<size_t> position = value->position;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(value));
  return MakeScalarCall(session, "to_json", std::move(arguments), position);
}

/// Returns whether a path's numbers are read as DOUBLE although it may have integers that DOUBLE cannot
/// represent.
bool HasInexactIntegers(const BindSession& session, const Expression& value) {
  const auto at = FindPath(session, value);
  if (!at) return IsMixedValue(session, value);
  if (!at->projection->steps.empty()) return true;
  const auto has = [&](AttributeType type) { return at->attributes->Has(at->projection->path, type); };
  const bool is_double = has(AttributeType::kDouble) || has(AttributeType::kNumber);
  return is_double && (has(AttributeType::kLongInteger) || has(AttributeType::kHugeInteger));
}

/// Returns whether `other` may compare differently with integers than with their nearest doubles. Doubles
/// represent integers below 2^53 exactly.
bool IsExactBesideDoubles(const BindSession& session, const Expression& other) {
  constexpr int128_t kMostExact = int128_t{1} << 53;
  if (IsDocumentValue(session, other))
    return other.type().IsInteger() || (other.type().IsNumeric() && HasInexactIntegers(session, other));
  if (!other.type().IsInteger() || PhysicalSize(other.type()) < sizeof(int64_t)) return false;
  if (other.kind() != ExpressionKind::kConstant) return true;
  const Value& value = other.As<ConstantExpression>().value;
  if (value.is_null()) return false;
  const int128_t number = value.GetInteger();
  return number >= kMostExact || number <= -kMostExact;
}

}  // namespace

bool IsMixedValue(const BindSession& session, const Expression& expression) {
  return IsJson(expression.type()) && IsDocumentValue(session, expression);
}

ExpressionPtr OrderOf(BindSession& session, ExpressionPtr value) {
  if (!IsMixedValue(session, *value)) return CollationKeyOf(session, std::move(value), KeyUse::kOrder);
  return CallOverJson(DocumentOrderFunction(false), std::move(value));
}

ExpressionPtr NormalOf(BindSession& session, ExpressionPtr value) {
  if (!IsMixedValue(session, *value)) return value;
  const bool is_normal = value->kind() == ExpressionKind::kFunction &&
                         value->As<FunctionExpression>().function.name == kDocumentNormal;
  return is_normal ? std::move(value) : CallOverJson(DocumentNormalFunction(), std::move(value));
}

void FitOrder(BindSession& session, ExpressionPtr& left, ExpressionPtr& right) {
  if (!IsJson(left->type()) || !IsJson(right->type())) return;
  if (!IsDocumentValue(session, *left) && !IsDocumentValue(session, *right)) return;
  left = CallOverJson(DocumentOrderFunction(false), std::move(left));
  right = CallOverJson(DocumentOrderFunction(false), std::move(right));
}

ExpressionPtr CompareDistinct(BindSession& session, bool is_distinct, ExpressionPtr& left,
                              ExpressionPtr& right) {
  const bool left_is_path = IsDocumentValue(session, *left), right_is_path = IsDocumentValue(session, *right);
  if (!left_is_path && !right_is_path) return nullptr;
  const auto is_null = [](const Expression& value) {
    return value.kind() == ExpressionKind::kConstant && value.As<ConstantExpression>().value.is_null();
  };
  if (is_null(*left)) std::swap(left, right);
  if (is_null(*right)) return std::make_unique<IsNullExpression>(std::move(left), is_distinct);
  const bool is_alike = ClassOf(*left) == ClassOf(*right) && !IsUntyped(*left) && !IsUntyped(*right);
  if (is_alike && !HasInexactIntegers(session, *left) && !HasInexactIntegers(session, *right)) return nullptr;
  const ComparisonOp op = is_distinct ? ComparisonOp::kDistinctFrom : ComparisonOp::kNotDistinctFrom;
  const auto is_other = [&](const Expression& value) {
    return !IsDocumentValue(session, value) && ClassOf(value) == ValueClass::kOther;
  };
  if (is_other(*left)) std::swap(left, right);
  if (!is_other(*right)) {
    ExpressionPtr first = CallOverJson(DocumentOrderFunction(false), OperandAsJson(session, std::move(left)));
    ExpressionPtr second =
        CallOverJson(DocumentOrderFunction(false), OperandAsJson(session, std::move(right)));
    return std::make_unique<ComparisonExpression>(op, std::move(first), std::move(second));
  }
  // A date or another type that JSON lacks: a document value that cannot be converted to it differs from it,
  // though the conversion gives NULL. So compare the values, and then whether both are NULL.
  std::vector<ExpressionPtr> alternatives, missing;
  missing.push_back(std::make_unique<IsNullExpression>(left->Clone(), false));
  missing.push_back(std::make_unique<IsNullExpression>(right->Clone(), false));
  alternatives.push_back(
      MakeComparison(session, ComparisonOp::kEqual, std::move(left), std::move(right), {}));
  alternatives.push_back(MakeAnd(std::move(missing)));
  ExpressionPtr same = MakeScalarCall(session, "coalesce", std::move(alternatives), std::nullopt);
  if (is_distinct) return std::make_unique<NotExpression>(std::move(same));
  return same;
}

bool IsInexact(const BindSession& session, const Expression& left, const Expression& right) {
  const auto is_inexact = [&](const Expression& path, const Expression& other) {
    return IsDocumentValue(session, path) && HasInexactIntegers(session, path) &&
           IsExactBesideDoubles(session, other);
  };
  return is_inexact(left, right) || is_inexact(right, left);
}

void FitExactNumbers(BindSession& session, ExpressionPtr& left, ExpressionPtr& right) {
  for (ExpressionPtr* side : {&left, &right})
    *side = CallOverJson(DocumentOrderFunction(true), OperandAsJson(session, std::move(*side)));
}

bool FitExactElements(BindSession& session, ExpressionPtr& element, ExpressionPtr& array) {
  if (!IsDocumentValue(session, *array) || !IsExactBesideDoubles(session, *element) ||
      ListTypeForAny(session, *array, *element) != LogicalType::List(TypeId::kDouble))
    return false;
  element = CallOverJson(DocumentOrderFunction(true), OperandAsJson(session, std::move(element)));
  array = CallOverJson(DocumentNumberOrdersFunction(), ReadAs(session, std::move(array), TypeId::kJson));
  return true;
}

ExpressionPtr CompareExactly(BindSession& session, ComparisonOp op, const ExpressionPtr& left,
                             const ExpressionPtr& right, std::optional<size_t> position) {
  if (!IsInexact(session, *left, *right) || HasSubquery(*left) || HasSubquery(*right)) return nullptr;
  ExpressionPtr first = left->Clone(), second = right->Clone();
  FitExactNumbers(session, first, second);
  auto exact = std::make_unique<ComparisonExpression>(op, std::move(first), std::move(second));
  exact->position = position;
  if (op == ComparisonOp::kNotEqual) return exact;
  // The rough comparison of doubles comes first because scans can filter by it. It must not reject a row that
  // the exact one accepts, so < becomes <=. There is no such form of <>.
  ComparisonOp rough = op;
  if (op == ComparisonOp::kLess) rough = ComparisonOp::kLessEqual;
  if (op == ComparisonOp::kGreater) rough = ComparisonOp::kGreaterEqual;
  std::vector<ExpressionPtr> both;
  both.push_back(MakePlainComparison(session, rough, left->Clone(), right->Clone(), position));
  both.push_back(std::move(exact));
  return MakeAnd(std::move(both));
}

// --- Columns of queries

BoundQueryPtr SelectFrom(BindSession& session, BoundQueryPtr query) {
  // References to outer levels now cross one more query.
  ForEachOuterReference(*query, [](ColumnRefExpression& column, size_t) { column.outer_level++; });
  auto select = std::make_unique<BoundSelect>();
  select->types = query->types;
  select->names = query->names;
  NoteDocumentColumns(session, *query, query->table_index);
  for (size_t i = 0; i < query->types.size(); i++) {
    select->items.push_back(std::make_unique<ColumnRefExpression>(
        query->types[i], ColumnBinding{query->table_index, i}, query->names[i]));
    select->items.back()->alias = query->names[i];
  }
  select->table_index = select->item_index = session.NewTableIndex();
  select->from = std::make_unique<BoundQueryTable>(std::move(query));
  return select;
}

void ConvertColumn(BindSession& session, BoundQueryPtr& query, size_t column,
                   const std::function<ExpressionPtr(ExpressionPtr)>& convert) {
  const bool is_select = query->kind == BoundQueryKind::kSelect;
  const bool is_plain = is_select && !query->As<BoundSelect>().distinct && query->order_by.empty() &&
                        query->As<BoundSelect>().distinct_on.empty() &&
                        !HasSubquery(*query->As<BoundSelect>().items[column]);
  if (!is_plain) query = SelectFrom(session, std::move(query));
  auto& select = query->As<BoundSelect>();
  ExpressionPtr& item = select.items[column];
  item = convert(std::move(item));
  item->alias = select.names[column];
  select.types[column] = item->type();
}

ExpressionPtr ReadAsWritten(BindSession& session, ExpressionPtr value) {
  if (value->type().id() != TypeId::kDouble || !FindPath(session, *value)) return value;
  return ReadAs(session, std::move(value), TypeId::kJson);
}

void ReadAsWritten(BindSession& session, BoundQueryPtr& query, size_t column) {
  if (query->kind != BoundQueryKind::kSelect || query->types[column].id() != TypeId::kDouble) return;
  const bool is_path = FindPath(session, *query->As<BoundSelect>().items[column]).has_value();
  if (!is_path || query->As<BoundSelect>().distinct || !query->order_by.empty()) return;
  ConvertColumn(session, query, column,
                [&](ExpressionPtr value) { return ReadAsWritten(session, std::move(value)); });
}

BoundQueryPtr OrderByColumns(BindSession& session, BoundQueryPtr query) {
  const bool is_mixed =
      std::any_of(query->order_by.begin(), query->order_by.end(), [&](const BoundOrder& key) {
        const bool has_collation =
            CollationOfColumn(session, *query, key.column).strength != DerivedCollation::Strength::kNone;
        return has_collation ||
               (IsJson(query->types[key.column]) && IsDocumentColumn(session, *query, key.column));
      });
  if (!is_mixed) return query;
  std::vector<BoundOrder> order = std::move(query->order_by);
  query->order_by.clear();
  BoundQueryPtr selected = SelectFrom(session, std::move(query));
  auto& select = selected->As<BoundSelect>();
  for (BoundOrder& key : order) {
    ExpressionPtr value = OrderOf(session, select.items[key.column]->Clone());
    if (!value->Equals(*select.items[key.column])) {
      key.column = select.items.size();
      select.items.push_back(std::move(value));
    }
  }
  select.item_index = session.NewTableIndex();
  select.order_by = std::move(order);
  return selected;
}

}  // namespace scaup
