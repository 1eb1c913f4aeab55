// Window specification: what the window operator computes; columns are positions in its input.
#pragma once

#include <optional>
#include <vector>

#include "execution/aggregate/aggregate_specification.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/window/window_function.hpp"
#include "scaup/value.hpp"
#include "type/window_frame.hpp"

namespace scaup {

/// One bound of a frame.
struct FrameBoundSpecification {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  // The type of the offset of kPreceding and kFollowing; BIGINT for ROWS and GROUPS.
  LogicalType offset_type;
  Value offset;                         ///< NULL also if a column has the offset
  std::optional<size_t> offset_column;  ///< set if the offset is computed while the query runs
  size_t limit = 0;                     ///< RANGE with an offset: column of the last value in the frame

  /// For ROWS: the number of rows between the bound and its row. Nothing if it is unknown or above `most`.
  std::optional<size_t> RowDistance(size_t most) const;
};

/// The frame of a window function.
struct FrameSpecification {
  FrameUnit unit = FrameUnit::kRange;
  FrameBoundSpecification start;
  FrameBoundSpecification end;
  FrameExclusion exclusion = FrameExclusion::kNoOthers;
  size_t range_key = 0;  ///< RANGE with an offset: the column that is compared with limits

  bool has_limits() const;
  /// Whether it is ROWS with known bounds whose distances add up to at most `most` rows.
  bool IsShort(size_t most) const;
  friend bool operator==(const FrameSpecification& a, const FrameSpecification& b);
};

/// One window function.
struct WindowFunctionSpecification {
  WindowFunctionKind kind = WindowFunctionKind::kAggregate;
  AggregateSpecification aggregate;  ///< of kAggregate, with its arguments
  std::vector<size_t> arguments;     ///< of other functions
  bool ignores_nulls = false;        ///< rows whose first argument is NULL do not count
  std::optional<size_t> previous;    ///< column of WindowExpression::previous
  size_t frame = 0;                  ///< in WindowSpecification::frames
  LogicalType return_type;
};

/// Window functions with the same PARTITION BY and ORDER BY. Immutable.
struct WindowSpecification {
  std::vector<size_t> partition_by;
  std::vector<size_t> order_by;
  std::vector<SortOrder> orders;  ///< of partition_by, then of order_by
  std::vector<FrameSpecification> frames;
  std::vector<WindowFunctionSpecification> functions;
};

}  // namespace scaup
