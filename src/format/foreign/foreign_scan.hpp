// The skeleton of scans of tables in other databases: one cursor, from which threads take rows in turn.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// Rows of a table elsewhere. One thread at a time.
class ForeignCursor {
 public:
  virtual ~ForeignCursor() = default;
  /// Fills the columns of `output`, which were reset, with kVectorSize rows and returns their number; fewer
  /// only at the end.
  virtual size_t Fetch(DataChunk& output) = 0;
};

/// A bound table elsewhere. Columns are all that it has.
struct BoundForeign : BoundTableFunction {
  /// Opens a cursor with the wanted columns of the rows that may pass the filters.
  virtual std::unique_ptr<ForeignCursor> Open(const FunctionContext& context,
                                              const std::vector<size_t>& columns,
                                              const std::vector<ScanFilter>& filters) const = 0;
};

/// Makes a table function over BoundForeign relations.
TableFunction MakeForeignScan(const char* name, std::vector<LogicalType> argument_types,
                              const char* description, const char* example,
                              std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                          const TableFunctionArguments&));

/// Writes a value that is given as text. Returns false if it is not of the vector's type; NULLs are not
/// written by it. `zone` applies to moments that name none.
bool WriteTextCell(std::string_view text, Vector& output, size_t row, const TimeZone& zone);

}  // namespace scaup
