// TIMESTAMP WITH TIME ZONE as the clocks of the session's time zone show it.
#pragma once

#include "function/scalar/scalar_functions.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// For every function of the list that takes TIMESTAMPs, and gives none, one that takes TIMESTAMP WITH TIME
/// ZONE in their place: its arguments are cast. Functions that have such an overload already are left alone.
void AddLocalTimeOverloads(ScalarFunctionList& list);
/// The time that the session's clocks show when the statement began, and that day.
int64_t LocalNow(const FunctionContext& context);
int32_t LocalDay(const FunctionContext& context);
/// moment + interval: months and days by the clocks of the zone, the rest as time that passes. False when the
/// result is out of range.
bool AddToMoment(TimeZoneConverter& zone, int64_t moment, const Interval& interval, int64_t& result);

}  // namespace scaup
