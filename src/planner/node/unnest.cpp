// Lists turned into rows.
#include "planner/node/unnest.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalUnnest::LogicalUnnest(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> lists_in, bool has_ordinality_in, bool is_outer_in)
    : LogicalOperator(LogicalKind::kUnnest),
      table_index(table_index_in),
      lists(std::move(lists_in)),
      has_ordinality(has_ordinality_in),
      is_outer(is_outer_in) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalUnnest::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, lists.size() + (has_ordinality ? 1 : 0)));
  return bindings;
}

std::vector<LogicalType> LogicalUnnest::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  for (const ExpressionPtr& list : lists) types.push_back(list->type().element());
  if (has_ordinality) types.push_back(TypeId::kBigInt);
  return types;
}

std::vector<std::string> LogicalUnnest::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  names.resize(names.size() + lists.size(), "unnest");
  if (has_ordinality) names.push_back("ordinality");
  return names;
}

void LogicalUnnest::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(lists, visit);
}

std::vector<std::string> LogicalUnnest::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "lists", Texts(lists));
  return lines;
}

LogicalOperatorPtr LogicalUnnest::Clone() const {
  return std::make_unique<LogicalUnnest>(table_index, ClonePlan(*children[0]), CloneAll(lists),
                                         has_ordinality, is_outer);
}

}  // namespace scaup
