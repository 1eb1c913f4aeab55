// The planner: statements that read and write, a function each.
#include "planner/planner.hpp"

#include <algorithm>
#include <map>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/bound_call.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/plan_tables.hpp"
#include "planner/query_planner.hpp"
#include "planner/unnest_subquery.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

namespace {

/// Returns whether `values` are the source's columns as they are, so that no projection is needed.
bool IsIdentity(const std::vector<ExpressionPtr>& values, const LogicalOperator& source) {
  const auto bindings = source.Bindings();
  if (bindings.size() != values.size()) return false;
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i]->kind() != ExpressionKind::kColumnRef ||
        !(values[i]->As<ColumnRefExpression>().binding == bindings[i])) {
      return false;
    }
  }
  return true;
}

/// Returns whether clients and files get other values than the engine computes with.
bool HasOutputForm(const LogicalType& type) {
  return IsChar(type) || ObjectNumberOf(type) != ObjectNumber::kNone;
}

/// Fills a CHAR(n) up with spaces, and replaces the number of an object by its name.
ExpressionPtr OutputForm(ExpressionPtr value) {
  if (IsChar(value->type())) {
    BoundFunction filling = FillingFunction(value->type());
    return CallBound(std::move(filling), std::move(value));
  }
  if (HasOutputForm(value->type())) return AddCast(std::move(value), TypeId::kVarchar);
  return value;
}

/// Plans the query of a statement, with the values as clients and files get them.
LogicalOperatorPtr PlanOutput(QueryPlanner& planner, BoundQuery& query) {
  LogicalOperatorPtr plan = planner.PlanQuery(query);
  if (std::none_of(query.types.begin(), query.types.end(), HasOutputForm)) return plan;
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < query.types.size(); i++) {
    columns.push_back(OutputForm(MakeColumn(query.types[i], {query.table_index, i}, query.names[i])));
    columns.back()->alias = query.names[i];
    if (ObjectNumberOf(query.types[i]) != ObjectNumber::kNone) query.types[i] = TypeId::kVarchar;
  }
  return std::make_unique<LogicalProject>(planner.NewTableIndex(), std::move(plan), std::move(columns));
}

LogicalPlan PlanQueryStatement(QueryPlanner& planner, BoundQueryStatement& statement) {
  LogicalPlan plan;
  plan.root = PlanOutput(planner, *statement.query);
  plan.names = statement.query->names;
  plan.types = statement.query->types;
  plan.returns_rows = true;
  return plan;
}

/// Plans RETURNING with subqueries as a query over the written rows, of which it materializes the columns
/// that are used. Like the parts of WITH, it sees the tables as they were before.
LogicalOperatorPtr PlanReturningQuery(QueryPlanner& planner, std::unique_ptr<LogicalWrite> write,
                                      BoundReturning& returning) {
  const size_t index = planner.NewTableIndex();
  std::map<ColumnBinding, size_t> places;
  for (ExpressionPtr& item : returning.items) {
    ForEachOwnReference(*item, [&](ColumnRefExpression& column) {
      const auto [place, is_new] = places.try_emplace(column.binding, write->returning.size());
      if (is_new) {
        write->returning.push_back(
            std::make_unique<ColumnRefExpression>(column.type(), column.binding, column.name));
        write->returning.back()->alias = column.name;
      }
      column.binding = {index, place->second};
    });
  }
  // Materialized rows need a column to be counted.
  if (places.empty()) write->returning.push_back(std::make_unique<ConstantExpression>(Value::Boolean(true)));
  write->table_index = planner.NewTableIndex();
  const size_t share = planner.NewTableIndex();
  LogicalOperatorPtr reader =
      std::make_unique<LogicalSharedScan>(share, "written rows", index, write->Types(), write->Names());
  for (ExpressionPtr& item : returning.items) SubqueryUnnester(planner).Replace(item, reader);
  reader =
      std::make_unique<LogicalProject>(returning.table_index, std::move(reader), std::move(returning.items));
  auto kept =
      std::make_unique<LogicalMaterialize>(share, "written rows", std::move(write), std::move(reader));
  kept->is_change = kept->is_returning = kept->is_statement = true;
  return kept;
}

