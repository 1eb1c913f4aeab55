// Compares two bound queries clause by clause, with a map between their table indexes.
#include "binder/bound/same_query.hpp"

#include <algorithm>
#include <map>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

namespace {

class QueryPair {
 public:
  bool Same(BoundQuery& a, BoundQuery& b) {
    CheckStack();
    if (a.kind != b.kind || a.names != b.names || a.types != b.types || a.with_ties != b.with_ties)
      return false;
    if (!SameWith(a.ctes, b.ctes)) return false;
    PairTables(a.table_index, b.table_index);
    return SameBody(a, b) && SameOrder(a.order_by, b.order_by) && Same(a.limit, b.limit) &&
           Same(a.offset, b.offset);
  }

 private:
  void PairTables(size_t a, size_t b) { tables_[b] = a; }

  bool SameBody(BoundQuery& a, BoundQuery& b) {
    CheckStack();
    switch (a.kind) {
      case BoundQueryKind::kSelect: return SameSelect(a.As<BoundSelect>(), b.As<BoundSelect>());
      case BoundQueryKind::kSetOperation: {
        auto &left = a.As<BoundSetOperation>(), &right = b.As<BoundSetOperation>();
        return left.operation == right.operation && left.all == right.all &&
               std::equal(left.operands.begin(), left.operands.end(), right.operands.begin(),
                          right.operands.end(),
                          [&](const auto& one, const auto& other) { return Same(*one, *other); });
      }
      case BoundQueryKind::kValues: {
        auto &left = a.As<BoundValues>().rows, &right = b.As<BoundValues>().rows;
        return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                          [&](const auto& one, const auto& other) { return Same(one, other); });
      }
    }
    return false;
  }

  bool SameSelect(BoundSelect& a, BoundSelect& b) {
    if (a.is_grouped != b.is_grouped || a.grouping_sets != b.grouping_sets || a.distinct != b.distinct ||
        a.distinct_on != b.distinct_on || a.windows.size() != b.windows.size())
      return false;
    PairTables(a.group_index, b.group_index);
    PairTables(a.aggregate_index, b.aggregate_index);
    PairTables(a.item_index, b.item_index);
    PairTables(a.group_sets.table_index, b.group_sets.table_index);
    PairTables(a.sets.table_index, b.sets.table_index);
    for (size_t i = 0; i < a.windows.size(); i++)
      PairTables(a.windows[i].table_index, b.windows[i].table_index);
    return Same(a.from, b.from) && Same(a.where, b.where) && Same(a.groups, b.groups) &&
           Same(a.aggregates, b.aggregates) && Same(a.having, b.having) &&
           SameWindows(a.windows, b.windows) && Same(a.qualify, b.qualify) &&
           Same(a.group_sets.lists, b.group_sets.lists) && Same(a.sets.lists, b.sets.lists) &&
           Same(a.items, b.items);
  }

