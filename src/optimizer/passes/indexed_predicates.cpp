// Predicates over hidden columns instead of the expressions that those hold.
#include "optimizer/passes/indexed_predicates.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "expression/implication.hpp"
#include "function/scalar/collation/collation.hpp"
#include "optimizer/passes/simplification_rules.hpp"

namespace scaup {

namespace {

/// Returns an expression of an index over the columns of the scan, in the form that predicates have.
ExpressionPtr OverScan(const FunctionContext& context, const LogicalGet& get, const Expression& indexed) {
  ExpressionPtr expression = indexed.Clone();
  ForEachColumnRef(expression, [&](ColumnRefExpression& column) {
    if (column.binding.table_index == IndexedExpression::kTable) column.binding.table_index = get.table_index;
  });
  return SimplifyExpression(context, std::move(expression));
}

ExpressionPtr HiddenColumn(const LogicalGet& get, size_t column) {
  const ColumnDefinition& hidden = get.table->columns[column];
  return std::make_unique<ColumnRefExpression>(hidden.type, ColumnBinding{get.table_index, column},
                                               hidden.name);
}

/// Replaces an expression by the hidden column that holds it, wherever it occurs.
void Replace(ExpressionPtr& expression, const Expression& key, const LogicalGet& get, size_t column) {
  CheckStack();
  if (expression->Equals(key)) {
    expression = HiddenColumn(get, column);
    return;
  }
  expression->ForEachChild([&](ExpressionPtr& child) { Replace(child, key, get, column); });
}

bool HoldsForConstants(const FunctionContext& context, ComparisonOp op, const Value& left,
                       const Value& right) {
  if (!(left.type() == right.type())) return false;
  const ExpressionPtr result = SimplifyExpression(
      context, std::make_unique<ComparisonExpression>(op, MakeConstant(left), MakeConstant(right)));
  if (!IsConstant(*result)) return false;
  const Value& value = ConstantOf(*result);
  return !value.is_null() && value.GetBoolean();
}

/// Adds to the predicates those that compare the key of a partial index, over its hidden column. They are not
/// TRUE where the column is NULL. So for a row that satisfies them the condition holds and the column has the
/// key.
void AddPartial(const FunctionContext& context, const LogicalGet& get, const IndexedExpression& indexed,
                std::vector<ExpressionPtr>& predicates) {
  const ExpressionPtr key = OverScan(context, get, *indexed.key);
  std::vector<ExpressionPtr> added;
  for (const ExpressionPtr& predicate : predicates) {
    const Expression* operand = ComparedOperand(*predicate);
    if (operand == nullptr || !operand->Equals(*key)) continue;
    ExpressionPtr over_hidden = predicate->Clone();
    Replace(over_hidden, *key, get, indexed.column);
    added.push_back(std::move(over_hidden));
  }
  if (added.empty()) return;
  std::vector<const Expression*> given;
  for (const ExpressionPtr& predicate : predicates) given.push_back(predicate.get());
  const ExpressionPtr condition = OverScan(context, get, *indexed.condition);
  const bool is_implied =
      Implies(given, *condition, [&](ComparisonOp op, const Value& left, const Value& right) {
        return HoldsForConstants(context, op, left, right);
      });
  if (!is_implied) return;
  for (ExpressionPtr& predicate : added) predicates.push_back(std::move(predicate));
}

bool IsCollationKey(const Expression& expression) {
  if (expression.kind() != ExpressionKind::kFunction) return false;
  const auto& call = expression.As<FunctionExpression>();
  // A function of the user may have the name, and other data.
  return call.function.name == kCollationKeyFunction &&
         dynamic_cast<const CollationData*>(call.data.get()) != nullptr;
}

/// A key of a collation over the columns of a scan, and the hidden column that holds it.
struct HeldKey {
  ExpressionPtr key;
  const LogicalGet* get;
  size_t column;
};

void CollectHeldKeys(const FunctionContext& context, LogicalOperator& plan, std::vector<HeldKey>& keys) {
  CheckStack();
  if (plan.kind() == LogicalKind::kGet && plan.As<LogicalGet>().indexed != nullptr) {
    const auto& get = plan.As<LogicalGet>();
    for (const IndexedExpression& indexed : *get.indexed) {
      if (!indexed.condition && IsCollationKey(*indexed.key))
        keys.push_back({OverScan(context, get, *indexed.key), &get, indexed.column});
    }
  }
  for (const LogicalOperatorPtr& child : plan.children) CollectHeldKeys(context, *child, keys);
}

void ReplaceHeldKeys(LogicalOperator& plan, const std::vector<HeldKey>& keys) {
  CheckStack();
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    std::string alias = expression->alias;
    for (const HeldKey& held : keys) Replace(expression, *held.key, *held.get, held.column);
    expression->alias = std::move(alias);
  });
  for (const LogicalOperatorPtr& child : plan.children) ReplaceHeldKeys(*child, keys);
}

}  // namespace

void UseCollationKeys(const FunctionContext& context, LogicalOperator& plan) {
  std::vector<HeldKey> keys;
  CollectHeldKeys(context, plan, keys);
  if (!keys.empty()) ReplaceHeldKeys(plan, keys);
}

void UseHiddenColumns(const FunctionContext& context, const LogicalGet& get,
                      std::vector<ExpressionPtr>& predicates) {
  if (get.indexed == nullptr || predicates.empty()) return;
  // Partial indexes first: their conditions may be of expressions that are replaced afterwards.
  for (const IndexedExpression& indexed : *get.indexed) {
    if (indexed.condition) AddPartial(context, get, indexed, predicates);
  }
  for (const IndexedExpression& indexed : *get.indexed) {
    if (indexed.condition) continue;
    const ExpressionPtr key = OverScan(context, get, *indexed.key);
    for (ExpressionPtr& predicate : predicates) Replace(predicate, *key, get, indexed.column);
  }
}

}  // namespace scaup
