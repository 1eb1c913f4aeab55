// Makes DISTINCT and set operations compare texts by their collations.
#include "binder/query/collated_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Makes SELECT DISTINCT of a SELECT that has been bound.
BoundQueryPtr DistinctOf(BindSession& session, BoundQueryPtr query) {
  auto& select = query->As<BoundSelect>();
  select.distinct = true;
  CompareCollated(session, select);
  if (select.items.size() > select.names.size()) select.item_index = session.NewTableIndex();
  return query;
}

/// Returns an item of a SELECT as a type, as a column of the query `outer_level` levels out.
ExpressionPtr ItemAs(const BoundSelect& select, size_t column, const LogicalType& type, size_t outer_level) {
  ExpressionPtr item = select.items[column]->Clone();
  item->alias.clear();
  item->As<ColumnRefExpression>().outer_level = outer_level;
  return item->type() == type ? std::move(item) : AddCast(std::move(item), type);
}

/// The collations by whose keys the columns of a set operation are compared; none where bytes do for a
/// column.
using KeysOfColumns = std::vector<std::optional<Collation>>;

/// Returns whether `query` has a row that equals the one of `select`, in which the test is to stand.
ExpressionPtr HasEqualRow(BindSession& session, const BoundSelect& select,
                          const std::vector<LogicalType>& types, const KeysOfColumns& keys,
                          BoundQueryPtr query) {
  BoundQueryPtr rows = SelectFrom(session, std::move(query));
  auto& inner = rows->As<BoundSelect>();
  std::vector<ExpressionPtr> equal;
  for (size_t i = 0; i < types.size(); i++) {
    ExpressionPtr left = ItemAs(select, i, types[i], 1), right = ItemAs(inner, i, types[i], 0);
    if (keys[i]) {
      left = KeyUnder(*keys[i], std::move(left));
      right = KeyUnder(*keys[i], std::move(right));
    }
    equal.push_back(std::make_unique<ComparisonExpression>(ComparisonOp::kNotDistinctFrom, std::move(left),
                                                           std::move(right)));
  }
  inner.where = MakeAnd(std::move(equal));
  return std::make_unique<SubqueryExpression>(SubqueryKind::kExists, TypeId::kBoolean, std::move(rows));
}

/// Returns the rows of the first operand that are in all others, or in none. Their texts have the collations
/// of the whole operation.
BoundQueryPtr RowsInOthers(BindSession& session, BoundSetOperation& set, const KeysOfColumns& keys) {
  std::vector<Collation> collations;
  for (size_t i = 0; i < set.types.size(); i++)
    collations.push_back(CollationOfColumn(session, set, i).collation);
  // The query around the first operand takes the place of the set operation.
  ForEachOuterReference(*set.operands[0], [](ColumnRefExpression& column, size_t) { column.outer_level--; });
  BoundQueryPtr rows = SelectFrom(session, std::move(set.operands[0]));
  auto& select = rows->As<BoundSelect>();
  std::vector<ExpressionPtr> conditions;
  for (size_t i = 1; i < set.operands.size(); i++) {
    ExpressionPtr is_there = HasEqualRow(session, select, set.types, keys, std::move(set.operands[i]));
    const bool is_except = set.operation == BoundSetOperationType::kExcept;
    conditions.push_back(is_except ? std::make_unique<NotExpression>(std::move(is_there))
                                   : std::move(is_there));
  }
  select.where = MakeAnd(std::move(conditions));
  for (size_t i = 0; i < set.types.size(); i++) {
    ExpressionPtr item = ItemAs(select, i, set.types[i], 0);
    if (keys[i]) item = Collate(session, std::move(item), collations[i]);
    select.items[i] = std::move(item);
    select.items[i]->alias = select.names[i];
  }
  select.types = set.types;
  return rows;
}

}  // namespace

void CompareCollated(BindSession& session, BoundSelect& select) {
  std::vector<size_t> compared;
  bool has_keys = false;
  for (size_t i = 0; i < select.names.size(); i++) {
    compared.push_back(i);
    const Expression& item = *select.items[i];
    if (!CollationFor(session, {&item}, KeyUse::kEquality)) continue;
    if (HasSubquery(item)) RequireBytes(session, item, KeyUse::kEquality, "DISTINCT of a subquery");
    has_keys = true;
    ExpressionPtr key = CollationKeyOf(session, item.Clone(), KeyUse::kEquality);
    const auto found = std::find_if(select.items.begin(), select.items.end(),
                                    [&](const ExpressionPtr& other) { return other->Equals(*key); });
    compared.back() = static_cast<size_t>(found - select.items.begin());
    if (found == select.items.end()) select.items.push_back(std::move(key));
  }
  if (!has_keys) return;
  select.distinct = false;
  select.distinct_on = std::move(compared);
}

BoundQueryPtr FollowCollations(BindSession& session, BoundQueryPtr query, size_t position) {
  if (!session.has_collations || query->kind != BoundQueryKind::kSetOperation) return query;
  auto& set = query->As<BoundSetOperation>();
  const bool is_union = set.operation == BoundSetOperationType::kUnion;
  if (set.all && is_union) return query;
  KeysOfColumns keys;
  for (size_t i = 0; i < set.types.size(); i++) {
    const DerivedCollation derived = CollationOfColumn(session, set, i);
    if (derived.strength == DerivedCollation::Strength::kConflict) {
      // As in PostgreSQL, not the error of a comparison.
      ThrowError(ErrorKind::kBinder, "42P21",
                 fmt::format("collation mismatch between implicit collations of column \"{}\"; choose one by "
                             "the COLLATE clause",
                             set.names[i]),
                 position);
    }
    keys.push_back(CollationFor(session, set, i, KeyUse::kEquality, position));
    if (set.all) RequireBytes(session, set, i, "INTERSECT ALL and EXCEPT ALL", position);
  }
  if (std::none_of(keys.begin(), keys.end(), [](const auto& key) { return key.has_value(); })) return query;
  if (!is_union) return DistinctOf(session, RowsInOthers(session, set, keys));
  set.all = true;
  return DistinctOf(session, SelectFrom(session, std::move(query)));
}

}  // namespace scaup
