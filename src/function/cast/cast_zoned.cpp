// Casts between TIMESTAMP or TIME WITH TIME ZONE and DATE, TIME and TIMESTAMP, in the session's time zone.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_tz.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

namespace {

void CastToLocalTimestamp(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<int64_t, int64_t>(call, source, count, result, [&zone](int64_t moment, int64_t& local, Vector&) {
    return zone.ToLocal(moment, local);
  });
}

void CastToLocalDate(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<int64_t, int32_t>(call, source, count, result, [&zone](int64_t moment, int32_t& days, Vector&) {
    int64_t local;
    if (!zone.ToLocal(moment, local)) return false;
    days = TimestampToDate(local);
    return true;
  });
}

// Infinite timestamps have no time of day and become NULL, as in PostgreSQL.
void CastToLocalTime(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  const CastCall null_where_infinite{call.context, call.source_type, call.target_type, true};
  CastRows<int64_t, int64_t>(null_where_infinite, source, count, result,
                             [&zone](int64_t moment, int64_t& time, Vector&) {
                               int64_t local;
                               if (IsInfiniteTimestamp(moment) || !zone.ToLocal(moment, local)) return false;
                               time = TimeOfTimestamp(local);
                               return true;
                             });
}

void CastTimestampToMoment(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<int64_t, int64_t>(call, source, count, result, [&zone](int64_t local, int64_t& moment, Vector&) {
    return zone.ToMoment(local, moment);
  });
}

void CastDateToMoment(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  CastRows<int32_t, int64_t>(call, source, count, result, [&zone](int32_t days, int64_t& moment, Vector&) {
    int64_t local;
    return DateToTimestamp(days, local) && zone.ToMoment(local, moment);
  });
}

void CastTimeToTimeTz(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const TimeZone& zone = call.context.Zone();
  CastRows<int64_t, int64_t>(call, source, count, result, [&zone](int64_t micros, int64_t& stored, Vector&) {
    return TimeTzOfTime(micros, zone, stored);
  });
}

void CastTimeTzToTime(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<int64_t, int64_t>(call, source, count, result, [](int64_t stored, int64_t& micros, Vector&) {
    micros = LoadTimeTz(stored).micros;
    return true;
  });
}

void CastMomentToTimeTz(const CastCall& call, Vector& source, size_t count, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  const CastCall null_where_infinite{call.context, call.source_type, call.target_type, true};
  CastRows<int64_t, int64_t>(
      null_where_infinite, source, count, result,
      [&zone](int64_t moment, int64_t& stored, Vector&) { return TimeTzOfMoment(moment, zone, stored); });
}

}  // namespace

CastFunction FindZonedCast(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kTime) return {CastTimeToTimeTz, true};
  if (from.id() == TypeId::kTimeTz) return {CastTimeTzToTime, false};
  if (to.id() == TypeId::kTimeTz) return {CastMomentToTimeTz, true};
  if (from.id() == TypeId::kDate) return {CastDateToMoment, true};
  if (from.id() == TypeId::kTimestamp) return {CastTimestampToMoment, true};
  if (to.id() == TypeId::kDate) return {CastToLocalDate, true};
  return {to.id() == TypeId::kTime ? CastToLocalTime : CastToLocalTimestamp, true};
}

}  // namespace scaup
