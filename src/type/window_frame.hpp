// The kinds of window frames, as the grammar names them.
#pragma once

#include <cstdint>

namespace scaup {

/// The unit that the bounds of a frame count: rows, values of the one ORDER BY column, or groups of peers.
enum class FrameUnit : uint8_t { kRows, kRange, kGroups };

enum class FrameBoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,  ///< offset PRECEDING
  kCurrentRow,
  kFollowing,  ///< offset FOLLOWING
  kUnboundedFollowing,
};

/// EXCLUDE: what is taken out of the frame again.
enum class FrameExclusion : uint8_t { kNoOthers, kCurrentRow, kGroup, kTies };

}  // namespace scaup
