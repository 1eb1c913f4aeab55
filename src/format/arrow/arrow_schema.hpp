// Exports SQL types as Arrow schemas.
#pragma once

#include <span>
#include <string>

#include "scaup/arrow.h"
#include "scaup/type.hpp"

namespace scaup {

/// The choice of layouts where Arrow has several.
struct ArrowLayout {
  bool string_views = false;  ///< VARCHAR and BLOB as views, except within lists and structs
  bool dictionaries = true;   ///< enums as dictionaries instead of strings
  bool extensions = true;     ///< JSON as arrow.json and UUID as arrow.uuid instead of their storage types
  std::string time_zone = "UTC";  ///< the display zone of TIMESTAMP WITH TIME ZONE
};

/// Fills `out` with the schema of a table, which is a struct of its columns. The caller releases it.
void ExportSchema(std::span<const std::string> names, std::span<const LogicalType> types,
                  const ArrowLayout& layout, ArrowSchema* out);

}  // namespace scaup
