// Overloads for TIMESTAMP WITH TIME ZONE of functions of local time.
#include "function/scalar/temporal/local_time.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/temporal/field_argument.hpp"

namespace scaup {
namespace {

/// Makes a function's arguments be cast to the types of the kernel.
void TakeLocalTimes(ScalarFunction& function) {
  for (LogicalType& type : function.argument_types) {
    if (type.id() == TypeId::kTimestampTz) type = TypeId::kTimestamp;
  }
}

std::unique_ptr<FunctionData> BindAtLocalTime(ScalarFunction& function, std::span<const BindArgument>) {
  TakeLocalTimes(function);
  return nullptr;
}

std::unique_ptr<FunctionData> BindFieldAtLocalTime(ScalarFunction& function,
                                                   std::span<const BindArgument> arguments) {
  auto data = BindField(function, arguments);
  TakeLocalTimes(function);
  return data;
}

bool Takes(const ScalarFunction& function, TypeId type) {
  return std::find(function.argument_types.begin(), function.argument_types.end(), LogicalType(type)) !=
         function.argument_types.end();
}

}  // namespace

void AddLocalTimeOverloads(ScalarFunctionList& list) {
  const size_t count = list.size();
  for (size_t i = 0; i < count; i++) {
    if (!Takes(list[i], TypeId::kTimestamp) || list[i].return_type.id() == TypeId::kTimestamp) continue;
    ScalarFunction function = list[i];
    std::replace(function.argument_types.begin(), function.argument_types.end(),
                 LogicalType(TypeId::kTimestamp), LogicalType(TypeId::kTimestampTz));
    const bool exists = std::any_of(list.begin(), list.end(), [&](const ScalarFunction& other) {
      return other.name == function.name && other.argument_types == function.argument_types;
    });
    if (exists) continue;
    SCAUP_CHECK(function.bind == nullptr || function.bind == &BindField);
    function.bind = function.bind == nullptr ? &BindAtLocalTime : &BindFieldAtLocalTime;
    list.push_back(std::move(function));
  }
}

int64_t LocalNow(const FunctionContext& context) {
  int64_t local = context.now_micros;
  TimeZoneConverter(context.Zone()).ToLocal(context.now_micros, local);
  return local;
}

bool AddToMoment(TimeZoneConverter& zone, int64_t moment, const Interval& interval, int64_t& result) {
  result = moment;
  if (!IsFiniteTimestamp(moment)) return true;
  if (interval.months != 0 || interval.days != 0) {
    int64_t local;
    if (!zone.ToLocal(moment, local) || !AddInterval(local, {interval.months, interval.days, 0}, local) ||
        !zone.ToMoment(local, moment)) {
      return false;
    }
  }
  return AddInterval(moment, {0, 0, interval.micros}, result);
}

int32_t LocalDay(const FunctionContext& context) { return DayOfTimestamp(LocalNow(context)); }

}  // namespace scaup
