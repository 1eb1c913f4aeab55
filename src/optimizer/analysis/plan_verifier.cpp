// Checks the consistency of a plan, after every optimizer pass.
#include "optimizer/analysis/plan_verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "planner/nodes.hpp"

namespace scaup {
namespace {

using ColumnTypes = std::map<ColumnBinding, LogicalType>;

void AddColumns(const LogicalOperator& child, ColumnTypes& columns) {
  const std::vector<ColumnBinding> bindings = child.Bindings();
  const std::vector<LogicalType> types = child.Types();
  if (bindings.size() != types.size() || child.Names().size() != types.size()) {
    ThrowInternal(fmt::format("plan: {} has {} columns, {} types and {} names", child.Name(), bindings.size(),
                              types.size(), child.Names().size()));
  }
  for (size_t i = 0; i < bindings.size(); i++) {
    if (!columns.emplace(bindings[i], types[i]).second) {
      ThrowInternal(fmt::format("plan: column {}.{} comes twice out of {}", bindings[i].table_index,
                                bindings[i].column_index, child.Name()));
    }
  }
}

/// Expressions of ON CONFLICT also refer to the existing row, before and after the update.
void AddExistingRow(const LogicalInsert& insert, ColumnTypes& columns) {
  if (!insert.on_conflict) return;
  for (size_t i = 0; i < insert.table->columns.size(); i++) {
    columns.emplace(ColumnBinding{insert.on_conflict->existing_index, i}, insert.table->columns[i].type);
    columns.emplace(ColumnBinding{insert.on_conflict->updated_index, i}, insert.table->columns[i].type);
  }
}

void CheckTypes(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kComparison) {
    const auto& comparison = expression.As<ComparisonExpression>();
    if (!(comparison.left->type() == comparison.right->type())) {
      ThrowInternal("plan: comparison of different types: " + expression.ToString());
    }
  }
  if (expression.kind() == ExpressionKind::kSubquery)
    ThrowInternal("plan: a subquery was left in an expression");
  expression.ForEachChild([](const Expression& child) { CheckTypes(child); });
}

void CheckExpression(const LogicalOperator& node, const Expression& expression, const ColumnTypes& columns) {
  ForEachColumnRef(expression, [&](const ColumnRefExpression& ref) {
    const auto found = columns.find(ref.binding);
    if (found == columns.end()) {
      ThrowInternal(fmt::format("plan: {} uses column {} ({}.{}), which its input does not have", node.Name(),
                                ref.name, ref.binding.table_index, ref.binding.column_index));
    }
    if (!(found->second == ref.type())) {
      ThrowInternal(fmt::format("plan: {} takes column {} for {}, but it is {}", node.Name(), ref.name,
                                ref.type().ToString(), found->second.ToString()));
    }
  });
  CheckTypes(expression);
}

void CheckPredicates(const LogicalOperator& node, const std::vector<ExpressionPtr>& predicates) {
  for (const ExpressionPtr& predicate : predicates) {
    if (predicate->type().id() != TypeId::kBoolean) {
      ThrowInternal(fmt::format("plan: {} has a predicate that is not BOOLEAN: {}", node.Name(),
                                predicate->ToString()));
    }
  }
}

void CheckJoin(LogicalJoin& join) {
  ColumnTypes left, right;
  AddColumns(*join.children[0], left);
  AddColumns(*join.children[1], right);
  for (const JoinCondition& condition : join.conditions) {
    CheckExpression(join, *condition.left, left);
    CheckExpression(join, *condition.right, right);
    if (!(condition.left->type() == condition.right->type())) {
      ThrowInternal("plan: join condition of different types: " + condition.left->ToString() + " and " +
                    condition.right->ToString());
    }
  }
  CheckPredicates(join, join.residual);
}

void CheckUnion(const LogicalUnionAll& node) {
  if (node.children.empty()) ThrowInternal("plan: a union without inputs");
  for (const LogicalOperatorPtr& child : node.children) {
    if (child->Types() != node.children[0]->Types())
      ThrowInternal("plan: inputs of a union have different types");
  }
  if (node.names.size() != node.children[0]->Types().size())
    ThrowInternal("plan: a union's names do not fit its columns");
}

void CheckShare(const LogicalOperator& definition, size_t share, LogicalOperator& reader) {
  const std::vector<LogicalType> types = definition.Types();
  ForEachSharedScan(reader, share, [&](LogicalSharedScan& scan) {
    for (size_t i = 0; i < scan.columns.size(); i++) {
      if (scan.columns[i] >= types.size() || !(types[scan.columns[i]] == scan.types[i]))
        ThrowInternal("plan: a shared scan does not fit the rows it reads");
    }
  });
}

void CheckGet(const LogicalGet& get) {
  const size_t column_count = get.table->columns.size();
  for (const size_t column : get.columns) {
    if (column >= column_count && column != kRowNumberColumn)
      ThrowInternal("plan: scan of a column that the table does not have");
  }
  const auto check = [&](const ScanFilter& filter) {
    if (filter.column >= column_count)
      ThrowInternal("plan: scan filter on a column that the table does not have");
    if (filter.is_comparison() &&
        (filter.constant.is_null() || !(filter.constant.type() == get.table->columns[filter.column].type))) {
      ThrowInternal("plan: scan filter with a constant of another type");
    }
  };
  get.predicate.ForEachFilter(check);
}

void CheckNode(LogicalOperator& node) {
  switch (node.kind()) {
    case LogicalKind::kJoin: return CheckJoin(node.As<LogicalJoin>());
    case LogicalKind::kUnionAll: return CheckUnion(node.As<LogicalUnionAll>());
    case LogicalKind::kMaterialize:
      return CheckShare(*node.children[0], node.As<LogicalMaterialize>().share, *node.children[1]);
    case LogicalKind::kRecursion: {
      if (node.children[0]->Types() != node.children[1]->Types() ||
          node.Types().size() != node.As<LogicalRecursion>().names.size())
        ThrowInternal("plan: the parts of a recursion have different columns");
      return CheckShare(*node.children[0], node.As<LogicalRecursion>().share, *node.children[1]);
    }
    case LogicalKind::kGet: return CheckGet(node.As<LogicalGet>());
    case LogicalKind::kFilter: return CheckPredicates(node, node.As<LogicalFilter>().predicates);
    default: return;
  }
}

}  // namespace

void VerifyPlan(LogicalOperator& plan) {
  CheckStack();
  for (const LogicalOperatorPtr& child : plan.children) {
    if (!child) ThrowInternal("plan: " + plan.Name() + " lost an input");
    VerifyPlan(*child);
  }
  ColumnTypes columns;
  // No expression of a union refers to the columns of its inputs, so they are not collected.
  if (plan.kind() != LogicalKind::kUnionAll && plan.kind() != LogicalKind::kRecursion) {
    for (const LogicalOperatorPtr& child : plan.children) AddColumns(*child, columns);
  }
  if (plan.kind() == LogicalKind::kInsert) AddExistingRow(plan.As<LogicalInsert>(), columns);
  plan.ForEachExpression([&](ExpressionPtr& expression) { CheckExpression(plan, *expression, columns); });
  CheckNode(plan);
}

}  // namespace scaup
