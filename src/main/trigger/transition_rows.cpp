// Table functions over the rows that a statement has changed, and plans over them.
#include "main/trigger/transition_rows.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "common/stack_bound.hpp"
#include "execution/foreign/program_calls.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/project.hpp"
#include "planner/node/table_function.hpp"
#include "planner/node/values.hpp"
#include "planner/statement/insert.hpp"

namespace scaup {

namespace {

/// Some columns of changed rows. Borrows the rows.
struct BoundChangedRows final : BoundTableFunction {
  const SpillableRows* rows = nullptr;  ///< null if there are none
  size_t first_column = 0;
};

struct ChangedRowsShared final : TableFunctionShared {
  std::atomic<size_t> next_piece{0};
};

TableFunction ChangedRowsFunction() {
  TableFunction function;
  function.name = "changed rows";
  function.create_shared = [](const TableFunctionCall&) -> std::unique_ptr<TableFunctionShared> {
    return std::make_unique<ChangedRowsShared>();
  };
  function.create_local = [](const TableFunctionCall&,
                             TableFunctionShared&) -> std::unique_ptr<TableFunctionLocal> {
    return std::make_unique<TableFunctionLocal>();
  };
  function.next = [](const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal&,
                     DataChunk& output) {
    const auto& bound = static_cast<const BoundChangedRows&>(call.bound);
    const size_t piece = static_cast<ChangedRowsShared&>(shared).next_piece.fetch_add(1);
    if (bound.rows == nullptr || piece >= bound.rows->piece_count()) return;
    const RowsPiece rows = bound.rows->Piece(piece);
    for (size_t i = 0; i < call.columns.size(); i++)
      rows.ReadColumn(bound.first_column + call.columns[i], output.column(i));
    output.SetSize(rows.row_count());
    output.batch_index = piece;
  };
  return function;
}

/// Returns the relation of the columns of one row, of the old or of the new one.
std::shared_ptr<BoundChangedRows> OneRow(const RowChanges::Target& target, bool is_new) {
  auto bound = std::make_shared<BoundChangedRows>();
  const std::vector<size_t> columns = target.table->VisibleColumns();
  for (const size_t column : columns) {
    bound->column_names.push_back(target.table->columns[column].name);
    bound->column_types.push_back(target.table->columns[column].type);
  }
  bound->rows = target.rows.get();
  bound->first_column = is_new && target.has_old() ? columns.size() : 0;
  bound->estimated_row_count = target.rows ? target.rows->row_count() : 0;
  return bound;
}

/// Returns the relation of all columns, those of the old row first.
std::shared_ptr<BoundChangedRows> BothRows(const RowChanges::Target& target) {
  auto bound = std::make_shared<BoundChangedRows>();
  for (const bool is_new : {false, true}) {
    if (is_new ? !target.has_new() : !target.has_old()) continue;
    for (const size_t column : target.table->VisibleColumns()) {
      bound->column_names.push_back((is_new ? "new." : "old.") + target.table->columns[column].name);
      bound->column_types.push_back(target.table->columns[column].type);
    }
  }
  bound->rows = target.rows.get();
  bound->estimated_row_count = target.rows->row_count();
  return bound;
}

bool HasParameter(const Expression& expression) {
  CheckStack();
  bool found = expression.kind() == ExpressionKind::kParameter;
  expression.ForEachChild([&](const Expression& child) { found = found || HasParameter(child); });
  return found;
}

bool HasParameter(LogicalOperator& node) {
  bool found = false;
  node.ForEachExpression([&](ExpressionPtr& expression) { found = found || HasParameter(*expression); });
  return found;
}

/// Makes columns of a table of parameters.
void UseColumns(ExpressionPtr& expression, size_t table_index, const BoundTableFunction& rows) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kParameter)
    return expression->ForEachChild([&](ExpressionPtr& child) { UseColumns(child, table_index, rows); });
  const size_t column = expression->As<ParameterExpression>().index;
  auto reference = std::make_unique<ColumnRefExpression>(
      expression->type(), ColumnBinding{table_index, column}, rows.column_names[column]);
  reference->alias = expression->alias;
  expression = std::move(reference);
}

size_t NextTableIndex(LogicalOperator& plan) {
  CheckStack();
  size_t next = 0;
  plan.ForEachTableIndex([&](size_t& index) { next = std::max(next, index + 1); });
  for (const LogicalOperatorPtr& child : plan.children) next = std::max(next, NextTableIndex(*child));
  return next;
}

bool IsOneRow(const LogicalOperator& node) {
  return node.kind() == LogicalKind::kValues && node.As<LogicalValues>().rows.size() == 1;
}

/// The way from the root of a plan, or from below its INSERT, down to its only leaf, which has one row.
struct Chain {
  std::vector<LogicalOperatorPtr*> nodes;  ///< projections and filters, the topmost first
  LogicalOperatorPtr* leaf = nullptr;      ///< null if the plan is no such chain
};

