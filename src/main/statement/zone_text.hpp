// Bounds of zone maps as text, for PRAGMA storage_info.
#pragma once

#include <optional>
#include <string>

#include "scaup/type.hpp"
#include "vector/filter/zone_map.hpp"

namespace scaup {

/// Returns the least or greatest value of the zone as SQL prints it; unset if the zone has no bounds. For
/// strings it is the beginning, with "..." if more may follow; for BLOB in hex digits.
std::optional<std::string> MinimumText(const ZoneMap& zone, const LogicalType& type);
std::optional<std::string> MaximumText(const ZoneMap& zone, const LogicalType& type);

}  // namespace scaup
