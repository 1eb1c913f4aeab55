// Binds subqueries in expressions: scalars, EXISTS, ARRAY(SELECT ...), ANY and ALL, and comparisons of rows.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns whether array_agg can be added to the query itself; otherwise a query around it is needed.
bool TakesAggregate(BoundQuery& query) {
  if (query.kind != BoundQueryKind::kSelect || query.limit || query.offset) return false;
  auto& select = query.As<BoundSelect>();
  if (select.is_grouped || select.distinct || !select.sets.lists.empty() || !select.distinct_on.empty() ||
      !select.windows.empty())
    return false;
  return std::none_of(select.items.begin(), select.items.end(),
                      [](const ExpressionPtr& item) { return HasSubquery(*item); });
}

/// Makes SELECT * FROM (query), including hidden columns that only ORDER BY needs.
std::unique_ptr<BoundSelect> SelectAll(BindSession& session, BoundQueryPtr query) {
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

/// Binds ARRAY(SELECT ...): collects the only column of the query by array_agg, in the order of its rows.
ExpressionPtr BindArraySubquery(BindSession& session, BoundQueryPtr query, size_t position) {
  const LogicalType list = LogicalType::List(query->types[0]);
  if (!TakesAggregate(*query)) query = SelectAll(session, std::move(query));
  auto& select = query->As<BoundSelect>();
  std::vector<SortKey> keys;
  for (const BoundOrder& key : select.order_by)
    keys.push_back({select.items[key.column]->Clone(), key.descending, key.nulls_first});
  std::vector<ExpressionPtr> argument, given;
  given.push_back(select.items[0]->Clone());
  argument.push_back(std::move(select.items[0]));
  ExpressionPtr aggregate =
      MakeAggregateCall(session, "array_agg", std::move(argument), false, nullptr, position);
  SortAggregate(aggregate->As<AggregateExpression>(), given, std::move(keys));
  select.is_grouped = true;
  select.group_index = session.NewTableIndex();
  select.aggregate_index = session.NewTableIndex();
  std::vector<ExpressionPtr> item_or_empty;
  item_or_empty.push_back(std::make_unique<ColumnRefExpression>(
      aggregate->type(), ColumnBinding{select.aggregate_index, 0}, "array_agg"));
  // array_agg over no rows is NULL, but ARRAY(SELECT ...) is an empty array.
  item_or_empty.push_back(std::make_unique<ConstantExpression>(Value::List(list.element(), {})));
  select.aggregates.push_back(std::move(aggregate));
  ExpressionPtr item = MakeScalarCall(session, "coalesce", std::move(item_or_empty), position);
  item->alias = "array";
  select.items.clear();
  select.items.push_back(std::move(item));
  select.names = {"array"};
  select.types = {list};
  select.order_by.clear();
  select.table_index = select.item_index;
  return std::make_unique<SubqueryExpression>(SubqueryKind::kScalar, list, std::move(query));
}

/// Converts columns of a subquery if the comparison needs more than a cast, which SubqueryExpression
/// expresses by compared_type. `compared` are the comparisons with the unconverted columns.
BoundQueryPtr ConvertCompared(BindSession& session, BoundQueryPtr query,
                              const std::vector<ExpressionPtr>& compared) {
  const size_t table_index = query->table_index;
  for (size_t i = 0; i < compared.size(); i++) {
    Expression* side = compared[i]->As<ComparisonExpression>().right.get();
    while (side->kind() == ExpressionKind::kCast && !side->As<CastExpression>().is_try)
      side = side->As<CastExpression>().child.get();
    if (side->kind() == ExpressionKind::kColumnRef) continue;
    ConvertColumn(session, query, i, [&](ExpressionPtr value) {
      ExpressionPtr converted = compared[i]->As<ComparisonExpression>().right->Clone();
      const std::function<void(ExpressionPtr&)> replace = [&](ExpressionPtr& part) {
        const bool is_column = part->kind() == ExpressionKind::kColumnRef &&
                               part->As<ColumnRefExpression>().binding == ColumnBinding{table_index, i};
        if (is_column) {
          part = value->Clone();
        } else {
          part->ForEachChild(replace);
        }
      };
      replace(converted);
      return converted;
    });
  }
  return query;
}

/// Binds x op ANY, x op ALL, and (x, y) op (SELECT ...).
ExpressionPtr BindCompared(ExpressionBinder& binder, const ast::Subquery& subquery, BoundQueryPtr query) {
  const bool is_row = subquery.subquery == ast::Subquery::Kind::kRow;
  auto op = ComparisonFromSymbol(subquery.symbol);
  if (!op) {
    ThrowNotSupported(
        fmt::format("the operator {} is not supported {}", subquery.symbol,
                    is_row ? "between a row and a subquery" : "with ANY and ALL over a subquery"),
        subquery.position);
  }
  const bool is_all = subquery.subquery == ast::Subquery::Kind::kAll;
  // x op ALL is NOT (x negated-op ANY).
  if (is_all) op = NegateComparison(*op);
  // Comparing with a reference in place of the subquery's column gives the types of both sides.
  const auto compare = [&](const ast::Expression& child, size_t i) {
    const ColumnBinding binding{query->table_index, i};
    ExpressionPtr column = std::make_unique<ColumnRefExpression>(query->types[i], binding, query->names[i]);
    if (IsDocumentColumn(binder.session(), *query, i))
      binder.session().NoteDocumentColumn(binding.table_index, i);
    NoteCollation(binder.session(), binding, CollationOfColumn(binder.session(), *query, i));
    ExpressionPtr left = binder.Bind(child);
    if (IsInexact(binder.session(), *left, *column)) FitExactNumbers(binder.session(), left, column);
    return MakePlainComparison(binder.session(), *op, std::move(left), std::move(column), subquery.position);
  };
  std::vector<ExpressionPtr> compared;
  compared.push_back(compare(*subquery.child, 0));
  for (size_t i = 0; i < subquery.rest.size(); i++) compared.push_back(compare(*subquery.rest[i], i + 1));
  query = ConvertCompared(binder.session(), std::move(query), compared);
  auto result = std::make_unique<SubqueryExpression>(is_row ? SubqueryKind::kRow : SubqueryKind::kAny,
                                                     TypeId::kBoolean, std::move(query));
  for (size_t i = 0; i < compared.size(); i++) {
    auto& comparison = compared[i]->As<ComparisonExpression>();
    const LogicalType type = comparison.right->type();
    if (i > 0) {
      result->rest.push_back({std::move(comparison.left), type});
      continue;
    }
    result->op = *op;
    result->child = std::move(comparison.left);
    result->compared_type = type;
  }
  result->position = subquery.position;
  if (is_all) return std::make_unique<NotExpression>(std::move(result));
  return result;
}

}  // namespace