/// Plans the parts that all writing statements have in common.
LogicalPlan PlanWrite(QueryPlanner& planner, std::unique_ptr<LogicalWrite> write,
                      std::vector<BoundCheck>& checks, std::optional<BoundReturning>& returning) {
  for (BoundCheck& check : checks)
    write->checks.push_back({check.name, std::move(check.condition), check.state, check.refusal});
  LogicalPlan plan;
  if (!returning) {
    plan.root = std::move(write);
    return plan;
  }
  for (ExpressionPtr& item : returning->items) {
    std::string alias = item->alias;
    item = OutputForm(std::move(item));
    item->alias = std::move(alias);
  }
  if (HasSubqueries(returning->items)) {
    plan.root = PlanReturningQuery(planner, std::move(write), *returning);
  } else {
    write->table_index = returning->table_index;
    write->returning = std::move(returning->items);
    plan.root = std::move(write);
  }
  plan.names = returning->names;
  plan.types = plan.root->Types();
  plan.returns_rows = true;
  return plan;
}

LogicalPlan PlanUpdate(QueryPlanner& planner, BoundUpdate& update) {
  LogicalOperatorPtr rows = planner.PlanQuery(*update.source);
  if (update.returning || !update.checks.empty() || !IsIdentity(update.projection, *rows))
    rows = std::make_unique<LogicalProject>(update.row_index, std::move(rows), std::move(update.projection));
  auto node =
      std::make_unique<LogicalUpdate>(planner.NewTableIndex(), update.table, update.columns, std::move(rows));
  node->assigned = std::move(update.assigned);
  return PlanWrite(planner, std::move(node), update.checks, update.returning);
}

LogicalPlan PlanDelete(QueryPlanner& planner, BoundDelete& deletion) {
  std::vector<BoundCheck> no_checks;
  return PlanWrite(planner,
                   std::make_unique<LogicalDelete>(planner.NewTableIndex(), deletion.table,
                                                   planner.PlanQuery(*deletion.source)),
                   no_checks, deletion.returning);
}

std::string TextOf(const BoundMergeClause& clause, const TableEntry& table) {
  using Match = ast::MergeClause::Match;
  using Action = ast::MergeClause::Action;
  std::string text = clause.match == Match::kMatched              ? "matched: "
                     : clause.match == Match::kNotMatchedByTarget ? "not matched by target: "
                                                                  : "not matched by source: ";
  switch (clause.action) {
    case Action::kInsert: return text + "insert";
    case Action::kDelete: return text + "delete";
    case Action::kNothing: return text + "nothing";
    case Action::kUpdate: break;
  }
  text += "update";
  for (size_t i = 0; i < clause.columns.size(); i++)
    text += (i == 0 ? " " : ", ") + table.columns[clause.columns[i]].name;
  return text;
}

LogicalPlan PlanMerge(QueryPlanner& planner, BoundMerge& merge) {
  using Action = ast::MergeClause::Action;
  auto node =
      std::make_unique<LogicalMerge>(planner.NewTableIndex(), merge.table, planner.PlanQuery(*merge.source));
  for (BoundMergeClause& clause : merge.clauses) {
    MergeAction& action = node->actions.emplace_back();
    action.text = TextOf(clause, *merge.table);
    switch (clause.action) {
      case Action::kInsert: action.kind = MergeAction::Kind::kInsert; break;
      case Action::kUpdate: action.kind = MergeAction::Kind::kUpdate; break;
      case Action::kDelete: action.kind = MergeAction::Kind::kDelete; break;
      case Action::kNothing: action.kind = MergeAction::Kind::kNothing; break;
    }
    action.columns = std::move(clause.columns);
    action.assigned = std::move(clause.assigned);
  }
  node->row_columns = std::move(merge.row_columns);
  return PlanWrite(planner, std::move(node), merge.checks, merge.returning);
}

/// Replaces the subqueries of expressions by columns {table_index, first + i}, and returns them. Equal
/// subqueries, which generated columns may repeat, are computed once.
std::vector<ExpressionPtr> TakeSubqueries(const std::vector<ExpressionPtr*>& expressions, size_t table_index,
                                          size_t first) {
  std::vector<ExpressionPtr> taken;
  const std::function<void(ExpressionPtr&)> take = [&](ExpressionPtr& expression) {
    if (expression->kind() != ExpressionKind::kSubquery) return expression->ForEachChild(take);
    size_t i = 0;
    while (i < taken.size() && !taken[i]->Equals(*expression)) i++;
    auto column = std::make_unique<ColumnRefExpression>(
        expression->type(), ColumnBinding{table_index, first + i}, expression->ToString());
    column->alias = expression->alias;
    column->position = expression->position;
    if (i == taken.size()) taken.push_back(std::move(expression));
    expression = std::move(column);
  };
  for (ExpressionPtr* expression : expressions) take(*expression);
  return taken;
}

