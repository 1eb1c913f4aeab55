// UPDATE: new values for rows of a table.
#include "planner/statement/update.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalOperatorPtr LogicalUpdate::Clone() const {
  return CloneInto(std::make_unique<LogicalUpdate>(table_index, table, columns, ClonePlan(*children[0])));
}

}  // namespace scaup
