// now() and related functions: the current moment, and the session's local time.
#include <chrono>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/local_time.hpp"

namespace scaup {
namespace {

void Transaction(const ScalarCall& call, DataChunk&, Vector& result) {
  const FunctionContext& context = call.context;
  result.MutableData<int64_t>()[0] =
      context.transaction_micros != 0 ? context.transaction_micros : context.now_micros;
  result.SetConstant();
}
void Statement(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = call.context.now_micros;
  result.SetConstant();
}
void Clock(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = std::chrono::duration_cast<std::chrono::microseconds>(
                                         std::chrono::system_clock::now().time_since_epoch())
                                         .count();
  result.SetConstant();
}
void LocalTimestamp(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = LocalNow(call.context);
  result.SetConstant();
}
void Today(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int32_t>()[0] = LocalDay(call.context);
  result.SetConstant();
}
void TimeOfDay(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = MicrosOfDay(LocalNow(call.context));
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
  const char* moment = "When the transaction began; the same for all of its rows and statements.";
  const char* time = "The time of day when the statement began, by the session's clocks.";
  add("now", TypeId::kTimestampTz, &Transaction, moment, "now()");
  add("current_timestamp", TypeId::kTimestampTz, &Transaction, moment, "current_timestamp");
  add("transaction_timestamp", TypeId::kTimestampTz, &Transaction, moment, "transaction_timestamp()");
  add("statement_timestamp", TypeId::kTimestampTz, &Statement, "When the statement began.",
      "statement_timestamp()");
  add("clock_timestamp", TypeId::kTimestampTz, &Clock,
      "The present moment, which goes on during a statement.", "clock_timestamp()");
  list.back().volatility = Volatility::kVolatile;
  add("localtimestamp", TypeId::kTimestamp, &LocalTimestamp,
      "What the session's clocks showed when the statement began.", "localtimestamp");
  add("current_date", TypeId::kDate, &Today, "The day when the statement began, by the session's clocks.",
      "current_date");
  add("localtime", TypeId::kTime, &TimeOfDay, time, "localtime");
  return list;
}

}  // namespace scaup
