// Tables that are not in the catalog: what a program offers to its statements by name.
#pragma once

#include <memory>
#include <string_view>

#include "format/arrow/arrow_table.hpp"

namespace scaup {

/// Tables for names that the catalog does not know. Asked while a statement is bound, by its thread.
class ForeignTables {
 public:
  virtual ~ForeignTables() = default;
  /// The table of that name; null if there is none. The statement keeps what it is given.
  virtual std::shared_ptr<ArrowTable> Find(std::string_view name) = 0;
};

}  // namespace scaup
