// The query planner: plans the clauses of a query in the order in which SQL evaluates them.
#include "planner/query_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/plan_join.hpp"
#include "planner/plan_order_limit.hpp"
#include "planner/plan_set_operation.hpp"
#include "planner/plan_tables.hpp"
#include "planner/plan_windows.hpp"
#include "planner/planner.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

/// Returns whether a WITH query is planned at its only use.
bool IsInlined(const BoundCte& cte) { return cte.use_count == 1 && !cte.always_kept; }

/// Computes volatile groups and arguments of aggregates below the grouping sets, so that a row has the same
/// ones in all sets. They become references.
LogicalOperatorPtr ComputeVolatile(QueryPlanner& planner, BoundSelect& select, LogicalOperatorPtr input) {
  const size_t index = planner.NewTableIndex();
  std::vector<ExpressionPtr> columns;
  std::vector<size_t> set;
  const auto compute = [&](ExpressionPtr& expression) {
    if (IsDeterministic(*expression)) return;
    const std::string name = expression->ToString();
    ExpressionPtr column = MakeColumn(expression->type(), {index, columns.size()}, name);
    set.push_back(columns.size());
    columns.push_back(std::exchange(expression, std::move(column)));
    columns.back()->alias = name;
  };
  for (auto& group : select.groups) compute(group);
  for (auto& aggregate : select.aggregates) aggregate->ForEachChild(compute);
  if (columns.empty()) return input;
  // One set of all columns adds them to those of the input.
  return std::make_unique<LogicalExpand>(index, std::move(input), std::move(columns),
                                         std::vector<std::vector<size_t>>{std::move(set)});
}

/// Sorts by the keys of DISTINCT ON that ORDER BY does not name, too, so that equal ones follow each other.
void AddDistinctKeys(BoundSelect& select) {
  for (const size_t item : select.distinct_on) {
    const bool is_sorted = std::any_of(select.order_by.begin(), select.order_by.end(),
                                       [&](const BoundOrder& order) { return order.column == item; });
    if (!is_sorted) select.order_by.push_back({item, false, false});
  }
}

/// Takes volatile items out of a SELECT with ORDER BY or LIMIT, so that they are computed for the sorted
/// rows, in their order, and for no more of them than LIMIT returns and OFFSET skips. Their places in the
/// list are NULL meanwhile, and what they are computed from is added to its end. Returns the items by their
/// places.
std::map<size_t, ExpressionPtr> TakeLateItems(QueryPlanner& planner, BoundSelect& select) {
  std::map<size_t, ExpressionPtr> late;
  // DISTINCT compares all items, so it needs them before the sort.
  if (select.distinct || (select.order_by.empty() && !select.limit)) return late;
  std::set<size_t> needed(select.distinct_on.begin(), select.distinct_on.end());
  for (const BoundOrder& order : select.order_by) needed.insert(order.column);
  for (size_t i = 0; i < select.names.size(); i++)
    if (!needed.contains(i) && !IsDeterministic(*select.items[i])) late[i] = std::move(select.items[i]);
  if (late.empty()) return late;
  if (select.item_index == select.table_index) select.item_index = planner.NewTableIndex();
  std::map<ColumnBinding, size_t> places;
  for (auto& [place, item] : late) {
    select.items[place] = std::make_unique<ConstantExpression>(Value(item->type()));
    ForEachColumnRef(item, [&](ColumnRefExpression& column) {
      const auto [found, is_new] = places.try_emplace(column.binding, select.items.size());
      if (is_new) select.items.push_back(column.Clone());
      column.binding = {select.item_index, found->second};
    });
  }
  return late;
}

/// Repeats the input for each grouping set. The groups become references to the columns of the result.
LogicalOperatorPtr PlanExpand(QueryPlanner& planner, BoundSelect& select, LogicalOperatorPtr input) {
  const size_t index = planner.NewTableIndex();
  std::vector<ExpressionPtr> groups;
  for (size_t i = 0; i < select.groups.size(); i++)
    groups.push_back(MakeColumn(select.groups[i]->type(), {index, i}, select.groups[i]->ToString()));
  groups.push_back(MakeColumn(TypeId::kInteger, {index, groups.size()}, "grouping set"));
  input = std::make_unique<LogicalExpand>(index, std::move(input), std::move(select.groups),
                                          std::move(select.grouping_sets));
  select.groups = std::move(groups);
  return input;
}

