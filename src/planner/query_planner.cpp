// The query planner: plans the clauses of a query in the order in which SQL evaluates them.
#include "planner/query_planner.hpp"

#include <algorithm>
#include <set>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "planner/dependent_plan.hpp"
#include "planner/nodes.hpp"
#include "planner/numbered_limit.hpp"
#include "planner/plan_tables.hpp"
#include "planner/planner.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

std::set<size_t> TableIndexes(const LogicalOperator& plan) {
  std::set<size_t> indexes;
  for (const ColumnBinding& binding : plan.Bindings()) indexes.insert(binding.table_index);
  return indexes;
}

/// The columns that an expression uses: any at all, and only those of one side. A value.
struct Usage {
  bool uses_any = false;
  bool is_within = true;
};
Usage UsageOf(const Expression& expression, const std::set<size_t>& tables) {
  Usage usage;
  ForEachColumnRef(expression, [&](const ColumnRefExpression& column) {
    usage.uses_any = true;
    if (!tables.contains(column.binding.table_index)) usage.is_within = false;
  });
  return usage;
}

bool IsAlwaysTrue(const std::vector<ExpressionPtr>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [](const ExpressionPtr& condition) {
    return condition->kind() == ExpressionKind::kConstant &&
           condition->As<ConstantExpression>().value == Value::Boolean(true);
  });
}

/// Returns whether `plan` is unnest() of lists in the rows of `input`. It then needs no join, as it can read
/// the input itself.
bool IsUnnestOf(const LogicalOperator& input, LogicalOperator& plan) {
  return plan.kind() == LogicalKind::kUnnest && plan.children[0]->kind() == LogicalKind::kValues &&
         !UsedColumns(input, plan).empty();
}

bool HasSubqueries(const std::vector<ExpressionPtr>& expressions) {
  return std::any_of(expressions.begin(), expressions.end(), [](const auto& e) { return HasSubquery(*e); });
}

/// Returns whether a count is computed by a subquery, or is a column of an outer query.
bool IsComputed(const ExpressionPtr& count) {
  if (!count) return false;
  bool is_computed = HasSubquery(*count);
  ForEachColumnRef(*count, [&](const ColumnRefExpression&) { is_computed = true; });
  return is_computed;
}

/// Returns the side of an outer join on which the subqueries of its condition can be evaluated; none if they
/// use both.
std::optional<size_t> SideOfSubqueries(Expression& condition, const LogicalOperator& left,
                                       const LogicalOperator& right) {
  std::set<size_t> used;
  const std::function<void(Expression&)> collect = [&](Expression& expression) {
    if (expression.kind() == ExpressionKind::kSubquery) {
      auto& subquery = expression.As<SubqueryExpression>();
      subquery.ForEachChild([&](ExpressionPtr& compared) {
        ForEachColumnRef(*compared,
                         [&](const ColumnRefExpression& column) { used.insert(column.binding.table_index); });
      });
      ForEachOuterReference(*subquery.query, [&](ColumnRefExpression& column, size_t) {
        used.insert(column.binding.table_index);
      });
    }
    expression.ForEachChild([&](ExpressionPtr& child) { collect(*child); });
  };
  collect(condition);
  for (const size_t side : {size_t{1}, size_t{0}}) {
    const auto tables = TableIndexes(side == 0 ? left : right);
    if (std::includes(tables.begin(), tables.end(), used.begin(), used.end())) return side;
  }
  return std::nullopt;
}

ExpressionPtr MakeColumn(const LogicalType& type, size_t table_index, size_t column,
                         const std::string& name) {
  auto reference = std::make_unique<ColumnRefExpression>(type, ColumnBinding{table_index, column}, name);
  reference->alias = name;
  return reference;
}

}  // namespace

void AddJoinCondition(LogicalJoin& join, ExpressionPtr condition) {
  if (condition->kind() == ExpressionKind::kComparison) {
    auto& comparison = condition->As<ComparisonExpression>();
    const auto left = TableIndexes(*join.children[0]), right = TableIndexes(*join.children[1]);
    const auto belongs = [](const Expression& side, const std::set<size_t>& tables) {
      const Usage usage = UsageOf(side, tables);
      return usage.uses_any && usage.is_within;
    };
    if (belongs(*comparison.left, left) && belongs(*comparison.right, right)) {
      join.conditions.push_back({comparison.op, std::move(comparison.left), std::move(comparison.right)});
      return;
    }
    if (belongs(*comparison.left, right) && belongs(*comparison.right, left)) {
      join.conditions.push_back(
          {FlipComparison(comparison.op), std::move(comparison.right), std::move(comparison.left)});
      return;
    }
  }
  join.residual.push_back(std::move(condition));
}

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
      case BoundQueryKind::kSetOperation: return PlanSetOperation(query.As<BoundSetOperation>());
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

