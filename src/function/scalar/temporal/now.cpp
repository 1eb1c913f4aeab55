// now() and its kin: when the statement began, in UTC.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"

namespace scaup {
namespace {

void Now(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = call.context.now_micros;
  result.SetConstant();
}
void Today(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int32_t>()[0] = DayOfTimestamp(call.context.now_micros);
  result.SetConstant();
}
void TimeOfDay(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = MicrosOfDay(call.context.now_micros);
  result.SetConstant();
}

}  // namespace

ScalarFunctionList NowFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, ScalarKernel kernel, const char* description,
                       const char* example) {
    list.push_back({.name = name,
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .volatility = Volatility::kStable,
                    .can_fail = false});
  };
  const char* moment = "When the statement began (UTC); the same for all rows.";
  add("now", TypeId::kTimestamp, &Now, moment, "now()");
  add("current_timestamp", TypeId::kTimestamp, &Now, moment, "current_timestamp");
  add("localtimestamp", TypeId::kTimestamp, &Now, moment, "localtimestamp");
  add("statement_timestamp", TypeId::kTimestamp, &Now, moment, "statement_timestamp()");
  add("current_date", TypeId::kDate, &Today, "The day when the statement began (UTC).", "current_date");
  add("current_time", TypeId::kTime, &TimeOfDay, "The time of day when the statement began (UTC).",
      "current_time");
  add("localtime", TypeId::kTime, &TimeOfDay, "The time of day when the statement began (UTC).", "localtime");
  return list;
}

}  // namespace scaup
