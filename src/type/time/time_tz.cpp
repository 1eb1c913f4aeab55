// Converts times and moments to TIME WITH TIME ZONE.
#include "type/time/time_tz.hpp"

#include <ctime>

#include "type/time/date_time.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

int32_t PresentOffset(const TimeZone& zone) { return zone.PeriodAt(time(nullptr)).offset_seconds; }

static bool StoreWithOffset(int64_t micros, int32_t offset_seconds, int64_t& stored) {
  if (offset_seconds > kMaxTimeTzOffset || offset_seconds < -kMaxTimeTzOffset) return false;
  stored = StoreTimeTz({micros, offset_seconds});
  return true;
}

bool TimeTzOfTime(int64_t micros, const TimeZone& zone, int64_t& stored) {
  return StoreWithOffset(micros, PresentOffset(zone), stored);
}

bool TimeTzOfMoment(int64_t moment_micros, TimeZoneConverter& zone, int64_t& stored) {
  int64_t local = 0;
  if (IsInfiniteTimestamp(moment_micros) || !zone.ToLocal(moment_micros, local)) return false;
  return StoreWithOffset(TimeOfTimestamp(local), zone.PeriodAt(moment_micros).offset_seconds, stored);
}

bool ShiftTimeTz(int64_t& stored, int32_t offset_seconds) {
  const TimeTz time = LoadTimeTz(stored);
  const int64_t utc_micros = time.micros - int64_t{time.offset_seconds} * kMicrosPerSecond;
  int64_t micros = (utc_micros + int64_t{offset_seconds} * kMicrosPerSecond) % kMicrosPerDay;
  if (micros < 0) micros += kMicrosPerDay;
  return StoreWithOffset(micros, offset_seconds, stored);
}

}  // namespace scaup