bool QueryPlanner::IsInlined(const BoundCte& cte) { return cte.use_count == 1 && !cte.always_kept; }

LogicalOperatorPtr QueryPlanner::PlanCte(BoundCte& cte, size_t table_index) {
  if (cte.change) return PlanStatement(*this, *cte.change).root;
  if (!cte.next) {
    LogicalOperatorPtr plan = PlanQuery(*cte.query);
    RenumberTables(*plan, {{cte.query->table_index, table_index}});
    return plan;
  }
  LogicalOperatorPtr first = PlanQuery(*cte.query);
  LogicalOperatorPtr next = CastColumns(PlanQuery(*cte.next), cte.types);
  return std::make_unique<LogicalRecursion>(table_index, cte.round_share, cte.name, cte.is_distinct,
                                            std::move(first), std::move(next), cte.names);
}

LogicalOperatorPtr QueryPlanner::PlanCteTable(BoundCteTable& table) {
  BoundCte& cte = *table.cte;
  if (!table.reads_round && IsInlined(cte)) return PlanCte(cte, table.table_index);
  return std::make_unique<LogicalSharedScan>(table.reads_round ? cte.round_share : cte.share, cte.name,
                                             table.table_index, cte.types, cte.names);
}

// --- FROM
// --------------------------------------------------------------------------------------------------------

