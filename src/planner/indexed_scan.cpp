// Indexed scans: recognizes them, and finds the sources of lookup keys.
#include "planner/indexed_scan.hpp"

#include <algorithm>

#include "planner/node/filter.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/project.hpp"
#include "type/type_rules.hpp"

namespace scaup {

std::optional<IndexedScan> AsIndexedScan(LogicalOperator& node) {
  IndexedScan scan;
  LogicalOperator* current = &node;
  if (current->kind() == LogicalKind::kProject) {
    scan.project = &current->As<LogicalProject>();
    const auto& expressions = scan.project->expressions;
    const bool passes_columns =
        std::all_of(expressions.begin(), expressions.end(),
                    [](const ExpressionPtr& e) { return e->kind() == ExpressionKind::kColumnRef; });
    if (!passes_columns) return std::nullopt;
    current = current->children[0].get();
  }
  if (current->kind() == LogicalKind::kFilter) {
    scan.filter = &current->As<LogicalFilter>();
    current = current->children[0].get();
  }
  if (current->kind() != LogicalKind::kGet) return std::nullopt;
  scan.get = &current->As<LogicalGet>();
  return scan;
}

std::optional<size_t> IndexedScan::ColumnOf(const Expression& expression) const {
  const Expression* column = &expression;
  if (column->kind() != ExpressionKind::kColumnRef) return std::nullopt;
  if (project != nullptr)
    column = project->expressions[column->As<ColumnRefExpression>().binding.column_index].get();
  return column->As<ColumnRefExpression>().binding.column_index;
}

std::optional<size_t> IndexedScan::ComparedColumnOf(const Expression& expression) const {
  if (expression.kind() != ExpressionKind::kCast) return ColumnOf(expression);
  const auto& cast = expression.As<CastExpression>();
  if (!cast.type().IsInteger() || !cast.child->type().IsInteger()) return std::nullopt;
  const bool is_wider = ImplicitCastCost(cast.child->type(), cast.type()).has_value();
  return is_wider ? ColumnOf(*cast.child) : std::nullopt;
}

std::vector<LookupKey> LookupKeysOf(const LogicalJoin& join, const IndexedScan& scan, bool scan_is_left,
                                    const std::vector<size_t>& index_columns) {
  std::vector<LookupKey> keys;
  for (const size_t column : index_columns) {
    LookupKey key;
    for (size_t i = 0; i < join.conditions.size() && !key.condition; i++) {
      const JoinCondition& condition = join.conditions[i];
      const Expression& side = scan_is_left ? *condition.left : *condition.right;
      if (condition.op == ComparisonOp::kEqual && scan.ComparedColumnOf(side) == column) key.condition = i;
    }
    const auto& filters = scan.get->predicate.filters;
    for (size_t i = 0; i < filters.size() && !key.condition && !key.filter; i++) {
      if (filters[i].column == column && filters[i].op == ScanFilter::Op::kEqual) key.filter = i;
    }
    if (!key.condition && !key.filter) break;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace scaup
