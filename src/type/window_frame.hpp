// The kinds of window frames in SQL's grammar.
#pragma once

#include <cstdint>

namespace scaup {

/// The unit of a frame's bounds: rows, values of the single ORDER BY column, or groups of peers.
enum class FrameUnit : uint8_t { kRows, kRange, kGroups };

enum class FrameBoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,  ///< offset PRECEDING
  kCurrentRow,
  kFollowing,  ///< offset FOLLOWING
  kUnboundedFollowing,
};

/// The EXCLUDE clause: the rows that are removed from the frame.
enum class FrameExclusion : uint8_t { kNoOthers, kCurrentRow, kGroup, kTies };

}  // namespace scaup