  bool SameWindows(const std::vector<BoundWindow>& a, const std::vector<BoundWindow>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [&](const BoundWindow& one, const BoundWindow& other) {
          return Same(one.partition_by, other.partition_by) && Same(one.functions, other.functions) &&
                 std::equal(one.order_by.begin(), one.order_by.end(), other.order_by.begin(),
                            other.order_by.end(), [&](const SortKey& key, const SortKey& other_key) {
                              return key.descending == other_key.descending &&
                                     key.nulls_first == other_key.nulls_first &&
                                     Same(key.expression, other_key.expression);
                            });
        });
  }

  static bool SameOrder(const std::vector<BoundOrder>& a, const std::vector<BoundOrder>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const BoundOrder& one, const BoundOrder& other) {
                        return one.column == other.column && one.descending == other.descending &&
                               one.nulls_first == other.nulls_first;
                      });
  }

  bool SameWith(const std::vector<std::shared_ptr<BoundCte>>& a,
                const std::vector<std::shared_ptr<BoundCte>>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& one, const auto& other) {
      ctes_[other.get()] = one.get();
      PairTables(one->share, other->share);
      PairTables(one->round_share, other->round_share);
      return !one->change && !other->change && one->name == other->name && one->names == other->names &&
             one->types == other->types && one->is_distinct == other->is_distinct &&
             one->always_kept == other->always_kept && SameIfAny(one->query, other->query) &&
             SameIfAny(one->next, other->next);
    });
  }

  bool SameIfAny(const BoundQueryPtr& a, const BoundQueryPtr& b) {
    if (!a || !b) return !a && !b;
    return Same(*a, *b);
  }

  // --- FROM

  bool Same(const BoundTableRefPtr& a, const BoundTableRefPtr& b) {
    CheckStack();
    if (!a || !b) return !a && !b;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
      case BoundTableRefKind::kBaseTable: {
        auto &left = a->As<BoundBaseTable>(), &right = b->As<BoundBaseTable>();
        PairTables(left.table_index, right.table_index);
        return left.table == right.table && left.has_row_number == right.has_row_number;
      }
      case BoundTableRefKind::kTableFunction: {
        auto &left = a->As<BoundTableFunctionCall>(), &right = b->As<BoundTableFunctionCall>();
        PairTables(left.table_index, right.table_index);
        return left.function.name == right.function.name &&
               left.arguments.positional == right.arguments.positional &&
               left.arguments.named == right.arguments.named;
      }
      // The program decides what a function returns, so that two calls are never known to return the same.
      case BoundTableRefKind::kRowsFunction: return false;
      case BoundTableRefKind::kQuery:
        return Same(*a->As<BoundQueryTable>().query, *b->As<BoundQueryTable>().query);
      case BoundTableRefKind::kCte: {
        auto &left = a->As<BoundCteTable>(), &right = b->As<BoundCteTable>();
        PairTables(left.table_index, right.table_index);
        const auto pair = ctes_.find(right.cte.get());
        const BoundCte* const same = pair == ctes_.end() ? right.cte.get() : pair->second;
        return left.cte.get() == same && left.reads_round == right.reads_round;
      }
      case BoundTableRefKind::kJoin: {
        auto &left = a->As<BoundJoin>(), &right = b->As<BoundJoin>();
        return left.type == right.type && Same(left.left, right.left) && Same(left.right, right.right) &&
               Same(left.conditions, right.conditions);
      }
      case BoundTableRefKind::kUnnest: {
        auto &left = a->As<BoundUnnest>(), &right = b->As<BoundUnnest>();
        PairTables(left.table_index, right.table_index);
        return left.has_ordinality == right.has_ordinality && Same(left.lists, right.lists);
      }
    }
    return false;
  }

  // --- Expressions

  bool Same(const std::vector<ExpressionPtr>& a, const std::vector<ExpressionPtr>& b) {
    CheckStack();
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const ExpressionPtr& one, const ExpressionPtr& other) { return Same(one, other); });
  }

  bool Same(const ExpressionPtr& a, const ExpressionPtr& b) {
    CheckStack();
    if (!a || !b) return !a && !b;
    ExpressionPtr left = a->Clone(), right = b->Clone();
    std::vector<ExpressionPtr> left_queries, right_queries;
    TakeSubqueries(left, left_queries);
    TakeSubqueries(right, right_queries);
    ForEachColumnRef(right, [&](ColumnRefExpression& column) {
      const auto pair = tables_.find(column.binding.table_index);
      if (pair != tables_.end()) column.binding.table_index = pair->second;
    });
    return left->Equals(*right) &&
           std::equal(left_queries.begin(), left_queries.end(), right_queries.begin(), right_queries.end(),
                      [&](const ExpressionPtr& one, const ExpressionPtr& other) {
                        return SameSubquery(one->As<SubqueryExpression>(), other->As<SubqueryExpression>());
                      });
  }

  /// Replaces each subquery with its number and moves it to `taken`. Expression::Equals would compare the
  /// subqueries with their original table indexes; SameSubquery uses the map.
  static void TakeSubqueries(ExpressionPtr& expression, std::vector<ExpressionPtr>& taken) {
    CheckStack();
    if (expression->kind() != ExpressionKind::kSubquery) {
      expression->ForEachChild([&](ExpressionPtr& child) { TakeSubqueries(child, taken); });
      return;
    }
    auto number = std::make_unique<ReferenceExpression>(expression->type(), taken.size(), "");
    taken.push_back(std::move(expression));
    expression = std::move(number);
  }

  bool SameSubquery(SubqueryExpression& a, SubqueryExpression& b) {
    return a.subquery == b.subquery && a.op == b.op && a.compared_type == b.compared_type &&
           Same(a.child, b.child) &&
           std::equal(a.rest.begin(), a.rest.end(), b.rest.begin(), b.rest.end(),
                      [&](const auto& one, const auto& other) {
                        return one.compared_type == other.compared_type && Same(one.child, other.child);
                      }) &&
           Same(*a.query, *b.query);
  }

  std::map<size_t, size_t> tables_;  ///< from table indexes of b to those of a
  std::map<const BoundCte*, const BoundCte*> ctes_;
};

/// Returns whether the planner has taken expressions out of the query.
[[maybe_unused]] bool IsPlanned(BoundQuery& query) {
  bool is_planned = false;
  ForEachQueryExpression(query, [&](ExpressionPtr& expression) { is_planned = is_planned || !expression; });
  return is_planned;
}

}  // namespace

bool AreSame(BoundQuery& a, BoundQuery& b) {
  SCAUP_ASSERT(!IsPlanned(a) && !IsPlanned(b));
  return QueryPair().Same(a, b);
}

}  // namespace scaup
