// Series of integers and of times.
#include "function/table/series.hpp"

#include <fmt/format.h>

#include <limits>

#include "common/throw.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "type/time/date_time.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowBadSeries(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

/// The number of values start, start + step, ... that do not pass `stop`. REQUIRES: step is not 0.
uint64_t CountSeriesRows(int64_t start, int64_t stop, int64_t step, bool includes_stop) {
  SCAUP_ASSERT(step != 0);
  if (step > 0 ? start > stop : start < stop) return 0;
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                                     : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  const uint64_t width = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  const uint64_t steps = distance / width;
  if (!includes_stop && distance % width == 0) return steps;
  return steps == std::numeric_limits<uint64_t>::max() ? steps : steps + 1;
}

/// The values of a calendar series. Steps of months yield at most a few million values in the whole range of
/// time. With a `zone` that is not null, steps may be of days.
std::vector<int64_t> CalendarValues(const FunctionContext& context, int64_t start, int64_t stop,
                                    const Interval& step, bool rising, bool includes_stop,
                                    TimeZoneConverter* zone) {
  std::vector<int64_t> values;
  for (int64_t value = start;;) {
    const bool is_inside = value == stop ? includes_stop : (value < stop) == rising;
    if (!is_inside) return values;
    values.push_back(value);
    if (values.size() % kVectorSize == 0) context.CheckInterrupt();
    const bool fits =
        zone == nullptr ? AddInterval(value, step, value) : AddToMoment(*zone, value, step, value);
    if (!fits) return values;
  }
}

}  // namespace

Series SeriesOfIntegers(const char* function, int64_t start, int64_t stop, int64_t step, bool includes_stop) {
  if (step == 0) ThrowBadSeries(fmt::format("the step of {} must not be 0", function));
  return {.start = start, .step = step, .row_count = CountSeriesRows(start, stop, step, includes_stop)};
}

Series SeriesOfTimes(const FunctionContext& context, const char* function, int64_t start, int64_t stop,
                     const Interval& step, bool has_zone, bool includes_stop) {
  if (IsInfiniteTimestamp(start) || IsInfiniteTimestamp(stop))
    ThrowBadSeries(fmt::format("{} needs finite times", function));
  const int128_t direction = IntervalSortKey(step);
  if (direction == 0) ThrowBadSeries(fmt::format("the step of {} must not be 0", function));
  Series series{.start = start};
  if (step.months != 0 || (has_zone && step.days != 0)) {
    const bool all_one_way = direction > 0 ? step.days >= 0 && step.micros >= 0 && step.months >= 0
                                           : step.days <= 0 && step.micros <= 0 && step.months <= 0;
    if (!all_one_way)
      ThrowBadSeries(fmt::format("the parts of the step of {} must have the same sign", function));
    TimeZoneConverter zone(context.Zone());
    series.by_calendar = true;
    series.calendar_values =
        CalendarValues(context, start, stop, step, direction > 0, includes_stop, has_zone ? &zone : nullptr);
    series.row_count = series.calendar_values.size();
    return series;
  }
  const int128_t micros = static_cast<int128_t>(step.days) * kMicrosPerDay + step.micros;
  if (micros > INT64_MAX || micros < INT64_MIN)
    ThrowOutOfRange(fmt::format("the step of {} is out of range", function));
  series.step = static_cast<int64_t>(micros);
  series.row_count = CountSeriesRows(start, stop, series.step, includes_stop);
  return series;
}

}  // namespace scaup