/// Plans set-returning functions: each row of the input is repeated for the elements of its sets.
LogicalOperatorPtr PlanSets(QueryPlanner& planner, BoundSets& sets, LogicalOperatorPtr input) {
  if (sets.lists.empty()) return input;
  for (auto& list : sets.lists) SubqueryUnnester(planner).Replace(list, input);
  return std::make_unique<LogicalUnnest>(sets.table_index, std::move(input), std::move(sets.lists), false,
                                         false);
}

/// Plans rows of VALUES that contain subqueries, each row as a plan of its own.
LogicalOperatorPtr PlanRowsWithSubqueries(QueryPlanner& planner, BoundValues& values) {
  std::vector<LogicalOperatorPtr> rows;
  for (auto& row : values.rows) {
    LogicalOperatorPtr input = planner.OneRow();
    for (size_t i = 0; i < row.size(); i++) {
      SubqueryUnnester(planner).Replace(row[i], input);
      row[i]->alias = values.names[i];
    }
    rows.push_back(
        std::make_unique<LogicalProject>(planner.NewTableIndex(), std::move(input), std::move(row)));
  }
  return std::make_unique<LogicalUnionAll>(values.table_index, std::move(rows), values.names);
}

LogicalOperatorPtr PlanRowsFunction(QueryPlanner& planner, BoundRowsFunction& function) {
  auto call =
      std::make_unique<LogicalRowsCall>(function.table_index, std::move(function.name), function.call);
  if (function.input) call->children.push_back(planner.PlanQuery(*function.input));
  if (function.omits_null_rows) {
    std::vector<ExpressionPtr> tests;
    for (const ExpressionPtr& argument : function.arguments)
      tests.push_back(std::make_unique<IsNullExpression>(argument->Clone(), true));
    call->children[0] = std::make_unique<LogicalFilter>(std::move(call->children[0]), std::move(tests));
  }
  call->required = std::move(function.required);
  call->values = std::move(function.values);
  call->arguments = std::move(function.arguments);
  call->partition_count = function.partition_by.size();
  for (ExpressionPtr& key : function.partition_by) call->keys.push_back({std::move(key), false, false});
  for (SortKey& key : function.order_by) call->keys.push_back(std::move(key));
  return call;
}

}  // namespace

LogicalOperatorPtr QueryPlanner::OneRow() {
  auto row = std::make_unique<LogicalValues>(NewTableIndex(), std::vector<LogicalType>(),
                                             std::vector<std::string>());
  row->rows.emplace_back();
  return row;
}

LogicalOperatorPtr QueryPlanner::PlanQuery(BoundQuery& query) {
  CheckStack();
  return PlanWith(query.ctes, [&]() -> LogicalOperatorPtr {
    switch (query.kind) {
      case BoundQueryKind::kSelect: return PlanSelect(query.As<BoundSelect>());
      case BoundQueryKind::kSetOperation: return PlanSetOperation(*this, query.As<BoundSetOperation>());
      case BoundQueryKind::kValues: return PlanValues(query.As<BoundValues>());
    }
    ThrowInternal("unknown query");
  });
}

LogicalOperatorPtr QueryPlanner::PlanWith(const std::vector<std::shared_ptr<BoundCte>>& ctes,
                                          const std::function<LogicalOperatorPtr()>& plan_reader) {
  // A definition is planned before its readers. In the plan it is above all of them, as it materializes rows
  // for them.
  std::vector<LogicalOperatorPtr> definitions;
  for (const auto& cte : ctes)
    definitions.push_back(IsInlined(*cte) ? nullptr : PlanCte(*cte, NewTableIndex()));
  LogicalOperatorPtr plan = plan_reader();
  LogicalMaterialize* outermost = nullptr;
  bool has_changes = false;
  for (size_t i = ctes.size(); i-- > 0;) {
    if (!definitions[i]) continue;
    auto kept = std::make_unique<LogicalMaterialize>(ctes[i]->share, ctes[i]->name, std::move(definitions[i]),
                                                     std::move(plan));
    kept->is_change = ctes[i]->change != nullptr;
    has_changes = has_changes || kept->is_change;
    outermost = kept.get();
    plan = std::move(kept);
  }
  // The outermost node waits with all writes until every part has read, so that all of them see the same
  // rows.
  if (has_changes) outermost->is_statement = true;
  return plan;
}

