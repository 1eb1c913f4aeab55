// Plans ORDER BY and LIMIT; counts that are computed become a second input of the limit.
#include "planner/plan_order_limit.hpp"

#include <optional>

#include "binder/bound/subquery_expression.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/numbered_limit.hpp"
#include "planner/plan_tables.hpp"
#include "planner/query_planner.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

/// Returns whether a count is computed by a subquery, or is a column of an outer query.
bool IsComputed(const ExpressionPtr& count) {
  if (!count) return false;
  bool is_computed = HasSubquery(*count);
  ForEachColumnRef(*count, [&](const ColumnRefExpression&) { is_computed = true; });
  return is_computed;
}

/// Returns a count that is known; nullopt for NULL, which means no limit, and for negative counts, which the
/// executor reports.
std::optional<int64_t> KnownCount(const ExpressionPtr& count) {
  if (!count || count->kind() != ExpressionKind::kConstant) return std::nullopt;
  const Value& value = count->As<ConstantExpression>().value;
  if (value.is_null() || value.GetInteger() < 0) return std::nullopt;
  return static_cast<int64_t>(value.GetInteger());
}

/// Plans LIMIT ... WITH TIES, and in percent. The rows that remain are sorted again, since windows promise no
/// order.
LogicalOperatorPtr PlanNumbered(QueryPlanner& planner, BoundQuery& query, LogicalOperatorPtr input) {
  const std::vector<ColumnBinding> bindings = input->Bindings();
  const std::vector<LogicalType> types = input->Types();
  const std::vector<std::string> names = input->Names();
  const auto own = [](const LogicalOperator& node) {
    const LogicalOperator* at = &node;
    while (at->kind() == LogicalKind::kDistinct) at = at->children[0].get();
    return at;
  };
  const LogicalOperator* sort = own(*input);
  SCAUP_CHECK(sort->kind() == LogicalKind::kSort || query.order_by.empty());
  std::vector<SortKey> keys;
  if (!query.order_by.empty()) keys = CloneKeys(sort->As<LogicalSort>().keys);
  for (ExpressionPtr* count : {&query.limit, &query.offset})
    if (*count) SubqueryUnnester(planner).Replace(*count, input);
  NumberedLimit limit{{}, CloneKeys(keys), std::move(query.limit), std::move(query.offset), query.with_ties};
  limit.is_percent = query.limit_is_percent;
  LogicalOperatorPtr plan = LimitByNumber(planner, std::move(input), std::move(limit));
  if (!keys.empty()) plan = std::make_unique<LogicalSort>(std::move(plan), std::move(keys));
  // The projection removes the numbers, and restores the bindings of the columns.
  const size_t table_index = bindings.front().table_index, inner_index = planner.NewTableIndex();
  RenumberTables(*plan, {{table_index, inner_index}});
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < bindings.size(); i++)
    columns.push_back(MakeColumn(types[i], {inner_index, bindings[i].column_index}, names[i]));
  return std::make_unique<LogicalProject>(table_index, std::move(plan), std::move(columns));
}

}  // namespace

LogicalOperatorPtr PlanOrder(const BoundQuery& query, size_t table_index,
                             const std::vector<LogicalType>& types, const std::vector<std::string>& names,
                             LogicalOperatorPtr input) {
  if (query.order_by.empty()) return input;
  std::vector<SortKey> keys;
  for (const BoundOrder& order : query.order_by) {
    keys.push_back({MakeColumn(types[order.column], {table_index, order.column}, names[order.column]),
                    order.descending, order.nulls_first});
  }
  return std::make_unique<LogicalSort>(std::move(input), std::move(keys));
}

LogicalOperatorPtr PlanLimitWithSkipped(const BoundQuery& query, LogicalOperatorPtr input) {
  if (query.limit_is_percent) return input;
  const std::optional<int64_t> limit = KnownCount(query.limit), offset = KnownCount(query.offset);
  int64_t last = 0;
  if (!limit || !offset || __builtin_add_overflow(*limit, *offset, &last)) return input;
  return std::make_unique<LogicalLimit>(std::move(input), MakeConstant(Value::BigInt(last)), nullptr);
}

LogicalOperatorPtr PlanLimit(QueryPlanner& planner, BoundQuery& query, LogicalOperatorPtr input) {
  if (!query.limit && !query.offset) return input;
  if ((query.with_ties || query.limit_is_percent) && query.limit)
    return PlanNumbered(planner, query, std::move(input));
  if (!IsComputed(query.limit) && !IsComputed(query.offset))
    return std::make_unique<LogicalLimit>(std::move(input), std::move(query.limit), std::move(query.offset));
  LogicalOperatorPtr counts = planner.OneRow();
  std::vector<ExpressionPtr> columns;
  const size_t index = planner.NewTableIndex();
  for (ExpressionPtr* count : {&query.limit, &query.offset}) {
    if (!*count) continue;
    const std::optional<size_t> position = (*count)->position;
    SubqueryUnnester(planner).Replace(*count, counts);
    const std::string name = count == &query.limit ? "limit" : "offset";
    ExpressionPtr column = MakeColumn(TypeId::kBigInt, {index, columns.size()}, name);
    column->position = position;
    columns.push_back(std::move(*count));
    columns.back()->alias = name;
    *count = std::move(column);
  }
  counts = std::make_unique<LogicalProject>(index, std::move(counts), std::move(columns));
  return std::make_unique<LogicalLimit>(std::move(input), std::move(query.limit), std::move(query.offset),
                                        std::move(counts));
}

}  // namespace scaup
