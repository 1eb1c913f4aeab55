// Scan of materialized rows.
#include "planner/node/shared_scan.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalSharedScan::LogicalSharedScan(size_t share_in, std::string label_in, size_t table_index,
                                     std::vector<LogicalType> types_in, std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kSharedScan),
      share(share_in),
      label(std::move(label_in)),
      columns(AllColumns(types_in.size())),
      bindings(NumberedBindings(table_index, types_in.size())),
      types(std::move(types_in)),
      names(std::move(names_in)) {}

void LogicalSharedScan::Keep(const std::vector<size_t>& places) {
  for (size_t i = 0; i < places.size(); i++) {
    columns[i] = columns[places[i]];
    bindings[i] = bindings[places[i]];
    types[i] = types[places[i]];
    if (i != places[i]) names[i] = std::move(names[places[i]]);
  }
  columns.resize(places.size());
  bindings.resize(places.size());
  types.resize(places.size(), LogicalType(TypeId::kNull));
  names.resize(places.size());
}

void ForEachSharedScan(LogicalOperator& plan, size_t share,
                       const std::function<void(LogicalSharedScan&)>& visit) {
  CheckStack();
  if (plan.kind() == LogicalKind::kSharedScan && plan.As<LogicalSharedScan>().share == share)
    visit(plan.As<LogicalSharedScan>());
  for (const LogicalOperatorPtr& child : plan.children) ForEachSharedScan(*child, share, visit);
}

std::vector<std::string> LogicalSharedScan::Details() const {
  std::vector<std::string> lines = {"rows of: " + label};
  AddLine(lines, "columns", names);
  return lines;
}

LogicalOperatorPtr LogicalSharedScan::Clone() const {
  auto copy = std::make_unique<LogicalSharedScan>(share, label, 0, types, names);
  copy->columns = columns;
  copy->bindings = bindings;
  return copy;
}

}  // namespace scaup
