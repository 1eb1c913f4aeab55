// Arrow factory: tables that the program offers to statements, and the columns and rows that these request.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scaup/value.hpp"

struct ArrowArrayStream;

namespace scaup {

/// A condition of a statement on one column. Rows for which it is false or NULL need not be produced. A value
/// type.
struct ArrowFilter {
  enum class Test : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,  ///< NaN is greater than all other numbers
    kGreaterEqual,
    kIsNull,
    kIsNotNull
  };
  std::string column;
  Test test = Test::kEqual;
  Value value;  ///< of the column's SQL type; NULL for kIsNull and kIsNotNull
};

/// The columns and rows of a table that a statement requests. A value type.
struct ArrowRequest {
  std::vector<std::string> columns;  ///< by name; empty for all, for example when only their types are needed
  /// Conditions that are ANDed. They are hints: the statement tests them itself, so a table may produce more
  /// rows.
  std::vector<ArrowFilter> filters;
};

/// Opens a pass over a table that the program offers. Initializes `out` as a stream of Arrow arrays that has
/// at least the requested columns. The statement owns the stream and releases it. Called by threads that run
/// statements, one at a time. An exception ends the statement. REQUIRES: the factory does not run statements
/// on the connection that reads the table.
using ArrowFactory = std::function<void(const ArrowRequest& request, ArrowArrayStream* out)>;

}  // namespace scaup