LogicalOperatorPtr QueryPlanner::PlanTable(BoundTableRef& table) {
  CheckStack();
  switch (table.kind) {
    case BoundTableRefKind::kBaseTable: {
      auto& base = table.As<BoundBaseTable>();
      auto get = std::make_unique<LogicalGet>(base.table_index, base.table);
      if (base.has_row_number) get->columns.push_back(kRowNumberColumn);
      return get;
    }
    case BoundTableRefKind::kTableFunction: {
      auto& call = table.As<BoundTableFunctionCall>();
      return std::make_unique<LogicalTableFunction>(call.table_index, call.function, call.bound);
    }
    case BoundTableRefKind::kCte: return PlanCteTable(table.As<BoundCteTable>());
    case BoundTableRefKind::kQuery: return PlanQuery(*table.As<BoundQueryTable>().query);
    case BoundTableRefKind::kJoin: return PlanJoin(table.As<BoundJoin>());
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

LogicalOperatorPtr QueryPlanner::PlanJoin(BoundJoin& bound) {
  CheckStack();
  LogicalJoinType type = LogicalJoinType::kInner;
  switch (bound.type) {
    case BoundJoinType::kInner: break;
    case BoundJoinType::kLeft: type = LogicalJoinType::kLeft; break;
    case BoundJoinType::kRight: type = LogicalJoinType::kRight; break;
    case BoundJoinType::kFull: type = LogicalJoinType::kFull; break;
  }
  LogicalOperatorPtr left = PlanTable(*bound.left);
  LogicalOperatorPtr right = PlanTable(*bound.right);
  if (IsUnnestOf(*left, *right) && (type == LogicalJoinType::kInner || IsAlwaysTrue(bound.conditions))) {
    right->As<LogicalUnnest>().is_outer = type == LogicalJoinType::kLeft;
    right->children[0] = std::move(left);
    if (type == LogicalJoinType::kLeft) return right;
    return SubqueryUnnester(*this).Filter(std::move(right), std::move(bound.conditions));
  }
  if (type == LogicalJoinType::kInner)
    return PlanPairs(std::move(left), std::move(right), std::move(bound.conditions));
  const bool uses_both =
      std::any_of(bound.conditions.begin(), bound.conditions.end(), [&](const ExpressionPtr& condition) {
        return HasSubquery(*condition) && !SideOfSubqueries(*condition, *left, *right);
      });
  if (uses_both)
    return PlanOuterJoinOfPairs(type, std::move(left), std::move(right), std::move(bound.conditions));
  // The right child may use columns of the left one (LATERAL).
  LogicalJoin* join = &JoinDependent(*this, type, left, std::move(right), nullptr);
  for (auto& condition : bound.conditions) {
    if (HasSubquery(*condition)) {
      const size_t side = SideOfSubqueries(*condition, *join->children[0], *join->children[1]).value();
      SubqueryUnnester(*this).Replace(condition, join->children[side]);
    }
    AddJoinCondition(*join, std::move(condition));
  }
  return left;
}

LogicalOperatorPtr QueryPlanner::PlanPairs(LogicalOperatorPtr left, LogicalOperatorPtr right,
                                           std::vector<ExpressionPtr> conditions) {
  LogicalJoin& join = JoinDependent(*this, LogicalJoinType::kInner, left, std::move(right), nullptr);
  // The condition of an inner join may as well be a filter above it, where subqueries can use both sides.
  std::vector<ExpressionPtr> above;
  for (auto& condition : conditions) {
    if (HasSubquery(*condition)) {
      above.push_back(std::move(condition));
    } else {
      AddJoinCondition(join, std::move(condition));
    }
  }
  return SubqueryUnnester(*this).Filter(std::move(left), std::move(above));
}

QueryPlanner::NumberedRows QueryPlanner::NumberRows(LogicalOperatorPtr plan) {
  NumberedRows rows;
  const size_t index = NewTableIndex();
  std::vector<ExpressionPtr> functions;
  functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  rows.definition = std::make_unique<LogicalWindow>(index, std::move(plan), std::vector<ExpressionPtr>(),
                                                    std::vector<SortKey>(), std::move(functions));
  rows.share = NewTableIndex();
  rows.number = {index, 0};
  const std::vector<ColumnBinding> bindings = rows.definition->Bindings();
  const std::vector<LogicalType> types = rows.definition->Types();
  const std::vector<std::string> names = rows.definition->Names();
  for (LogicalOperatorPtr* scan : {&rows.paired, &rows.kept}) {
    auto made =
        std::make_unique<LogicalSharedScan>(rows.share, "numbered rows", NewTableIndex(), types, names);
    made->bindings = bindings;
    *scan = std::move(made);
  }
  // Both readers use the former bindings, which must be unique in the plan. So the definition gets new ones.
  std::map<size_t, size_t> numbers;
  for (const size_t table : TablesOf(*rows.definition)) numbers[table] = NewTableIndex();
  RenumberTables(*rows.definition, numbers);
  for (const ColumnBinding& binding : bindings) rows.in_pairs.try_emplace(binding.table_index, 0);
  for (auto& [table, in_pairs] : rows.in_pairs) in_pairs = NewTableIndex();
  return rows;
}

/// Finds the matching pairs as for an inner join, with the number of each row that must appear. Then it
/// outer-joins the rows with the pairs by number.
LogicalOperatorPtr QueryPlanner::PlanOuterJoinOfPairs(LogicalJoinType type, LogicalOperatorPtr left,
                                                      LogicalOperatorPtr right,
                                                      std::vector<ExpressionPtr> conditions) {
  std::optional<NumberedRows> kept_left, kept_right;
  if (type != LogicalJoinType::kRight) {
    kept_left = NumberRows(std::move(left));
    left = std::move(kept_left->paired);
  }
  if (type != LogicalJoinType::kLeft) {
    kept_right = NumberRows(std::move(right));
    right = std::move(kept_right->paired);
  }
  LogicalOperatorPtr plan = PlanPairs(std::move(left), std::move(right), std::move(conditions));
  if (kept_left) RenumberTables(*plan, kept_left->in_pairs);
  if (kept_right) RenumberTables(*plan, kept_right->in_pairs);
  const auto join_kept = [&](LogicalJoinType join_type, NumberedRows& rows, bool is_left) {
    ExpressionPtr number = MakeColumn(TypeId::kBigInt, rows.number.table_index, 0, "row number");
    ExpressionPtr paired =
        MakeColumn(TypeId::kBigInt, rows.in_pairs.at(rows.number.table_index), 0, "row number");
    if (is_left) std::swap(plan, rows.kept);
    auto join = std::make_unique<LogicalJoin>(join_type, std::move(plan), std::move(rows.kept));
    if (!is_left) std::swap(number, paired);
    join->conditions.push_back({ComparisonOp::kEqual, std::move(number), std::move(paired)});
    plan = std::move(join);
  };
  if (kept_left) join_kept(LogicalJoinType::kLeft, *kept_left, true);
  if (kept_right) join_kept(type, *kept_right, false);
  for (auto* rows : {&kept_right, &kept_left}) {
    if (!*rows) continue;
    plan = std::make_unique<LogicalMaterialize>((*rows)->share, "numbered rows",
                                                std::move((*rows)->definition), std::move(plan));
  }
  return plan;
}

// --- SELECT
// ------------------------------------------------------------------------------------------------------

LogicalOperatorPtr QueryPlanner::PlanInput(BoundSelect& select) {
  LogicalOperatorPtr input = select.from ? PlanTable(*select.from) : OneRow();
  if (!select.where) return input;
  std::vector<ExpressionPtr> conjuncts;
  SplitAnd(std::move(select.where), conjuncts);
  return SubqueryUnnester(*this).Filter(std::move(input), std::move(conjuncts));
}

LogicalOperatorPtr QueryPlanner::PlanExpand(BoundSelect& select, LogicalOperatorPtr input) {
  const size_t index = NewTableIndex();
  std::vector<ExpressionPtr> groups;
  for (size_t i = 0; i < select.groups.size(); i++)
    groups.push_back(MakeColumn(select.groups[i]->type(), index, i, select.groups[i]->ToString()));
  groups.push_back(MakeColumn(TypeId::kInteger, index, groups.size(), "grouping set"));
  input = std::make_unique<LogicalExpand>(index, std::move(input), std::move(select.groups),
                                          std::move(select.grouping_sets));
  select.groups = std::move(groups);
  return input;
}

LogicalOperatorPtr QueryPlanner::PlanSets(BoundSets& sets, LogicalOperatorPtr input) {
  if (sets.lists.empty()) return input;
  for (auto& list : sets.lists) SubqueryUnnester(*this).Replace(list, input);
  return std::make_unique<LogicalUnnest>(sets.table_index, std::move(input), std::move(sets.lists), false,
                                         false);
}

LogicalOperatorPtr QueryPlanner::PlanGrouping(BoundSelect& select, LogicalOperatorPtr input) {
  if (!select.is_grouped) return input;
  SubqueryUnnester unnester(*this);
  input = PlanSets(select.group_sets, std::move(input));
  for (auto& group : select.groups) unnester.Replace(group, input);
  for (auto& aggregate : select.aggregates) unnester.Replace(aggregate, input);
  std::vector<int32_t> empty_sets;
  if (!select.grouping_sets.empty()) {
    for (size_t set = 0; set < select.grouping_sets.size(); set++) {
      if (select.grouping_sets[set].empty()) empty_sets.push_back(static_cast<int32_t>(set));
    }
    input = PlanExpand(select, std::move(input));
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
  LogicalOperatorPtr plan = PlanWindows(select, PlanGrouping(select, PlanInput(select)));
  SubqueryUnnester unnester(*this);
  plan = PlanSets(select.sets, std::move(plan));
  std::vector<LogicalType> types;
  std::vector<std::string> names = select.names;
  for (auto& item : select.items) {
    std::string alias = item->alias;
    unnester.Replace(item, plan);
    item->alias = std::move(alias);
    types.push_back(item->type());
    if (types.size() > names.size()) names.push_back(item->ToString());
  }
  plan = std::make_unique<LogicalProject>(select.item_index, std::move(plan), std::move(select.items));
  if (select.distinct)
    plan = std::make_unique<LogicalDistinct>(std::move(plan), std::vector<ExpressionPtr>());
  plan = PlanOrder(select, select.item_index, types, names, std::move(plan));
  if (!select.distinct_on.empty()) {
    std::vector<ExpressionPtr> on;
    for (const size_t item : select.distinct_on)
      on.push_back(MakeColumn(types[item], select.item_index, item, names[item]));
    plan = std::make_unique<LogicalDistinct>(std::move(plan), std::move(on));
  }
  plan = PlanLimit(select, std::move(plan));
  if (select.item_index == select.table_index) return plan;
  std::vector<ExpressionPtr> visible;
  for (size_t i = 0; i < select.names.size(); i++)
    visible.push_back(MakeColumn(types[i], select.item_index, i, names[i]));
  return std::make_unique<LogicalProject>(select.table_index, std::move(plan), std::move(visible));
}

LogicalOperatorPtr QueryPlanner::PlanOrder(BoundQuery& query, size_t table_index,
                                           const std::vector<LogicalType>& types,
                                           const std::vector<std::string>& names, LogicalOperatorPtr input) {
  if (query.order_by.empty()) return input;
  std::vector<SortKey> keys;
  for (const BoundOrder& order : query.order_by) {
    keys.push_back({MakeColumn(types[order.column], table_index, order.column, names[order.column]),
                    order.descending, order.nulls_first});
  }
  return std::make_unique<LogicalSort>(std::move(input), std::move(keys));
}

/// Plans LIMIT ... WITH TIES. The few rows that remain are sorted again, since windows promise no order.
LogicalOperatorPtr QueryPlanner::PlanTies(BoundQuery& query, LogicalOperatorPtr input) {
  const std::vector<ColumnBinding> bindings = input->Bindings();
  const std::vector<LogicalType> types = input->Types();
  const std::vector<std::string> names = input->Names();
  const auto own = [](const LogicalOperator& node) {
    const LogicalOperator* at = &node;
    while (at->kind() == LogicalKind::kDistinct) at = at->children[0].get();
    return at;
  };
  const LogicalOperator* sort = own(*input);
  SCAUP_CHECK(sort->kind() == LogicalKind::kSort);
  std::vector<SortKey> keys = CloneKeys(sort->As<LogicalSort>().keys);
  for (ExpressionPtr* count : {&query.limit, &query.offset})
    if (*count) SubqueryUnnester(*this).Replace(*count, input);
  NumberedLimit limit{{}, CloneKeys(keys), std::move(query.limit), std::move(query.offset), true};
  LogicalOperatorPtr plan = LimitByNumber(*this, std::move(input), std::move(limit));
  plan = std::make_unique<LogicalSort>(std::move(plan), std::move(keys));
  // The projection removes the numbers, and restores the bindings of the columns.
  const size_t table_index = bindings.front().table_index, inner_index = NewTableIndex();
  RenumberTables(*plan, {{table_index, inner_index}});
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < bindings.size(); i++)
    columns.push_back(MakeColumn(types[i], inner_index, bindings[i].column_index, names[i]));
  return std::make_unique<LogicalProject>(table_index, std::move(plan), std::move(columns));
}

LogicalOperatorPtr QueryPlanner::PlanLimit(BoundQuery& query, LogicalOperatorPtr input) {
  if (!query.limit && !query.offset) return input;
  if (query.with_ties && query.limit) return PlanTies(query, std::move(input));
  if (!IsComputed(query.limit) && !IsComputed(query.offset))
    return std::make_unique<LogicalLimit>(std::move(input), std::move(query.limit), std::move(query.offset));
  LogicalOperatorPtr counts = OneRow();
  std::vector<ExpressionPtr> columns;
  const size_t index = NewTableIndex();
  for (ExpressionPtr* count : {&query.limit, &query.offset}) {
    if (!*count) continue;
    const std::optional<size_t> position = (*count)->position;
    SubqueryUnnester(*this).Replace(*count, counts);
    const std::string name = count == &query.limit ? "limit" : "offset";
    ExpressionPtr column = MakeColumn(TypeId::kBigInt, index, columns.size(), name);
    column->position = position;
    columns.push_back(std::move(*count));
    columns.back()->alias = name;
    *count = std::move(column);
  }
  counts = std::make_unique<LogicalProject>(index, std::move(counts), std::move(columns));
  return std::make_unique<LogicalLimit>(std::move(input), std::move(query.limit), std::move(query.offset),
                                        std::move(counts));
}

// --- Set operations and VALUES
// -----------------------------------------------------------------------------------

LogicalOperatorPtr QueryPlanner::CastColumns(LogicalOperatorPtr input,
                                             const std::vector<LogicalType>& types) {
  if (input->Types() == types) return input;
  const auto bindings = input->Bindings();
  const auto names = input->Names();
  const auto from = input->Types();
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < types.size(); i++) {
    ExpressionPtr column = MakeColumn(from[i], bindings[i].table_index, bindings[i].column_index, names[i]);
    columns.push_back(AddCast(std::move(column), types[i]));
  }
  return std::make_unique<LogicalProject>(NewTableIndex(), std::move(input), std::move(columns));
}

LogicalOperatorPtr QueryPlanner::NumberDuplicates(LogicalOperatorPtr input) {
  const auto bindings = input->Bindings();
  const auto types = input->Types();
  const auto names = input->Names();
  std::vector<ExpressionPtr> columns, functions;
  for (size_t i = 0; i < bindings.size(); i++)
    columns.push_back(MakeColumn(types[i], bindings[i].table_index, bindings[i].column_index, names[i]));
  functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  return std::make_unique<LogicalWindow>(NewTableIndex(), std::move(input), std::move(columns),
                                         std::vector<SortKey>(), std::move(functions));
}

LogicalOperatorPtr QueryPlanner::PlanSetOperation(BoundSetOperation& query) {
  std::vector<LogicalOperatorPtr> inputs;
  for (auto& operand : query.operands) inputs.push_back(CastColumns(PlanQuery(*operand), query.types));
  LogicalOperatorPtr plan;
  if (query.operation == BoundSetOperationType::kUnion) {
    plan = std::make_unique<LogicalUnionAll>(query.table_index, std::move(inputs), query.names);
  } else {
    // INTERSECT and EXCEPT are semi and anti joins that treat NULLs as equal. With ALL, the nth of several
    // equal rows corresponds to the nth one of the other input, so rows are numbered first.
    std::vector<LogicalType> types = query.types;
    if (query.all) {
      for (LogicalOperatorPtr& input : inputs) input = NumberDuplicates(std::move(input));
      types.emplace_back(TypeId::kBigInt);
    }
    plan = std::move(inputs[0]);
    const bool is_intersect = query.operation == BoundSetOperationType::kIntersect;
    for (size_t i = 1; i < inputs.size(); i++) {
      const auto left = plan->Bindings(), right = inputs[i]->Bindings();
      auto join =
          std::make_unique<LogicalJoin>(is_intersect ? LogicalJoinType::kSemi : LogicalJoinType::kAnti,
                                        std::move(plan), std::move(inputs[i]));
      for (size_t column = 0; column < types.size(); column++) {
        const auto side = [&](const ColumnBinding& binding) {
          return MakeColumn(types[column], binding.table_index, binding.column_index,
                            column < query.names.size() ? query.names[column] : "row_number()");
        };
        join->conditions.push_back({ComparisonOp::kNotDistinctFrom, side(left[column]), side(right[column])});
      }
      plan = std::move(join);
    }
    const auto bindings = plan->Bindings();
    std::vector<ExpressionPtr> columns;
    for (size_t i = 0; i < query.types.size(); i++) {
      columns.push_back(
          MakeColumn(query.types[i], bindings[i].table_index, bindings[i].column_index, query.names[i]));
    }
    plan = std::make_unique<LogicalProject>(query.table_index, std::move(plan), std::move(columns));
  }
  if (!query.all) plan = std::make_unique<LogicalDistinct>(std::move(plan), std::vector<ExpressionPtr>());
  plan = PlanOrder(query, query.table_index, query.types, query.names, std::move(plan));
  return PlanLimit(query, std::move(plan));
}

LogicalOperatorPtr QueryPlanner::PlanRowsWithSubqueries(BoundValues& values) {
  std::vector<LogicalOperatorPtr> rows;
  for (auto& row : values.rows) {
    LogicalOperatorPtr input = OneRow();
    for (size_t i = 0; i < row.size(); i++) {
      SubqueryUnnester(*this).Replace(row[i], input);
      row[i]->alias = values.names[i];
    }
    rows.push_back(std::make_unique<LogicalProject>(NewTableIndex(), std::move(input), std::move(row)));
  }
  return std::make_unique<LogicalUnionAll>(values.table_index, std::move(rows), values.names);
}

LogicalOperatorPtr QueryPlanner::PlanValues(BoundValues& values) {
  LogicalOperatorPtr plan;
  if (std::any_of(values.rows.begin(), values.rows.end(), HasSubqueries)) {
    plan = PlanRowsWithSubqueries(values);
  } else {
    auto node = std::make_unique<LogicalValues>(values.table_index, values.types, values.names);
    node->rows = std::move(values.rows);
    plan = std::move(node);
  }
  plan = PlanOrder(values, values.table_index, values.types, values.names, std::move(plan));
  return PlanLimit(values, std::move(plan));
}

}  // namespace scaup
