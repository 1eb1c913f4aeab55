// Shared by INSERT and COPY FROM: the values of the columns of new rows.
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/bind_session.hpp"

namespace scaup {

std::vector<std::string> NamesOf(const TableEntry& table, const std::vector<size_t>& columns);
std::vector<LogicalType> TypesOf(const TableEntry& table, const std::vector<size_t>& columns);

/// Completes an INSERT. Source column i goes to table column columns[i]; the other columns get their
/// defaults.
void FillValues(BindSession& session, BoundInsert& insert, const std::vector<size_t>& columns,
                size_t table_index, const std::vector<LogicalType>& source_types,
                const std::vector<std::string>& source_names, size_t position);
/// Adds generated columns. The other values become a subquery below them, so that each is evaluated only
/// once.
void AddGenerated(BindSession& session, BoundInsert& insert);

}  // namespace scaup
