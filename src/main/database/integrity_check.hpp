// PRAGMA integrity_check: reads everything and says what does not fit.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace scaup {

/// Reads every block of the tables that `transaction` sees, those in a file from the file and not from the
/// cache, and compares the values with their zone maps and counts. One message for each problem; none: all is
/// well.
std::vector<std::string> CheckIntegrity(const Catalog& catalog, const Transaction& transaction);

}  // namespace scaup
