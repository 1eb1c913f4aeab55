// Checks the integrity of a database, for PRAGMA integrity_check.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace scaup {

/// Reads every block of the tables that `transaction` sees, and compares the values with their zone maps,
/// counts and indexes. Stored blocks are read from the file, not from the cache. Returns one message for each
/// problem. Throws for errors other than Error(kIo), such as an interrupt or a lack of memory.
std::vector<std::string> CheckIntegrity(const Catalog& catalog, const Transaction& transaction);

}  // namespace scaup
