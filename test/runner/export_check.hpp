// Whether a database is the same again after EXPORT DATABASE and IMPORT DATABASE.
#pragma once

#include <string>

#include "scaup/scaup.hpp"

namespace scaup::test {

/// Exports the database into `directory`, which does not exist yet, imports that into a new database of this
/// configuration, and compares the two: what the catalog lists, the rows of every table and collection in
/// their order, the answers of every view, and what the new one exports, byte by byte. Returns a line for
/// each difference. Throws scaup::Error where the export or the import fails.
std::string FindExportDifferences(Database& database, const Config& config, const std::string& directory);

}  // namespace scaup::test
