// TIMESTAMP WITH TIME ZONE as local time of the session's time zone.
#pragma once

#include "function/scalar/scalar_functions.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// Adds overloads for TIMESTAMP WITH TIME ZONE to all functions of the list that take TIMESTAMPs and return
/// none. The new overloads cast their arguments. Functions that have such an overload already are skipped.
void AddLocalTimeOverloads(ScalarFunctionList& list);
/// The session's local time when the statement began, and the date.
int64_t LocalNow(const FunctionContext& context);
int32_t LocalDay(const FunctionContext& context);
/// Computes moment + interval: months and days by the zone's local time, the rest as elapsed time. Returns
/// false if the result is out of range.
bool AddToMoment(TimeZoneConverter& zone, int64_t moment, const Interval& interval, int64_t& result);

}  // namespace scaup
