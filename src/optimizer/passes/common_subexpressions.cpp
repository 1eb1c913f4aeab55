// Pass: computes repeated expressions of a node once, in a projection below it.
#include "optimizer/passes/common_subexpressions.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "planner/node/project.hpp"

namespace scaup {
namespace {

/// Whether the expression is expensive enough to be computed only once.
bool IsWorthKeeping(const Expression& expression) {
  switch (expression.kind()) {
    case ExpressionKind::kFunction:
    case ExpressionKind::kCase:
    case ExpressionKind::kInList: break;
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kConstant:
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return false;
  }
  return IsDeterministic(expression) && !ColumnsOf(expression).empty();
}

struct Occurrence {
  const Expression* expression;
  size_t count = 1;
  size_t size = 0;
  bool is_certain = false;  ///< evaluated for all rows at least once
};

size_t SizeOf(const Expression& expression) {
  CheckStack();
  size_t size = 1;
  expression.ForEachChild([&](const Expression& child) { size += SizeOf(child); });
  return size;
}

constexpr size_t kMostCandidates = 200;  // all candidates are compared with each other

/// Counts equal subtrees. It does not descend into a subtree seen before, because its parts are repeated with
/// it.
class Counter {
 public:
  void Visit(const Expression& expression, bool is_certain) {
    if (IsWorthKeeping(expression)) {
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const Occurrence& o) { return o.expression->Equals(expression); });
      if (same != found.end()) {
        same->count++;
        same->is_certain = same->is_certain || is_certain;
        return;
      }
      if (found.size() < kMostCandidates) found.push_back({&expression, 1, SizeOf(expression), is_certain});
    }
    VisitChildren(expression, is_certain);
  }
  std::vector<Occurrence> found;

 private:
  void VisitChildren(const Expression& expression, bool is_certain) {
    switch (expression.kind()) {
      case ExpressionKind::kCase: {
        // The first condition is always evaluated, the rest only for some rows.
        bool is_first = is_certain;
        expression.ForEachChild([&](const Expression& child) {
          Visit(child, is_first);
          is_first = false;
        });
        return;
      }
      case ExpressionKind::kConjunction: {
        bool is_first = is_certain;
        expression.ForEachChild([&](const Expression& child) {
          Visit(child, is_first);
          is_first = false;
        });
        return;
      }
      case ExpressionKind::kAggregate: {
        const bool has_filter = expression.As<AggregateExpression>().filter != nullptr;
        expression.ForEachChild([&](const Expression& child) { Visit(child, is_certain && !has_filter); });
        return;
      }
      case ExpressionKind::kFunction: {
        // Functions that see NULLs, such as coalesce, may skip arguments.
        const bool sees_all = expression.As<FunctionExpression>().function.nulls == NullHandling::kPropagate;
        expression.ForEachChild([&](const Expression& child) { Visit(child, is_certain && sees_all); });
        return;
      }
      case ExpressionKind::kConstant:
      case ExpressionKind::kColumnRef:
      case ExpressionKind::kReference:
      case ExpressionKind::kParameter:
      case ExpressionKind::kCast:
      case ExpressionKind::kComparison:
      case ExpressionKind::kNot:
      case ExpressionKind::kIsNull:
      case ExpressionKind::kInList:
      case ExpressionKind::kWindow:
      case ExpressionKind::kSubquery:
        expression.ForEachChild([&](const Expression& child) { Visit(child, is_certain); });
        return;
    }
  }
};

void ReplaceEqual(ExpressionPtr& expression, const std::vector<ExpressionPtr>& repeated, size_t table_index,
                  size_t first_column) {
  CheckStack();
  for (size_t i = 0; i < repeated.size(); i++) {
    if (!expression->Equals(*repeated[i])) continue;
    auto reference = std::make_unique<ColumnRefExpression>(
        expression->type(), ColumnBinding{table_index, first_column + i}, expression->ToString());
    reference->alias = std::move(expression->alias);
    reference->position = expression->position;
    expression = std::move(reference);
    return;
  }
  expression->ForEachChild(
      [&](ExpressionPtr& child) { ReplaceEqual(child, repeated, table_index, first_column); });
}

}  // namespace

