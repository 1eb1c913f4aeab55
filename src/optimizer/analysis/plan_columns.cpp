// Columns of plans and expressions: collecting, renaming and pinning them. Shared by all passes.
#include "optimizer/analysis/plan_columns.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "planner/nodes.hpp"

namespace scaup {

BindingSet::BindingSet(std::vector<ColumnBinding> bindings) : bindings_(std::move(bindings)) {
  std::sort(bindings_.begin(), bindings_.end());
  bindings_.erase(std::unique(bindings_.begin(), bindings_.end()), bindings_.end());
}

void BindingSet::insert(const ColumnBinding& binding) {
  const auto place = std::lower_bound(bindings_.begin(), bindings_.end(), binding);
  if (place == bindings_.end() || *place != binding) bindings_.insert(place, binding);
}

bool BindingSet::contains(const ColumnBinding& binding) const {
  return std::binary_search(bindings_.begin(), bindings_.end(), binding);
}

BindingSet OutputColumns(const LogicalOperator& node) { return BindingSet(node.Bindings()); }

void CollectColumns(const Expression& expression, BindingSet& columns) {
  ForEachColumnRef(expression, [&](const ColumnRefExpression& ref) { columns.insert(ref.binding); });
}

BindingSet ColumnsOf(const Expression& expression) {
  BindingSet columns;
  CollectColumns(expression, columns);
  return columns;
}

bool Contains(const BindingSet& set, const BindingSet& subset) {
  return std::includes(set.begin(), set.end(), subset.begin(), subset.end());
}

bool Intersects(const BindingSet& a, const BindingSet& b) {
  return std::any_of(a.begin(), a.end(), [&](const ColumnBinding& binding) { return b.contains(binding); });
}

std::vector<ExpressionPtr> ReferenceColumns(const LogicalOperator& node) {
  const std::vector<ColumnBinding> bindings = node.Bindings();
  const std::vector<LogicalType> types = node.Types();
  const std::vector<std::string> names = node.Names();
  std::vector<ExpressionPtr> references;
  for (size_t i = 0; i < bindings.size(); i++) {
    references.push_back(std::make_unique<ColumnRefExpression>(types[i], bindings[i], names[i]));
    references.back()->alias = names[i];
  }
  return references;
}

void RenameColumns(ExpressionPtr& expression, const BindingMap& renamed) {
  CheckStack();
  ForEachColumnRef(expression, [&](ColumnRefExpression& ref) {
    const auto found = renamed.find(ref.binding);
    if (found != renamed.end()) ref.binding = found->second;
  });
}

void RenameColumns(LogicalOperator& node, const BindingMap& renamed) {
  CheckStack();
  if (renamed.empty()) return;
  node.ForEachExpression([&](ExpressionPtr& expression) { RenameColumns(expression, renamed); });
}

void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<ExpressionPtr>& expressions) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kColumnRef) {
    const ColumnBinding binding = expression->As<ColumnRefExpression>().binding;
    if (binding.table_index != table_index) return;
    std::string alias = std::move(expression->alias);
    expression = expressions[binding.column_index]->Clone();
    expression->alias = std::move(alias);
    return;
  }
  expression->ForEachChild([&](ExpressionPtr& child) { SubstituteColumns(child, table_index, expressions); });
}

std::vector<ExpressionPtr> CloneExpressions(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> copies;
  copies.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) copies.push_back(expression->Clone());
  return copies;
}

LogicalOperatorPtr MakeFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates) {
  if (predicates.empty()) return child;
  return std::make_unique<LogicalFilter>(std::move(child), std::move(predicates));
}

bool IsAlwaysTrue(const Expression& predicate) {
  if (predicate.kind() != ExpressionKind::kConstant) return false;
  const Value& value = predicate.As<ConstantExpression>().value;
  return !value.is_null() && value.GetBoolean();
}

bool IsNeverTrue(const Expression& predicate) {
  if (predicate.kind() != ExpressionKind::kConstant) return false;
  const Value& value = predicate.As<ConstantExpression>().value;
  return value.is_null() || !value.GetBoolean();
}

size_t FirstFreeTableIndex(LogicalOperator& plan) {
  CheckStack();
  size_t next = 0;
  for (const LogicalOperatorPtr& child : plan.children) next = std::max(next, FirstFreeTableIndex(*child));
  const auto take = [&](size_t index) { next = std::max(next, index + 1); };
  plan.ForEachTableIndex([&](size_t& index) { take(index); });
  if (plan.kind() == LogicalKind::kMaterialize) take(plan.As<LogicalMaterialize>().share);
  if (plan.kind() == LogicalKind::kRecursion) take(plan.As<LogicalRecursion>().share);
  return next;
}

namespace {

/// Whether the node's columns are those of a join below it, in the join's order.
bool ShowsJoinOrder(const LogicalOperator& node) {
  const LogicalOperator* current = &node;
  while (true) {
    switch (current->kind()) {
      case LogicalKind::kJoin: return true;
      case LogicalKind::kMaterialize: current = current->children[1].get(); continue;
      case LogicalKind::kExpand:
      case LogicalKind::kOnDemand:
      case LogicalKind::kFilter:
      case LogicalKind::kDistinct:
      case LogicalKind::kWindow:
      case LogicalKind::kUnnest:
      case LogicalKind::kSort:
      case LogicalKind::kTopN:
      case LogicalKind::kLimit: current = current->children[0].get(); continue;
      default: return false;
    }
  }
}

/// Unnamed columns are named after their expressions, which passes change; so this fixes their names.
void FixNames(std::vector<ExpressionPtr>& expressions) {
  for (ExpressionPtr& expression : expressions) {
    if (expression->alias.empty()) expression->alias = expression->ToString();
  }
}

LogicalOperatorPtr Pin(RewriteContext& context, LogicalOperatorPtr node, bool is_visible) {
  CheckStack();
  if (node->kind() == LogicalKind::kProject) FixNames(node->As<LogicalProject>().expressions);
  if (node->kind() == LogicalKind::kAggregate) {
    FixNames(node->As<LogicalAggregate>().groups);
    FixNames(node->As<LogicalAggregate>().aggregates);
  }
  if (node->kind() == LogicalKind::kWindow) FixNames(node->As<LogicalWindow>().functions);
  if (node->kind() == LogicalKind::kExpand) FixNames(node->As<LogicalExpand>().columns);
  if (node->kind() == LogicalKind::kMaterialize) {
    // Readers of the rows refer to columns by position.
    node->children[0] = Pin(context, std::move(node->children[0]), true);
    node->children[1] = Pin(context, std::move(node->children[1]), is_visible);
    return node;
  }
  bool shows_children = false;
  switch (node->kind()) {
    case LogicalKind::kUnionAll:
    case LogicalKind::kRecursion:
    case LogicalKind::kInsert:
    case LogicalKind::kUpdate:
    case LogicalKind::kMerge:
    case LogicalKind::kDelete:
    case LogicalKind::kCreateTableAs:
    case LogicalKind::kCopyTo:
    case LogicalKind::kExplain: shows_children = true; break;
    default: break;
  }
  for (LogicalOperatorPtr& child : node->children) child = Pin(context, std::move(child), shows_children);
  if (!is_visible || !ShowsJoinOrder(*node)) return node;
  std::vector<ExpressionPtr> references = ReferenceColumns(*node);
  return std::make_unique<LogicalProject>(context.NewTableIndex(), std::move(node), std::move(references));
}

}  // namespace

LogicalOperatorPtr PinVisibleColumns(RewriteContext& context, LogicalOperatorPtr plan) {
  return Pin(context, std::move(plan), true);
}

}  // namespace scaup
