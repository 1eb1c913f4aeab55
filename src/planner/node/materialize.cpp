// Rows that are materialized for several readers.
#include "planner/node/materialize.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalMaterialize::LogicalMaterialize(size_t share_in, std::string label_in, LogicalOperatorPtr definition,
                                       LogicalOperatorPtr reader)
    : LogicalOperator(LogicalKind::kMaterialize), share(share_in), label(std::move(label_in)) {
  children.push_back(std::move(definition));
  children.push_back(std::move(reader));
}

std::vector<std::string> LogicalMaterialize::Details() const { return {"name: " + label}; }

LogicalOperatorPtr LogicalMaterialize::Clone() const {
  auto copy =
      std::make_unique<LogicalMaterialize>(share, label, ClonePlan(*children[0]), ClonePlan(*children[1]));
  copy->is_change = is_change;
  copy->is_returning = is_returning;
  copy->is_statement = is_statement;
  return copy;
}

}  // namespace scaup
