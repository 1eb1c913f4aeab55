// Table indexes of plans: the ones that a plan makes, the columns that it takes from outside, and
// renumbering.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Returns the table indexes under which nodes of the plan make columns.
std::set<size_t> TablesOf(const LogicalOperator& plan);
/// Returns the table indexes of the columns that the plan hands to its reader.
std::set<size_t> OutputTables(const LogicalOperator& plan);
/// Returns the columns that expressions of the plan refer to but no node makes, which are those of an outer
/// query. Each appears once, in no particular order.
std::vector<ColumnBinding> OutsideColumns(LogicalOperator& plan);
/// Gives the columns of some tables other table indexes, where they are made and where they are used.
void RenumberTables(LogicalOperator& plan, const std::map<size_t, size_t>& numbers);

}  // namespace scaup