ExpressionPtr BindSubquery(ExpressionBinder& binder, const ast::Subquery& subquery) {
  binder.place().CheckSubquery(subquery.position);
  binder.session().surroundings.subqueries++;
  const ExpressionPlace* const before = std::exchange(binder.level().subquery_of, &binder.place());
  BoundQueryPtr bound = BindQuery(binder.session(), *subquery.query, &binder.level());
  binder.level().subquery_of = before;
  binder.session().surroundings.subqueries--;
  if (subquery.subquery == ast::Subquery::Kind::kArray && bound->types.size() == 1)
    return BindArraySubquery(binder.session(), std::move(bound), subquery.position);
  BoundQueryPtr query = std::move(bound);
  const size_t width = 1 + subquery.rest.size();
  const bool is_row = !subquery.rest.empty() || subquery.subquery == ast::Subquery::Kind::kRow;
  if (is_row && query->types.size() != width) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("subquery has too {} columns", query->types.size() < width ? "few" : "many"),
               subquery.position);
  }
  if (subquery.subquery != ast::Subquery::Kind::kExists && query->types.size() != width) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("subquery must return only one column, not {}", query->types.size()),
               subquery.position);
  }
  switch (subquery.subquery) {
    case ast::Subquery::Kind::kScalar: {
      const LogicalType type = query->types[0];
      return std::make_unique<SubqueryExpression>(SubqueryKind::kScalar, type, std::move(query));
    }
    case ast::Subquery::Kind::kExists:
      return std::make_unique<SubqueryExpression>(SubqueryKind::kExists, TypeId::kBoolean, std::move(query));
    case ast::Subquery::Kind::kArray: break;
    case ast::Subquery::Kind::kAny:
    case ast::Subquery::Kind::kAll:
    case ast::Subquery::Kind::kRow: return BindCompared(binder, subquery, std::move(query));
  }
  ThrowInternal("unknown subquery");
}

}  // namespace scaup
