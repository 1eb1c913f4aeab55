// Series of values from one bound to another, for generate_series and range.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check.hpp"
#include "function/function_context.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The values start, start + step, ... up to the end. Times are in microseconds.
struct Series {
  int64_t start = 0;
  int64_t step = 0;
  uint64_t row_count = 0;
  /// Whether steps include months, or days in a zone whose clocks change. All values are then stored, because
  /// each depends on the one before (31 January, 29 February, 29 March).
  bool by_calendar = false;
  std::vector<int64_t> calendar_values;

  /// The value of a row. REQUIRES: row < row_count.
  int64_t ValueAt(uint64_t row) const {
    SCAUP_ASSERT(row < row_count);
    // Unsigned arithmetic, because the product may overflow although the sum does not.
    return by_calendar
               ? calendar_values[row]
               : static_cast<int64_t>(static_cast<uint64_t>(start) + row * static_cast<uint64_t>(step));
  }
};

/// Makes a series of integers. Throws Error(22023), naming `function`, for a step of 0.
Series SeriesOfIntegers(const char* function, int64_t start, int64_t stop, int64_t step, bool includes_stop);
/// Makes a series of TIMESTAMPs, or with `has_zone` of TIMESTAMPTZs, for which days and months follow the
/// session's local time. Throws Error(22023) for infinite times, and for a step of 0 or with parts of both
/// signs; 22003 for a step that is too long.
Series SeriesOfTimes(const FunctionContext& context, const char* function, int64_t start, int64_t stop,
                     const Interval& step, bool has_zone, bool includes_stop);

}  // namespace scaup