LogicalOperatorPtr QueryPlanner::PlanCte(BoundCte& cte, size_t table_index) {
  if (cte.change) return PlanStatement(*this, *cte.change).root;
  if (!cte.next) {
    LogicalOperatorPtr plan = PlanQuery(*cte.query);
    RenumberTables(*plan, {{cte.query->table_index, table_index}});
    return plan;
  }
  LogicalOperatorPtr first = PlanQuery(*cte.query);
  LogicalOperatorPtr next = CastColumns(*this, PlanQuery(*cte.next), cte.types);
  return std::make_unique<LogicalRecursion>(table_index, cte.round_share, cte.name, cte.is_distinct,
                                            std::move(first), std::move(next), cte.names);
}

LogicalOperatorPtr QueryPlanner::PlanCteTable(BoundCteTable& table) {
  BoundCte& cte = *table.cte;
  if (!table.reads_round && IsInlined(cte)) return PlanCte(cte, table.table_index);
  return std::make_unique<LogicalSharedScan>(table.reads_round ? cte.round_share : cte.share, cte.name,
                                             table.table_index, cte.types, cte.names);
}

/// Throws 55000 for a materialized view that has no rows yet. Only plans read them: a view of it may be made.
static void RequirePopulated(const TableEntry& table) {
  if (table.materialization != Materialization::kEmpty) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("materialized view \"{}\" has not been populated; use REFRESH MATERIALIZED VIEW",
                         table.name));
}

LogicalOperatorPtr QueryPlanner::PlanTable(BoundTableRef& table) {
  CheckStack();
  switch (table.kind) {
    case BoundTableRefKind::kBaseTable: {
      auto& base = table.As<BoundBaseTable>();
      RequirePopulated(*base.table);
      auto get = std::make_unique<LogicalGet>(base.table_index, base.table);
      if (base.has_row_number) get->columns.push_back(kRowNumberColumn);
      get->indexed = base.indexed;
      return get;
    }
    case BoundTableRefKind::kTableFunction: {
      auto& call = table.As<BoundTableFunctionCall>();
      return std::make_unique<LogicalTableFunction>(call.table_index, call.function, call.bound);
    }
    case BoundTableRefKind::kRowsFunction: return PlanRowsFunction(*this, table.As<BoundRowsFunction>());
    case BoundTableRefKind::kCte: return PlanCteTable(table.As<BoundCteTable>());
    case BoundTableRefKind::kQuery: return PlanQuery(*table.As<BoundQueryTable>().query);
    case BoundTableRefKind::kJoin: return PlanJoin(*this, table.As<BoundJoin>());
    case BoundTableRefKind::kUnnest: {
      auto& unnest = table.As<BoundUnnest>();
      LogicalOperatorPtr input = OneRow();
      for (auto& list : unnest.lists) SubqueryUnnester(*this).Replace(list, input);
      return std::make_unique<LogicalUnnest>(unnest.table_index, std::move(input), std::move(unnest.lists),
                                             unnest.has_ordinality, false);
    }
  }
  ThrowInternal("unknown table reference");
}

LogicalOperatorPtr QueryPlanner::PlanInput(BoundSelect& select) {
  LogicalOperatorPtr input = select.from ? PlanTable(*select.from) : OneRow();
  if (!select.where) return input;
  std::vector<ExpressionPtr> conjuncts;
  SplitAnd(std::move(select.where), conjuncts);
  return SubqueryUnnester(*this).Filter(std::move(input), std::move(conjuncts));
}

