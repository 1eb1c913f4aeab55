// What system table functions may list of the database; implemented where the catalog is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scaup/type.hpp"

namespace scaup {

struct ColumnListing {
  std::string name;
  LogicalType type;
  bool not_null = false;
  std::string default_text;  ///< SQL; "" if none
};

struct TableListing {
  std::string schema;
  std::string name;
  uint64_t row_count = 0;
  std::vector<ColumnListing> columns;
};

/// A consistent look at the catalog. Borrowed for the time of a statement; const access from any thread.
class DatabaseListing {
 public:
  virtual ~DatabaseListing() = default;
  virtual std::vector<std::string> Schemas() const = 0;
  /// Sorted by schema, then name.
  virtual std::vector<TableListing> Tables() const = 0;
};

}  // namespace scaup
