// Columns of plans and expressions: collecting, renaming and pinning them. Shared by all passes.
#pragma once

#include <initializer_list>
#include <map>
#include <vector>

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// An ordered set of columns; a sorted vector, because most sets are small.
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
  std::vector<ColumnBinding> bindings_;  // sorted, without duplicates
};
using BindingMap = std::map<ColumnBinding, ColumnBinding>;

BindingSet OutputColumns(const LogicalOperator& node);
/// Adds the columns to which the expression refers.
void CollectColumns(const Expression& expression, BindingSet& columns);
BindingSet ColumnsOf(const Expression& expression);
bool Contains(const BindingSet& set, const BindingSet& subset);
bool Intersects(const BindingSet& a, const BindingSet& b);

/// Returns references to all output columns of `node`, in order.
std::vector<ExpressionPtr> ReferenceColumns(const LogicalOperator& node);
/// Replaces references to keys of `renamed` by references to their values.
void RenameColumns(ExpressionPtr& expression, const BindingMap& renamed);
void RenameColumns(LogicalOperator& node, const BindingMap& renamed);
/// Replaces references to {table_index, i} by copies of expressions[i]. The copies' aliases are cleared.
void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<ExpressionPtr>& expressions);
/// Clones all expressions.
std::vector<ExpressionPtr> CloneExpressions(const std::vector<ExpressionPtr>& expressions);

/// Returns `child` filtered by the predicates; `child` itself if there are none.
LogicalOperatorPtr MakeFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates);
/// Whether the predicate is the constant TRUE or, for IsNeverTrue, the constant FALSE or NULL, which a
/// predicate treats alike.
bool IsAlwaysTrue(const Expression& predicate);
bool IsNeverTrue(const Expression& predicate);
/// A table index larger than those of all columns of this plan.
size_t FirstFreeTableIndex(LogicalOperator& plan);
/// Inserts a Project wherever the column order of a join would be visible: at the root, below unions and
/// inserts. Passes may then reorder joins freely. Also names every computed column, so that passes may
/// rewrite expressions.
LogicalOperatorPtr PinVisibleColumns(RewriteContext& context, LogicalOperatorPtr plan);

}  // namespace scaup
