// The tables that a statement names, found in the tree of PostgreSQL's grammar.
#pragma once

#include <vector>

#include "parser/pg_query/parse_tree.hpp"
#include "scaup/table_name.hpp"

namespace scaup {

/// Appends the names of tables and the like in a statement that `names` does not have yet, in their order in
/// the tree. Names of common table expressions are none, where they are visible.
void AddTableNames(TreeNode root, std::vector<TableName>& names);

}  // namespace scaup
