// The table indexes of plans: which ones a plan makes, which columns it takes from outside, and renumbering.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// The table indexes under which the nodes of the plan make columns.
std::set<size_t> TablesOf(const LogicalOperator& plan);
/// The columns that expressions of the plan refer to, but no node of it makes: those of a query around it.
/// Each once, in no order of meaning.
std::vector<ColumnBinding> OutsideColumns(LogicalOperator& plan);
/// Gives the columns of some tables other numbers, where they are made and where they are referred to.
void RenumberTables(LogicalOperator& plan, const std::map<size_t, size_t>& numbers);

}  // namespace scaup