Chain ChainOf(LogicalOperatorPtr& top) {
  Chain chain;
  LogicalOperatorPtr* node = &top;
  while ((*node)->kind() == LogicalKind::kProject || (*node)->kind() == LogicalKind::kFilter) {
    chain.nodes.push_back(node);
    node = &(*node)->children[0];
  }
  if (IsOneRow(**node)) chain.leaf = node;
  return chain;
}

/// Returns whether the parameters are where the columns of the leaf are visible.
bool AreParametersAtLeaf(const Chain& chain, bool leaf_has_columns) {
  bool sees_leaf = true;  // going up, until the first projection
  for (size_t i = chain.nodes.size(); i-- > 0;) {
    LogicalOperator& node = **chain.nodes[i];
    if ((leaf_has_columns || !sees_leaf) && HasParameter(node)) return false;
    sees_leaf = sees_leaf && node.kind() == LogicalKind::kFilter;
  }
  // A plan without a projection would yield the columns of the scan.
  return leaf_has_columns || !sees_leaf;
}

/// Puts a scan in the place of a leaf, with a projection over it if the leaf computes values.
void PutScan(LogicalOperatorPtr& leaf, LogicalOperatorPtr scan) {
  auto& values = leaf->As<LogicalValues>();
  if (values.types.empty()) {
    leaf = std::move(scan);
    return;
  }
  std::vector<ExpressionPtr> items = std::move(values.rows[0]);
  for (size_t i = 0; i < items.size(); i++) items[i]->alias = values.names[i];
  leaf = std::make_unique<LogicalProject>(values.table_index, std::move(scan), std::move(items));
}

bool MayTakeRows(const LogicalOperator& root) {
  if (root.kind() != LogicalKind::kInsert) return !root.writes();
  const auto& insert = root.As<LogicalInsert>();
  return !insert.on_conflict && insert.returning.empty() && !insert.table->is_collection() &&
         insert.table->constraints.triggers.empty();
}

}  // namespace

std::vector<TriggerNames::Transition> TransitionsOf(const RowChanges::Target& target,
                                                    const TriggerDefinition& trigger) {
  std::vector<TriggerNames::Transition> transitions;
  if (!trigger.old_table.empty())
    transitions.push_back({trigger.old_table, ChangedRowsFunction(), OneRow(target, false)});
  if (!trigger.new_table.empty())
    transitions.push_back({trigger.new_table, ChangedRowsFunction(), OneRow(target, true)});
  return transitions;
}

std::optional<LogicalPlan> PlanOverRows(const LogicalPlan& plan, const RowChanges::Target& target,
                                        const Expression* condition) {
  if (!MayTakeRows(*plan.root) || CallsProgram(*plan.root)) return std::nullopt;
  LogicalPlan copy = plan.Clone();
  const bool is_insert = copy.root->kind() == LogicalKind::kInsert;
  const Chain chain = ChainOf(is_insert ? copy.root->children[0] : copy.root);
  if (chain.leaf == nullptr) return std::nullopt;
  const bool leaf_has_columns = !(*chain.leaf)->As<LogicalValues>().types.empty();
  if (!AreParametersAtLeaf(chain, leaf_has_columns)) return std::nullopt;
  const size_t scan_index = NextTableIndex(*copy.root);
  const auto rows = BothRows(target);
  LogicalOperatorPtr scan = std::make_unique<LogicalTableFunction>(scan_index, ChangedRowsFunction(), rows);
  if (condition != nullptr) {
    std::vector<ExpressionPtr> predicates;
    predicates.push_back(condition->Clone());
    scan = std::make_unique<LogicalFilter>(std::move(scan), std::move(predicates));
  }
  PutScan(*chain.leaf, std::move(scan));
  bool is_deterministic = true;
  const std::function<void(LogicalOperator&)> use_columns = [&](LogicalOperator& node) {
    node.ForEachExpression([&](ExpressionPtr& each) {
      UseColumns(each, scan_index, *rows);
      is_deterministic = is_deterministic && IsDeterministic(*each);
    });
    for (const LogicalOperatorPtr& child : node.children) use_columns(*child);
  };
  use_columns(*copy.root);
  // The values of sequences ascend with the rows, as they do where the function runs for each.
  if (is_insert) copy.root->As<LogicalInsert>().is_in_order = !is_deterministic;
  return copy;
}

const Expression* OnlyExpression(const LogicalPlan& plan) {
  if (plan.root->kind() != LogicalKind::kProject || !IsOneRow(*plan.root->children[0])) return nullptr;
  const auto& expressions = plan.root->As<LogicalProject>().expressions;
  return expressions.size() == 1 ? expressions[0].get() : nullptr;
}

}  // namespace scaup