/// Adds the values of the subqueries of ON CONFLICT to each row of `source`, {row_index, i}, as further
/// columns. If they use the existing row, a join by the conflicting columns finds it.
LogicalOperatorPtr JoinConflictSubqueries(QueryPlanner& planner, BoundInsert& insert,
                                          LogicalOperatorPtr source) {
  BoundOnConflict& conflict = *insert.on_conflict;
  const size_t width = insert.table->columns.size();
  std::vector<ExpressionPtr*> expressions;
  for (ExpressionPtr& value : conflict.values) expressions.push_back(&value);
  if (conflict.where) expressions.push_back(&conflict.where);
  std::vector<ExpressionPtr> subqueries = TakeSubqueries(expressions, insert.row_index, width);
  if (subqueries.empty()) return source;
  const std::vector<LogicalType> types = source->Types();
  const std::vector<std::string> names = source->Names();
  const size_t existing_index = planner.NewTableIndex();
  bool uses_existing = false;
  for (ExpressionPtr& subquery : subqueries) {
    ForEachOwnReference(*subquery, [&](ColumnRefExpression& column) {
      if (column.binding.table_index != conflict.existing_index) return;
      column.binding.table_index = existing_index;
      uses_existing = true;
    });
  }
  if (uses_existing) {
    auto join = std::make_unique<LogicalJoin>(LogicalJoinType::kLeft, std::move(source),
                                              std::make_unique<LogicalGet>(existing_index, insert.table));
    for (const size_t key : conflict.key_columns) {
      const auto side = [&](size_t index) {
        return std::make_unique<ColumnRefExpression>(types[key], ColumnBinding{index, key}, names[key]);
      };
      join->conditions.push_back({ComparisonOp::kEqual, side(insert.row_index), side(existing_index)});
    }
    source = std::move(join);
  }
  const size_t inner_index = planner.NewTableIndex();
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < width; i++) {
    columns.push_back(
        std::make_unique<ColumnRefExpression>(types[i], ColumnBinding{inner_index, i}, names[i]));
    columns.back()->alias = names[i];
  }
  for (ExpressionPtr& subquery : subqueries) {
    SubqueryUnnester(planner).Replace(subquery, source);
    ForEachColumnRef(subquery, [&](ColumnRefExpression& column) {
      if (column.binding.table_index == insert.row_index) column.binding.table_index = inner_index;
    });
    columns.push_back(std::move(subquery));
  }
  RenumberTables(*source, {{insert.row_index, inner_index}});
  return std::make_unique<LogicalProject>(insert.row_index, std::move(source), std::move(columns));
}

LogicalPlan PlanInsert(QueryPlanner& planner, BoundInsert& insert) {
  LogicalOperatorPtr source;
  if (insert.source) {
    source = planner.PlanTable(*insert.source);
  } else {
    auto row = std::make_unique<LogicalValues>(planner.NewTableIndex(), std::vector<LogicalType>(),
                                               std::vector<std::string>());
    row->rows.emplace_back();
    source = std::move(row);
  }
  if (insert.returning || insert.on_conflict || !insert.checks.empty() ||
      !IsIdentity(insert.values, *source)) {
    source = std::make_unique<LogicalProject>(insert.row_index, std::move(source), std::move(insert.values));
  }
  if (insert.on_conflict) source = JoinConflictSubqueries(planner, insert, std::move(source));
  auto node = std::make_unique<LogicalInsert>(planner.NewTableIndex(), insert.table, std::move(source));
  if (insert.on_conflict) {
    BoundOnConflict& conflict = *insert.on_conflict;
    node->assigned = std::move(conflict.assigned);
    node->on_conflict = {std::move(conflict.indexes),   conflict.do_update,
                         conflict.existing_index,       std::move(conflict.values),
                         conflict.updated_index,        std::move(conflict.generated_columns),
                         std::move(conflict.generated), std::move(conflict.set_columns),
                         std::move(conflict.where)};
  }
  return PlanWrite(planner, std::move(node), insert.checks, insert.returning);
}

/// Returns the WITH queries that belong above a writing statement: those of INSERT, and those that RETURNING
/// also reads or that change data. Others stay with the query whose rows are written.
std::vector<std::shared_ptr<BoundCte>> TakeWith(BoundStatement& statement) {
  if (statement.kind == BoundStatementKind::kInsert) return std::move(statement.As<BoundInsert>().ctes);
  const auto take = [](BoundQuery& source, const std::optional<BoundReturning>& returning) {
    std::vector<std::shared_ptr<BoundCte>> ctes;
    const bool has_changes = std::any_of(source.ctes.begin(), source.ctes.end(),
                                         [](const auto& cte) { return cte->change != nullptr; });
    if (has_changes || (returning && HasSubqueries(returning->items))) ctes = std::move(source.ctes);
    return ctes;
  };
  if (statement.kind == BoundStatementKind::kUpdate) {
    auto& update = statement.As<BoundUpdate>();
    return take(*update.source, update.returning);
  }
  if (statement.kind == BoundStatementKind::kDelete) {
    auto& deletion = statement.As<BoundDelete>();
    return take(*deletion.source, deletion.returning);
  }
  auto& merge = statement.As<BoundMerge>();
  return take(*merge.source, merge.returning);
}

