// The plain predicate that plans hand to storage: column op constant, or a NULL test.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scaup/value.hpp"

namespace scaup {

/// Among the columns of a scan: the numbers of the rows, BIGINT.
inline constexpr size_t kRowNumberColumn = SIZE_MAX;

/// A predicate that a scan applies itself, with zone maps and on encoded data. A value; no expression tree.
struct ScanFilter {
  enum class Op : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kIsNull,
    kIsNotNull,
    kHasElement  ///< of a list: an element is that of `constant`, a list of just one, not NULL
  };
  bool is_null_test() const { return op == Op::kIsNull || op == Op::kIsNotNull; }
  /// Whether it says where the column's values are in their order.
  bool is_comparison() const { return !is_null_test() && op != Op::kHasElement; }
  size_t column = 0;  ///< index into the table's columns
  Op op = Op::kEqual;
  Value constant;  ///< of the column's type, not NULL; unused by the NULL tests
};

}  // namespace scaup
