// Bounds of zone maps as text, for people who look at how a table is stored.
#pragma once

#include <optional>
#include <string>

#include "scaup/type.hpp"
#include "storage/filter/zone_map.hpp"

namespace scaup {

/// The least value of the zone as SQL prints it; unset where it has no bounds. Of strings the beginning, with
/// "..." where more may follow; of BLOB in hex digits.
std::optional<std::string> MinimumText(const ZoneMap& zone, const LogicalType& type);
std::optional<std::string> MaximumText(const ZoneMap& zone, const LogicalType& type);

}  // namespace scaup
