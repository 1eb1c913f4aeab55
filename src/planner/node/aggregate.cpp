// GROUP BY and aggregates.
#include "planner/node/aggregate.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalAggregate::LogicalAggregate(size_t group_index_in, size_t aggregate_index_in, LogicalOperatorPtr child,
                                   std::vector<ExpressionPtr> groups_in,
                                   std::vector<ExpressionPtr> aggregates_in)
    : LogicalOperator(LogicalKind::kAggregate),
      group_index(group_index_in),
      aggregate_index(aggregate_index_in),
      groups(std::move(groups_in)),
      aggregates(std::move(aggregates_in)) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalAggregate::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = NumberedBindings(group_index, groups.size());
  Append(bindings, NumberedBindings(aggregate_index, aggregates.size()));
  return bindings;
}

std::vector<LogicalType> LogicalAggregate::Types() const {
  CheckStack();
  std::vector<LogicalType> types = TypesOf(groups);
  Append(types, TypesOf(aggregates));
  return types;
}

std::vector<std::string> LogicalAggregate::Names() const {
  CheckStack();
  std::vector<std::string> names = NamesOf(groups);
  Append(names, NamesOf(aggregates));
  return names;
}

void LogicalAggregate::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(groups, visit);
  VisitAll(aggregates, visit);
}

std::vector<std::string> LogicalAggregate::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "groups", Texts(groups));
  AddLine(lines, "aggregates", Texts(aggregates));
  return lines;
}

LogicalOperatorPtr LogicalAggregate::Clone() const {
  auto copy = std::make_unique<LogicalAggregate>(group_index, aggregate_index, ClonePlan(*children[0]),
                                                 CloneAll(groups), CloneAll(aggregates));
  copy->empty_sets = empty_sets;
  return copy;
}

}  // namespace scaup
