// Statements to plans.
#include "planner/planner.hpp"

#include "common/throw.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

namespace {

/// True when `values` are the source's columns as they are, so that no projection is needed.
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

LogicalPlan PlanQueryStatement(QueryPlanner& planner, BoundQueryStatement& statement) {
  LogicalPlan plan;
  plan.names = statement.query->names;
  plan.types = statement.query->types;
  plan.returns_rows = true;
  plan.root = planner.PlanQuery(*statement.query);
  return plan;
}

/// What all statements that write have.
LogicalPlan PlanWrite(std::unique_ptr<LogicalWrite> write, std::vector<BoundCheck>& checks,
                      std::optional<BoundReturning>& returning) {
  for (BoundCheck& check : checks) write->checks.push_back({check.name, std::move(check.condition)});
  LogicalPlan plan;
  if (returning) {
    write->table_index = returning->table_index;
    write->returning = std::move(returning->items);
    plan.names = returning->names;
    plan.types = write->Types();
    plan.returns_rows = true;
  }
  plan.root = std::move(write);
  return plan;
}

LogicalPlan PlanUpdate(QueryPlanner& planner, BoundUpdate& update) {
  LogicalOperatorPtr rows = planner.PlanQuery(*update.source);
  if (update.returning || !update.checks.empty() || !IsIdentity(update.projection, *rows))
    rows = std::make_unique<LogicalProject>(update.row_index, std::move(rows), std::move(update.projection));
  return PlanWrite(
      std::make_unique<LogicalUpdate>(planner.NewTableIndex(), update.table, update.columns, std::move(rows)),
      update.checks, update.returning);
}

LogicalPlan PlanDelete(QueryPlanner& planner, BoundDelete& deletion) {
  std::vector<BoundCheck> no_checks;
  return PlanWrite(std::make_unique<LogicalDelete>(planner.NewTableIndex(), deletion.table,
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
  }
  node->row_columns = std::move(merge.row_columns);
  return PlanWrite(std::move(node), merge.checks, merge.returning);
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
  auto node = std::make_unique<LogicalInsert>(planner.NewTableIndex(), insert.table, std::move(source));
  if (insert.on_conflict) {
    BoundOnConflict& conflict = *insert.on_conflict;
    node->on_conflict = {std::move(conflict.indexes),     conflict.do_update,
                         conflict.existing_index,         std::move(conflict.values),
                         std::move(conflict.set_columns), std::move(conflict.where)};
  }
  return PlanWrite(std::move(node), insert.checks, insert.returning);
}

LogicalPlan PlanStatement(QueryPlanner& planner, BoundStatement& statement) {
  LogicalPlan plan;
  switch (statement.kind) {
    case BoundStatementKind::kQuery: return PlanQueryStatement(planner, statement.As<BoundQueryStatement>());
    case BoundStatementKind::kInsert: return PlanInsert(planner, statement.As<BoundInsert>());
    case BoundStatementKind::kCreateTableAs: {
      auto& create = statement.As<BoundCreateTableAs>();
      plan.root = std::make_unique<LogicalCreateTableAs>(create.schema, create.table, create.columns,
                                                         planner.PlanQuery(*create.query));
      return plan;
    }
    case BoundStatementKind::kCopyTo: {
      auto& copy = statement.As<BoundCopyTo>();
      auto node = std::make_unique<LogicalCopyTo>(copy.path, planner.PlanQuery(*copy.query));
      node->options = copy.options;
      node->column_names = copy.query->names;
      plan.root = std::move(node);
      return plan;
    }
    case BoundStatementKind::kExplain: {
      auto& explain = statement.As<BoundExplain>();
      LogicalPlan inner = PlanStatement(planner, *explain.statement);
      plan.root = std::make_unique<LogicalExplain>(planner.NewTableIndex(), explain.analyze, explain.format,
                                                   std::move(inner.root));
      plan.names = plan.root->Names();
      plan.types = plan.root->Types();
      plan.returns_rows = true;
      return plan;
    }
    case BoundStatementKind::kUpdate: return PlanUpdate(planner, statement.As<BoundUpdate>());
    case BoundStatementKind::kDelete: return PlanDelete(planner, statement.As<BoundDelete>());
    case BoundStatementKind::kMerge: return PlanMerge(planner, statement.As<BoundMerge>());
    case BoundStatementKind::kTruncate:
    case BoundStatementKind::kCreateIndex:
    case BoundStatementKind::kCreateSequence:
    case BoundStatementKind::kCreateView:
    case BoundStatementKind::kCreateType:
    case BoundStatementKind::kAlterTable:
    case BoundStatementKind::kAlterType:
    case BoundStatementKind::kAlterSequence:
    case BoundStatementKind::kRenameIndex:
    case BoundStatementKind::kCreateTable:
    case BoundStatementKind::kCreateSchema:
    case BoundStatementKind::kDrop:
    case BoundStatementKind::kSet:
    case BoundStatementKind::kTransaction:
    case BoundStatementKind::kCheckpoint:
    case BoundStatementKind::kVacuum:
    case BoundStatementKind::kExportDatabase:
    case BoundStatementKind::kImportDatabase: break;
  }
  ThrowInternal("a statement without a plan was given to the planner");
}

}  // namespace

LogicalPlan LogicalPlan::Clone() const { return {ClonePlan(*root), names, types, returns_rows}; }

LogicalPlan Planner::Plan(BoundStatementPtr statement) {
  QueryPlanner planner(statement->next_table_index);
  return PlanStatement(planner, *statement);
}

}  // namespace scaup