LogicalOperatorPtr QueryPlanner::PlanGrouping(BoundSelect& select, LogicalOperatorPtr input) {
  if (!select.is_grouped) return input;
  SubqueryUnnester unnester(*this);
  input = PlanSets(*this, select.group_sets, std::move(input));
  for (auto& group : select.groups) unnester.Replace(group, input);
  for (auto& aggregate : select.aggregates) unnester.Replace(aggregate, input);
  std::vector<int32_t> empty_sets;
  if (!select.grouping_sets.empty()) {
    for (size_t set = 0; set < select.grouping_sets.size(); set++) {
      if (select.grouping_sets[set].empty()) empty_sets.push_back(static_cast<int32_t>(set));
    }
    input = ComputeVolatile(*this, select, std::move(input));
    input = PlanExpand(*this, select, std::move(input));
  }
  auto aggregate =
      std::make_unique<LogicalAggregate>(select.group_index, select.aggregate_index, std::move(input),
                                         std::move(select.groups), std::move(select.aggregates));
  aggregate->empty_sets = std::move(empty_sets);
  input = std::move(aggregate);
  if (!select.having) return input;
  std::vector<ExpressionPtr> conjuncts;
  SplitAnd(std::move(select.having), conjuncts);
  return unnester.Filter(std::move(input), std::move(conjuncts));
}

LogicalOperatorPtr QueryPlanner::PlanSelect(BoundSelect& select) {
  LogicalOperatorPtr plan = PlanWindows(*this, select, PlanGrouping(select, PlanInput(select)));
  SubqueryUnnester unnester(*this);
  if (select.qualify) {
    std::vector<ExpressionPtr> conjuncts;
    SplitAnd(std::move(select.qualify), conjuncts);
    plan = unnester.Filter(std::move(plan), std::move(conjuncts));
  }
  plan = PlanSets(*this, select.sets, std::move(plan));
  std::vector<LogicalType> types;
  std::vector<std::string> names = select.names;
  for (auto& item : select.items) {
    std::string alias = item->alias;
    unnester.Replace(item, plan);
    item->alias = std::move(alias);
    types.push_back(item->type());
    if (types.size() > names.size()) names.push_back(item->ToString());
  }
  std::map<size_t, ExpressionPtr> late = TakeLateItems(*this, select);
  plan = std::make_unique<LogicalProject>(select.item_index, std::move(plan), std::move(select.items));
  if (select.distinct)
    plan = std::make_unique<LogicalDistinct>(std::move(plan), std::vector<ExpressionPtr>());
  if (!select.distinct_on.empty() && !select.order_by.empty() && !select.with_ties) AddDistinctKeys(select);
  plan = PlanOrder(select, select.item_index, types, names, std::move(plan));
  if (!select.distinct_on.empty()) {
    std::vector<ExpressionPtr> on;
    for (const size_t item : select.distinct_on)
      on.push_back(MakeColumn(types[item], {select.item_index, item}, names[item]));
    plan = std::make_unique<LogicalDistinct>(std::move(plan), std::move(on));
  }
  // OFFSET skips rows whose items have been computed.
  const bool is_limited_last = !late.empty() && select.offset && !select.with_ties;
  plan = is_limited_last ? PlanLimitWithSkipped(select, std::move(plan))
                         : PlanLimit(*this, select, std::move(plan));
  if (select.item_index != select.table_index) {
    std::vector<ExpressionPtr> visible;
    for (size_t i = 0; i < select.names.size(); i++) {
      const auto item = late.find(i);
      visible.push_back(item != late.end() ? std::move(item->second)
                                           : MakeColumn(types[i], {select.item_index, i}, names[i]));
    }
    plan = std::make_unique<LogicalProject>(select.table_index, std::move(plan), std::move(visible));
  }
  return is_limited_last ? PlanLimit(*this, select, std::move(plan)) : std::move(plan);
}

LogicalOperatorPtr QueryPlanner::PlanValues(BoundValues& values) {
  LogicalOperatorPtr plan;
  if (std::any_of(values.rows.begin(), values.rows.end(), HasSubqueries)) {
    plan = PlanRowsWithSubqueries(*this, values);
  } else {
    auto node = std::make_unique<LogicalValues>(values.table_index, values.types, values.names);
    node->rows = std::move(values.rows);
    plan = std::move(node);
  }
  plan = PlanOrder(values, values.table_index, values.types, values.names, std::move(plan));
  return PlanLimit(*this, values, std::move(plan));
}

}  // namespace scaup
