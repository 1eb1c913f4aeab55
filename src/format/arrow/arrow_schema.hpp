// Arrow's types of SQL's, and the other way round.
#pragma once

#include <span>
#include <string>

#include "scaup/arrow.h"
#include "scaup/type.hpp"

namespace scaup {

/// How values are laid out where Arrow has several ways.
struct ArrowLayout {
  bool string_views = false;  ///< VARCHAR and BLOB as utf8_view and binary_view, but within lists and structs
  bool dictionaries = true;   ///< enums as dictionaries, not as strings
  bool extensions = true;     ///< JSON as arrow.json, UUID as arrow.uuid, not as their storage alone
  std::string time_zone = "UTC";  ///< that TIMESTAMP WITH TIME ZONE is shown in
};

/// Makes `out` the schema of a table: a struct of its columns. The caller releases it.
void ExportSchema(std::span<const std::string> names, std::span<const LogicalType> types,
                  const ArrowLayout& layout, ArrowSchema* out);

}  // namespace scaup
