// TIME WITH TIME ZONE: a time of day on clocks of a known distance from UTC.
#pragma once

#include <cstdint>

namespace scaup {

/// A time of day and the offset of its clocks.
struct TimeTz {
  int64_t micros = 0;          ///< Since midnight of those clocks, 0 to 24 hours.
  int32_t offset_seconds = 0;  ///< East of Greenwich, at most kMaxTimeTzOffset, at least -kMaxTimeTzOffset.
  friend bool operator==(const TimeTz&, const TimeTz&) = default;
};

inline constexpr int32_t kMaxTimeTzOffset = 16 * 3600 - 1;

// A stored value has the microseconds of UTC, which may be those of another day, above 24 bits that say how
// far west the clocks are. So the order of the integers is PostgreSQL's: by the moment, then from east to
// west.
inline constexpr int kTimeTzOffsetBits = 24;

/// Makes the integer that is stored. REQUIRES: both parts are within their ranges.
constexpr int64_t StoreTimeTz(const TimeTz& time) {
  const int64_t utc_micros = time.micros - int64_t{time.offset_seconds} * 1'000'000;
  return utc_micros * (int64_t{1} << kTimeTzOffsetBits) + (kMaxTimeTzOffset - time.offset_seconds);
}
constexpr TimeTz LoadTimeTz(int64_t stored) {
  const auto code = static_cast<int32_t>(stored & ((int64_t{1} << kTimeTzOffsetBits) - 1));
  const int32_t offset_seconds = kMaxTimeTzOffset - code;
  return {(stored >> kTimeTzOffsetBits) + int64_t{offset_seconds} * 1'000'000, offset_seconds};
}

}  // namespace scaup
