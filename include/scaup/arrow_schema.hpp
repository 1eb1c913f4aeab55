// Arrow schemas: the types of results, prepared statements and parameters as Arrow knows them.
#pragma once

#include <span>
#include <string>

#include "scaup/export.hpp"
#include "scaup/result.hpp"

struct ArrowSchema;

namespace scaup {

/// Exports the types of columns as a struct of them, just as QueryResult::ExportArrow does for their rows, so
/// that a program has the schema of a statement without executing it. Columns of type kNull become Arrow's
/// null type. `time_zone` is that of QueryResult::time_zone. The caller owns `out`. REQUIRES: `out` is
/// uninitialized or released. Thread-safe.
SCAUP_API void ExportArrowSchema(std::span<const ResultColumn> columns, const std::string& time_zone,
                                 ArrowSchema* out, const ArrowOptions& options = {});

}  // namespace scaup
