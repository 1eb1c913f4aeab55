// Which types turn into which by themselves: PostgreSQL's implicit casts and the common type of several.
#pragma once

#include <optional>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// How far `from` is from `to` by implicit casts alone: 0 for the same type, larger for less fitting,
/// nullopt where an explicit cast is needed. NULL goes to everything.
std::optional<int> ImplicitCastCost(const LogicalType& from, const LogicalType& to);
/// The type that both turn into implicitly (for UNION, CASE, VALUES, comparison); nullopt if there is none.
std::optional<LogicalType> CommonType(const LogicalType& a, const LogicalType& b);
/// The DECIMAL that holds every value of an integer type; DECIMAL itself is returned unchanged.
LogicalType DecimalForInteger(const LogicalType& type);
/// A type from its SQL name, lower case, as PostgreSQL's parser or the user spells it ("int4", "numeric",
/// "text", "double precision"), without parameters. nullopt for names that Scaup does not know. DECIMAL
/// without parameters is DECIMAL(18,3).
std::optional<LogicalType> TypeFromName(std::string_view name);

}  // namespace scaup
