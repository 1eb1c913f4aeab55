// DELETE: rows that go from a table.
#include "planner/statement/delete.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalOperatorPtr LogicalDelete::Clone() const {
  return CloneInto(std::make_unique<LogicalDelete>(table_index, table, ClonePlan(*children[0])));
}

}  // namespace scaup
