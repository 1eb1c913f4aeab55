// What the window operator computes: columns are positions in its input.
#pragma once

#include <optional>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/window/window_function.hpp"
#include "scaup/value.hpp"
#include "type/window_frame.hpp"

namespace scaup {

struct FrameBoundSpecification {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  // Of kPreceding and kFollowing; a BIGINT for ROWS and GROUPS.
  LogicalType offset_type;
  Value offset;                         ///< NULL also where a column has it
  std::optional<size_t> offset_column;  ///< which has it where it is found while the query runs
  size_t limit = 0;                     ///< RANGE with an offset: the column of the last value in the frame

  /// In ROWS: how many rows the bound lies away from its row; nothing if that is not known, or more than
  /// `most`.
  std::optional<size_t> RowDistance(size_t most) const;
};

struct FrameSpecification {
  FrameUnit unit = FrameUnit::kRange;
  FrameBoundSpecification start;
  FrameBoundSpecification end;
  FrameExclusion exclusion = FrameExclusion::kNoOthers;
  size_t range_key = 0;  ///< RANGE with an offset: the column that is compared with limits

  bool has_limits() const;
  /// Whether it is ROWS between bounds that are known, and that lie together at most `most` rows away.
  bool IsShort(size_t most) const;
  friend bool operator==(const FrameSpecification& a, const FrameSpecification& b);
};

struct WindowFunctionSpecification {
  WindowFunctionKind kind = WindowFunctionKind::kAggregate;
  AggregateSpecification aggregate;  ///< of kAggregate, with its arguments
  std::vector<size_t> arguments;     ///< of the others
  size_t frame = 0;                  ///< in WindowSpecification::frames
  LogicalType return_type;
};

/// Window functions with one PARTITION BY and ORDER BY. Immutable.
struct WindowSpecification {
  std::vector<size_t> partition_by;
  std::vector<size_t> order_by;
  std::vector<SortOrder> orders;  ///< of partition_by, then of order_by
  std::vector<FrameSpecification> frames;
  std::vector<WindowFunctionSpecification> functions;
};

}  // namespace scaup
