// COPY TO: rows for a file.
#include "planner/statement/copy_to.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalCopyTo::LogicalCopyTo(CopyTarget target_in, LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kCopyTo), target(std::move(target_in)) {
  children.push_back(std::move(child));
}

LogicalOperatorPtr LogicalCopyTo::Clone() const {
  auto copy = std::make_unique<LogicalCopyTo>(target, ClonePlan(*children[0]));
  copy->column_names = column_names;
  return copy;
}

}  // namespace scaup
