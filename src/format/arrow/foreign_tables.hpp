// Tables outside of the catalog, which the host program offers to its statements by name.
#pragma once

#include <memory>
#include <string_view>

#include "format/arrow/arrow_table.hpp"

namespace scaup {

/// Resolves table names that the catalog does not know. Called while a statement is bound, on its thread.
class ForeignTables {
 public:
  virtual ~ForeignTables() = default;
  /// The table with this name; null if there is none. The statement shares ownership.
  virtual std::shared_ptr<ArrowTable> Find(std::string_view name) = 0;
};

}  // namespace scaup
