// Unique keys of rows as text, and what INSERT with ON CONFLICT makes of them.
#pragma once

#include <string>
#include <vector>

#include "simulation/database_model.hpp"

namespace scaup::test {

/// The values of a row of a TableModel.
std::vector<std::string> SplitRow(const std::string& row);

/// Whether two rows share a unique key.
bool HasEqualKeys(const TableModel& table);

/// ON CONFLICT DO NOTHING: appends the rows whose keys are not there.
void InsertUnlessThere(TableModel& table, const std::vector<std::string>& rows);

/// ON CONFLICT (arbiter) DO UPDATE SET target = text, where target is in no key: appends the others, too,
/// whose further keys may be there. False if a row would be changed twice, or inserted and changed.
bool Upsert(TableModel& table, const std::vector<std::string>& rows, const UniqueKeyModel& arbiter,
            size_t target, const std::string& text);

}  // namespace scaup::test
