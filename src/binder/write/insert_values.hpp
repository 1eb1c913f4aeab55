// What INSERT and COPY FROM have in common: the values of the columns of new rows.
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/bind_session.hpp"

namespace scaup {

std::vector<std::string> NamesOf(const TableEntry& table, const std::vector<size_t>& columns);
std::vector<LogicalType> TypesOf(const TableEntry& table, const std::vector<size_t>& columns);

/// Completes an INSERT: source column i goes to table column columns[i], the others get their defaults.
void FillValues(BindSession& session, BoundInsert& insert, const std::vector<size_t>& columns,
                size_t table_index, const std::vector<LogicalType>& source_types,
                const std::vector<std::string>& source_names, size_t position);
/// With generated columns, the other values become a query of their own, so that each is evaluated once:
/// generated ones are over that.
void AddGenerated(BindSession& session, BoundInsert& insert);

}  // namespace scaup
