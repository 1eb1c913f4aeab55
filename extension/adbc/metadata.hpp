// Metadata: what the database tells of itself, in the tables that the specification fixes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connection.hpp"
#include "owned.hpp"

namespace scaup::adbc {

/// The filters of ObjectsTable and StatisticsTable. Null lets everything pass; others are patterns, in which
/// % and _ stand for any texts and characters.
struct ObjectFilter {
  const char* catalog = nullptr;
  const char* schema = nullptr;
  const char* table = nullptr;
  const char* column = nullptr;
  std::optional<std::vector<std::string>> types;  ///< of tables
};

/// Returns the result of AdbcConnectionGetInfo for these codes; of all if `codes` is nullopt. Unknown codes
/// have no row.
OwnedStream InfoTable(std::optional<std::span<const uint32_t>> codes);
OwnedStream TableTypesTable();
/// Returns the names of the driver's own statistics: there are none.
OwnedStream StatisticNamesTable();
/// Returns the result of AdbcConnectionGetObjects. `depth` is one of ADBC_OBJECT_DEPTH_*.
OwnedStream ObjectsTable(Operation& operation, int depth, const ObjectFilter& filter);
/// Returns the result of AdbcConnectionGetStatistics. Approximate ones come from the zone maps of the
/// storage; exact ones read the tables.
OwnedStream StatisticsTable(Operation& operation, const ObjectFilter& filter, bool is_approximate);
/// Exports the schema of a table or view. Throws Error(42P01) if there is none.
void TableSchema(Operation& operation, const char* catalog, const char* schema, const char* table,
                 ArrowSchema* out);

}  // namespace scaup::adbc