template <typename Plan>
LogicalPlan PlanChanges(QueryPlanner& planner, BoundStatement& statement, const Plan& plan_write) {
  LogicalPlan plan;
  LogicalOperatorPtr root = planner.PlanWith(TakeWith(statement), [&] {
    plan = plan_write();
    return std::move(plan.root);
  });
  plan.root = std::move(root);
  return plan;
}

LogicalPlan PlanCreateTableAs(QueryPlanner& planner, BoundStatement& statement) {
  auto& create = statement.As<BoundCreateTableAs>();
  LogicalPlan plan;
  auto node = std::make_unique<LogicalCreateTableAs>(create.schema, create.table, create.columns,
                                                     planner.PlanQuery(*create.query));
  node->database = create.database;
  node->or_replace = create.or_replace;
  node->on_commit = create.on_commit;
  plan.root = std::move(node);
  return plan;
}

LogicalPlan PlanCopyTo(QueryPlanner& planner, BoundStatement& statement) {
  auto& copy = statement.As<BoundCopyTo>();
  auto node = std::make_unique<LogicalCopyTo>(copy.target, PlanOutput(planner, *copy.query));
  node->column_names = copy.query->names;
  LogicalPlan plan;
  plan.root = std::move(node);
  return plan;
}

LogicalPlan PlanExplain(QueryPlanner& planner, BoundStatement& statement) {
  auto& explain = statement.As<BoundExplain>();
  LogicalPlan inner = PlanStatement(planner, *explain.statement);
  LogicalPlan plan;
  plan.root = std::make_unique<LogicalExplain>(planner.NewTableIndex(), explain.analyze, explain.format,
                                               std::move(inner.root));
  plan.names = plan.root->Names();
  plan.types = plan.root->Types();
  plan.returns_rows = true;
  return plan;
}

/// Adapts a function that plans a change of a table.
template <typename Statement, LogicalPlan (*plan)(QueryPlanner&, Statement&)>
LogicalPlan PlanChange(QueryPlanner& planner, BoundStatement& statement) {
  return PlanChanges(planner, statement, [&] { return plan(planner, statement.As<Statement>()); });
}

/// The statements that have a plan, one row each.
constexpr struct {
  BoundStatementKind kind;
  LogicalPlan (*plan)(QueryPlanner&, BoundStatement&);
} kPlannedStatements[] = {
    {BoundStatementKind::kQuery,
     [](QueryPlanner& planner, BoundStatement& statement) {
       return PlanQueryStatement(planner, statement.As<BoundQueryStatement>());
     }},
    {BoundStatementKind::kInsert, &PlanChange<BoundInsert, &PlanInsert>},
    {BoundStatementKind::kUpdate, &PlanChange<BoundUpdate, &PlanUpdate>},
    {BoundStatementKind::kDelete, &PlanChange<BoundDelete, &PlanDelete>},
    {BoundStatementKind::kMerge, &PlanChange<BoundMerge, &PlanMerge>},
    {BoundStatementKind::kCreateTableAs, &PlanCreateTableAs},
    {BoundStatementKind::kCopyTo, &PlanCopyTo},
    {BoundStatementKind::kExplain, &PlanExplain},
};

}  // namespace

LogicalPlan PlanStatement(QueryPlanner& planner, BoundStatement& statement) {
  CheckStack();
  const auto row = std::find_if(std::begin(kPlannedStatements), std::end(kPlannedStatements),
                                [&](const auto& known) { return known.kind == statement.kind; });
  SCAUP_CHECK(row != std::end(kPlannedStatements));
  return row->plan(planner, statement);
}

LogicalPlan LogicalPlan::Clone() const { return {ClonePlan(*root), names, types, returns_rows}; }

LogicalPlan Planner::Plan(BoundStatementPtr statement) {
  SCAUP_ASSERT(HasPlan(*statement));
  QueryPlanner planner(statement->next_table_index);
  return PlanStatement(planner, *statement);
}

}  // namespace scaup
