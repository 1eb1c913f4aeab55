// Physical planner: chooses an operator for each logical one, and resolves column bindings to positions.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "execution/window/window_specification.hpp"
#include "expression/window_expression.hpp"
#include "planner/nodes.hpp"

namespace scaup {

/// Makes the physical plan of a statement. Used by one thread at a time. Operators get the details that
/// EXPLAIN shows only below EXPLAIN, as for a lookup of one row these texts would cost as much as its plan.
class PhysicalPlanner {
 public:
  /// Borrows `context`, in which constant window offsets are evaluated.
  explicit PhysicalPlanner(const FunctionContext& context) : context_(context) {}
  /// Plans a whole statement. Moves the expressions out of the logical plan.
  PhysicalOperatorPtr Plan(LogicalOperatorPtr plan);

 private:
  /// Adds an expression over the child's columns to the operator's input, and returns its position there.
  using AddColumn = std::function<size_t(ExpressionPtr)>;

  PhysicalOperatorPtr PlanNode(LogicalOperator& node);
  PhysicalOperatorPtr PlanGet(LogicalGet& get);
  PhysicalOperatorPtr PlanLimit(LogicalLimit& limit);
  PhysicalOperatorPtr PlanMaterialize(LogicalMaterialize& kept);
  PhysicalOperatorPtr PlanFilter(LogicalFilter& filter);
  PhysicalOperatorPtr PlanProject(LogicalProject& project);
  PhysicalOperatorPtr PlanExpand(LogicalExpand& expand);
  PhysicalOperatorPtr PlanAggregate(LogicalAggregate& aggregate);
  PhysicalOperatorPtr PlanDistinct(LogicalDistinct& distinct);
  PhysicalOperatorPtr PlanWindow(LogicalWindow& window);
  /// Plans a scan of a window's keys alone, by which the window operator finds out whether its input is
  /// sorted already. Returns null if that would not pay.
  PhysicalOperatorPtr PlanKeyScan(const LogicalOperator& input, const WindowSpecification& specification);
  FrameSpecification PlanFrame(WindowFrame& frame, const AddColumn& add);
  PhysicalOperatorPtr PlanJoin(LogicalJoin& join);
  /// Plans the input of an index join, whose rows are looked up. Sets `bindings` to the names by which the
  /// join's conditions and parents refer to its columns.
  PhysicalOperatorPtr PlanLookupInput(LogicalJoin& join, std::vector<ColumnBinding>& bindings);
  PhysicalOperatorPtr PlanIndexJoin(LogicalJoin& join);
  PhysicalOperatorPtr PlanTopN(LogicalTopN& top_n);
  PhysicalOperatorPtr PlanIndexTopN(LogicalTopN& top_n);
  PhysicalOperatorPtr PlanSort(LogicalOperator& child, std::vector<SortKey>& keys, uint64_t limit,
                               uint64_t offset);
  PhysicalOperatorPtr PlanChange(LogicalWrite& write, std::vector<size_t> columns);
  PhysicalOperatorPtr PlanUnnest(LogicalUnnest& unnest);
  PhysicalOperatorPtr PlanInsert(LogicalInsert& insert);
  PhysicalOperatorPtr PlanUpsert(LogicalInsert& insert);
  PhysicalOperatorPtr PlanCopyTo(LogicalCopyTo& copy);

  const FunctionContext& context_;
  bool is_explained_ = false;
  bool is_in_with_ = false;  // within a WITH query that writes; its rows are not counted
};

class BindingResolver;
/// Joins the planned children of a subquery that runs on demand. `left_columns` resolves those of the left
/// child.
PhysicalOperatorPtr JoinOnDemand(LogicalOnDemand& node, const BindingResolver& left_columns,
                                 PhysicalOperatorPtr left, PhysicalOperatorPtr right);

}  // namespace scaup
