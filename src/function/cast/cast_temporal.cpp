// Casts among DATE, TIME, TIMESTAMP and INTERVAL.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

void CastDateToTimestamp(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<int32_t, int64_t>(call, source, count, result,
                                [](int32_t days, int64_t& micros) { return DateToTimestamp(days, micros); });
}

void CastTimestampToDate(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<int64_t, int32_t>(call, source, count, result, [](int64_t micros, int32_t& days) {
    days = TimestampToDate(micros);
    return true;
  });
}

// Infinite timestamps have no time of day and become NULL, as in PostgreSQL.
void CastTimestampToTime(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const CastCall null_where_infinite{call.context, call.source_type, call.target_type, true};
  CastNumbers<int64_t, int64_t>(null_where_infinite, source, count, result,
                                [](int64_t micros, int64_t& time) {
                                  time = TimeOfTimestamp(micros);
                                  return !IsInfiniteTimestamp(micros);
                                });
}

void CastTimeToInterval(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<int64_t, Interval>(call, source, count, result, [](int64_t micros, Interval& interval) {
    interval = {0, 0, micros};
    return true;
  });
}

void CastIntervalToTime(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastNumbers<Interval, int64_t>(call, source, count, result, [](const Interval& interval, int64_t& time) {
    time = TimeOfInterval(interval);
    return true;
  });
}

}  // namespace

CastFunction FindTemporalCast(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kDate) return {CastDateToTimestamp, true};
  if (from.id() == TypeId::kTime) return {CastTimeToInterval, false};
  if (from.id() == TypeId::kInterval) return {CastIntervalToTime, false};
  return {to.id() == TypeId::kDate ? CastTimestampToDate : CastTimestampToTime, false};
}

}  // namespace scaup
