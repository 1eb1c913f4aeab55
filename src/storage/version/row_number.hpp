// Row numbers, which identify the rows of a table.
#pragma once

#include <cstdint>

namespace scaup {

/// Identifies a row of a table for its whole life. Assigned in commit order, without gaps.
using RowNumber = uint64_t;
/// Numbers of rows that a transaction has inserted and not committed begin here. They are valid in that
/// transaction only.
inline constexpr RowNumber kFirstLocalRow = RowNumber{1} << 62;

/// Rows [begin, end).
struct RowRange {
  RowNumber begin;
  RowNumber end;
};

inline bool IsLocalRow(RowNumber row) { return row >= kFirstLocalRow; }

}  // namespace scaup
