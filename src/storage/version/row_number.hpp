// How rows of a table are named.
#pragma once

#include <cstdint>

namespace scaup {

/// Names a row of a table for its whole life: given in the order of commits, without gaps.
using RowNumber = uint64_t;
/// Rows that a transaction inserted and has not committed are numbered from here on, for itself alone.
inline constexpr RowNumber kFirstLocalRow = RowNumber{1} << 62;

/// Rows [begin, end).
struct RowRange {
  RowNumber begin;
  RowNumber end;
};

inline bool IsLocalRow(RowNumber row) { return row >= kFirstLocalRow; }

}  // namespace scaup
