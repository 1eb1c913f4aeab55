// Tables that a program offers to statements, and what these want of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scaup/value.hpp"

struct ArrowArrayStream;

namespace scaup {

/// A condition on a column, of those that a statement makes: rows for which it does not hold, as for NULL,
/// are not wanted. A value.
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
  Value value;  ///< of the column's type in SQL; NULL for the tests of NULL
};

/// The columns and filters of a table that a statement wants.
struct ArrowRequest {
  std::vector<std::string> columns;  ///< none: all, as where only their types are asked for
  /// All of them hold for the rows that are wanted. The statement tests them itself: a table may give more
  /// rows.
  std::vector<ArrowFilter> filters;
};

/// Opens a pass over a table that a program offers: makes `out` a stream of Arrow arrays that has the wanted
/// columns at least. Called by threads that run statements, one at a time. Must not run statements of the
/// connection that reads the table.
using ArrowFactory = std::function<void(const ArrowRequest& request, ArrowArrayStream* out)>;

}  // namespace scaup