std::vector<ExpressionPtr> CommonSubexpressions::FindRepeated(LogicalOperator& node) const {
  Counter counter;
  // The conjuncts of a filter are evaluated only on rows that passed the previous ones.
  bool is_certain = true;
  node.ForEachExpression([&](ExpressionPtr& expression) {
    counter.Visit(*expression, is_certain);
    if (node.kind() == LogicalKind::kFilter) is_certain = false;
  });
  std::erase_if(counter.found, [](const Occurrence& o) {
    return o.count < 2 || (!o.is_certain && !CannotFail(*o.expression));
  });
  std::stable_sort(counter.found.begin(), counter.found.end(),
                   [](const auto& a, const auto& b) { return a.size > b.size; });
  std::vector<ExpressionPtr> repeated;
  for (const Occurrence& occurrence : counter.found) repeated.push_back(occurrence.expression->Clone());
  return repeated;
}

void CommonSubexpressions::ProjectBelow(LogicalOperator& node, const BindingSet& passed,
                                        std::vector<ExpressionPtr> repeated, BindingMap& moved) {
  CheckStack();
  const size_t table_index = context_.NewTableIndex();
  std::vector<ExpressionPtr> expressions = ReferenceColumns(*node.children[0]);
  std::erase_if(expressions, [&](const ExpressionPtr& e) {
    return !passed.contains(e->As<ColumnRefExpression>().binding);
  });
  for (size_t i = 0; i < expressions.size(); i++)
    moved[expressions[i]->As<ColumnRefExpression>().binding] = {table_index, i};
  const size_t first_column = expressions.size();
  node.ForEachExpression(
      [&](ExpressionPtr& expression) { ReplaceEqual(expression, repeated, table_index, first_column); });
  // References to the repeated expressions have the new index already, so renaming does not change them.
  RenameColumns(node, moved);
  for (ExpressionPtr& expression : repeated) {
    expression->alias = expression->ToString();
    expressions.push_back(std::move(expression));
  }
  node.children[0] =
      std::make_unique<LogicalProject>(table_index, std::move(node.children[0]), std::move(expressions));
  // One repeated expression may be a part of another.
  LogicalOperator& inserted = *node.children[0];
  std::vector<ExpressionPtr> nested = FindRepeated(inserted);
  if (nested.empty()) return;
  BindingSet columns;
  inserted.ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, columns); });
  BindingMap moved_below;
  ProjectBelow(inserted, columns, std::move(nested), moved_below);
}

LogicalOperatorPtr CommonSubexpressions::RewriteFilter(LogicalOperatorPtr plan) {
  std::vector<ExpressionPtr> repeated = FindRepeated(*plan);
  if (repeated.empty()) return plan;
  const std::vector<ColumnBinding> before = plan->Bindings();
  BindingMap moved;
  ProjectBelow(*plan, OutputColumns(*plan->children[0]), std::move(repeated), moved);
  // The filter passes its input's columns on, so a second projection removes the helper columns again.
  std::vector<ExpressionPtr> references = ReferenceColumns(*plan);
  references.resize(before.size());
  const size_t table_index = context_.NewTableIndex();
  std::map<ColumnBinding, ColumnBinding> original_of;
  for (const auto& [original, current] : renamed_) original_of[current] = original;
  for (size_t i = 0; i < before.size(); i++) {
    const auto original = original_of.find(before[i]);
    renamed_[original == original_of.end() ? before[i] : original->second] = {table_index, i};
  }
  return std::make_unique<LogicalProject>(table_index, std::move(plan), std::move(references));
}

LogicalOperatorPtr CommonSubexpressions::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  RenameColumns(*plan, renamed_);
  switch (plan->kind()) {
    case LogicalKind::kFilter: return RewriteFilter(std::move(plan));
    case LogicalKind::kProject:
    case LogicalKind::kAggregate: {
      std::vector<ExpressionPtr> repeated = FindRepeated(*plan);
      if (repeated.empty()) return plan;
      BindingSet passed;
      plan->ForEachExpression([&](ExpressionPtr& expression) { CollectColumns(*expression, passed); });
      BindingMap moved;
      ProjectBelow(*plan, passed, std::move(repeated), moved);
      return plan;
    }
    default: return plan;
  }
}

}  // namespace scaup
