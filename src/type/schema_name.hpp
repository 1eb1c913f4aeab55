// The names of the default schema, which the parser, the catalog and the system's relations know.
#pragma once

#include <string_view>

namespace scaup {

/// The schema that names without one mean.
inline constexpr const char* kDefaultSchemaName = "main";
/// The default schema's second name: that of PostgreSQL's, which its clients and scripts write. No other
/// schema can have it.
inline constexpr std::string_view kPublicSchemaName = "public";

/// Returns the name in the catalog of a schema that a user or client has named.
inline std::string_view SchemaNamed(std::string_view written) {
  return written == kPublicSchemaName ? kDefaultSchemaName : written;
}

}  // namespace scaup
