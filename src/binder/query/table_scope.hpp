// The names of one table in FROM: its alias and its columns, as the query or the table itself calls them.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Makes a scope of columns with the alias and column aliases that the query gives, if any. Without alias the
/// table is called `default_alias`, and `schema` may stand in front of it.
Scope NamedScope(const ast::TableRef& table, const std::string& default_alias, const std::string& schema,
                 std::vector<ScopeColumn> columns);
/// Makes a scope of all columns of a table index.
Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                const std::vector<std::string>& names, const std::vector<LogicalType>& types,
                const std::string& schema);
/// Makes a scope of the given columns only.
Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                const std::vector<std::string>& all_names, const std::vector<LogicalType>& types,
                const std::string& schema, const std::vector<size_t>& columns);

}  // namespace scaup
