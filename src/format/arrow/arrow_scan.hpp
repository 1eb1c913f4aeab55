// The scan of an Arrow table that the program offers.
#pragma once

#include <memory>

#include "format/arrow/arrow_table.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// A table function that cannot be called by name; its relation is bound already.
TableFunction ArrowScanFunction();
std::shared_ptr<const BoundTableFunction> BindArrowScan(std::shared_ptr<ArrowTable> table);

}  // namespace scaup
