// Physical planner: chooses an operator for each logical one and turns column bindings into positions.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "execution/window/window_specification.hpp"
#include "expression/window_expression.hpp"
#include "planner/nodes.hpp"

namespace scaup {

/// Makes the plan that runs. Takes the logical plan's expressions over. One thread. Only below EXPLAIN do
/// operators get their details: for a lookup of one row the texts would cost as much as its plan.
class PhysicalPlanner {
 public:
  explicit PhysicalPlanner(const FunctionContext& context) : context_(context) {}
  PhysicalOperatorPtr Plan(LogicalOperatorPtr plan);

 private:
  /// Puts an expression over the child's columns into the operator's input, and says where it is there.
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
  /// A scan of a window's keys alone, where it pays to look whether rows come in order. Else null.
  PhysicalOperatorPtr PlanKeyScan(const LogicalOperator& input, const WindowSpecification& specification);
  FrameSpecification PlanFrame(WindowFrame& frame, const AddColumn& add);
  PhysicalOperatorPtr PlanJoin(LogicalJoin& join);
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
  bool is_in_with_ = false;  // Of a statement that writes.
};

}  // namespace scaup
