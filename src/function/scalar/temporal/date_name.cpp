// dayname and monthname in English; isfinite of dates, timestamps and intervals.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_names.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

std::string_view DayName(int32_t days) { return kDayNames[DayOfWeek(days)]; }
std::string_view MonthName(int32_t days) { return kMonthNames[CivilFromDays(days).month - 1]; }

/// The name; NULL for infinite dates.
template <typename T, std::string_view (*kName)(int32_t)>
void Name(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto values = arguments.column(0).ViewAs<T>(arguments.size());
  StringRef* out = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!values.IsValid(row) || !IsFiniteTimestamp(AsTimestamp(values[row]))) {
      result.SetNull(row);
      continue;
    }
    out[row] = result.AddString(kName(DayOfTimestamp(AsTimestamp(values[row]))));
  }
}

template <typename T>
void IsFinite(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, uint8_t>(arguments.column(0), arguments.size(), result,
                       [](T value) -> uint8_t { return IsFiniteTimestamp(AsTimestamp(value)) ? 1 : 0; });
}

/// Intervals are always finite.
void IsFiniteInterval(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<Interval, uint8_t>(arguments.column(0), arguments.size(), result,
                              [](const Interval&) -> uint8_t { return 1; });
}

}  // namespace

ScalarFunctionList DateNameFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId argument, TypeId type, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {argument},
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  constexpr TypeId kDate = TypeId::kDate, kTimestamp = TypeId::kTimestamp, kText = TypeId::kVarchar;
  const char* day = "The English name of the day of the week.";
  const char* month = "The English name of the month.";
  const char* is_finite = "Whether this is not infinity or -infinity.";
  add("dayname", kDate, kText, &Name<int32_t, &DayName>, day, "dayname(DATE '2024-02-29')");
  add("dayname", kTimestamp, kText, &Name<int64_t, &DayName>, day,
      "dayname(TIMESTAMP '2024-02-29 12:34:56')");
  add("monthname", kDate, kText, &Name<int32_t, &MonthName>, month, "monthname(DATE '2024-02-29')");
  add("monthname", kTimestamp, kText, &Name<int64_t, &MonthName>, month,
      "monthname(TIMESTAMP '2024-02-29 12:34:56')");
  add("isfinite", kDate, TypeId::kBoolean, &IsFinite<int32_t>, is_finite, "isfinite(DATE 'infinity')");
  add("isfinite", kTimestamp, TypeId::kBoolean, &IsFinite<int64_t>, is_finite,
      "isfinite(TIMESTAMP '2024-02-29 12:34:56')");
  add("isfinite", TypeId::kTimestampTz, TypeId::kBoolean, &IsFinite<int64_t>, is_finite,
      "isfinite(TIMESTAMPTZ 'infinity')");
  add("isfinite", TypeId::kInterval, TypeId::kBoolean, &IsFiniteInterval, is_finite,
      "isfinite(INTERVAL '1 day')");
  return list;
}

}  // namespace scaup
