// MERGE: inserts, updates and deletions by what a row matches.
#include "planner/statement/merge.hpp"

#include <fmt/format.h>

#include "planner/node/node_parts.hpp"

namespace scaup {

std::vector<std::string> LogicalMerge::Details() const {
  std::vector<std::string> lines = LogicalWrite::Details();
  for (size_t i = 0; i < actions.size(); i++) lines.push_back(fmt::format("{}: {}", i, actions[i].text));
  return lines;
}

LogicalOperatorPtr LogicalMerge::Clone() const {
  auto copy = std::make_unique<LogicalMerge>(table_index, table, ClonePlan(*children[0]));
  copy->actions = actions;
  copy->row_columns = row_columns;
  return CloneInto(std::move(copy));
}

}  // namespace scaup
