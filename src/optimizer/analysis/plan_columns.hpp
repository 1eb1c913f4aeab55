// Columns of plans and expressions: collecting, renaming and pinning them. Shared by all passes.
#pragma once

#include <initializer_list>
#include <map>
#include <vector>

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Columns, in order: a sorted vector, as most sets have a handful.
class BindingSet {
 public:
  BindingSet() = default;
  explicit BindingSet(std::vector<ColumnBinding> bindings);
  BindingSet(std::initializer_list<ColumnBinding> bindings)
      : BindingSet(std::vector<ColumnBinding>(bindings)) {}

  void insert(const ColumnBinding& binding);
  bool contains(const ColumnBinding& binding) const;
  bool empty() const { return bindings_.empty(); }
  auto begin() const { return bindings_.begin(); }
  auto end() const { return bindings_.end(); }

 private:
  std::vector<ColumnBinding> bindings_;  // Sorted, each once.
};
using BindingMap = std::map<ColumnBinding, ColumnBinding>;

BindingSet OutputColumns(const LogicalOperator& node);
/// Adds the columns that the expression refers to.
void CollectColumns(const Expression& expression, BindingSet& columns);
BindingSet ColumnsOf(const Expression& expression);
bool Contains(const BindingSet& set, const BindingSet& subset);
bool Intersects(const BindingSet& a, const BindingSet& b);

/// References to all output columns of `node`, in order.
std::vector<ExpressionPtr> ReferenceColumns(const LogicalOperator& node);
/// Lets references to a key of `renamed` refer to its value.
void RenameColumns(ExpressionPtr& expression, const BindingMap& renamed);
void RenameColumns(LogicalOperator& node, const BindingMap& renamed);
/// Puts a copy of expressions[i] where the expression refers to {table_index, i}. Aliases of the copies are
/// cleared.
void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<ExpressionPtr>& expressions);
/// Clones all.
std::vector<ExpressionPtr> CloneExpressions(const std::vector<ExpressionPtr>& expressions);

/// `child` filtered by the predicates, or `child` itself without any.
LogicalOperatorPtr MakeFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates);
/// True for a constant TRUE; FALSE and NULL (which a predicate treats alike) are the business of IsNeverTrue.
bool IsAlwaysTrue(const Expression& predicate);
bool IsNeverTrue(const Expression& predicate);
/// No column of this node or of what it reads has a table index as large.
size_t FirstFreeTableIndex(LogicalOperator& plan);
/// Puts a Project where the order of a join's columns would show: at the root, below unions and inserts.
/// Passes may then reorder joins without a care. Gives every computed column its name, so that passes may
/// rewrite expressions.
LogicalOperatorPtr PinVisibleColumns(RewriteContext& context, LogicalOperatorPtr plan);

}  // namespace scaup
