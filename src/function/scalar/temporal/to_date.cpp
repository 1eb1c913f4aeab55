// to_date and to_timestamp: parse text by a template; to_timestamp(seconds) counts from 1970.
#include <cmath>
#include <optional>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Reads texts, and converts what the template says by `convert`. A template is compiled once per run of rows
/// that share it, so once for a constant.
template <typename T, typename Convert>
void Read(DataChunk& arguments, Vector& result, Convert&& convert) {
  std::optional<DateFormat> format;
  std::string last_pattern;
  MapBinary<StringRef, StringRef, T>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                     [&](const StringRef& text, const StringRef& pattern) {
                                       if (!format || pattern.view() != last_pattern) {
                                         last_pattern = pattern.view();
                                         format.emplace(last_pattern);
                                       }
                                       return convert(format->Parse(text.view()));
                                     });
}

void ReadDates(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Read<int32_t>(arguments, result, [](const FormattedTime& time) { return time.days; });
}

/// Rounds a moment to the digits of FF1 .. FF6. As in PostgreSQL, halves are rounded away from 2000-01-01.
int64_t RoundTo(int64_t moment, int32_t digits) {
  if (digits >= 6) return moment;
  constexpr int64_t kMicrosTo2000 = 10957 * kMicrosPerDay;
  int64_t unit = 1;
  for (; digits < 6; digits++) unit *= 10;
  const int64_t rest = ((moment - kMicrosTo2000) % unit + unit) % unit;
  const bool rounds_up = moment >= kMicrosTo2000 ? rest * 2 >= unit : rest * 2 > unit;
  return moment - rest + (rounds_up ? unit : 0);
}

void ReadTimestamps(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  Read<int64_t>(arguments, result, [&](const FormattedTime& time) {
    int64_t local, moment;
    const bool fits =
        AddInterval(0, {0, time.days, time.micros}, local) &&
        (time.has_offset ? AddInterval(local, {0, 0, -time.offset_seconds * kMicrosPerSecond}, moment)
                         : zone.ToMoment(local, moment));
    if (!fits) ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
    return RoundTo(moment, time.digits);
  });
}

void FromEpoch(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, int64_t>(arguments.column(0), arguments.size(), result, [](double seconds) -> int64_t {
    if (std::isinf(seconds)) return seconds > 0 ? kTimestampInfinity : kTimestampMinusInfinity;
    const double micros = std::rint(seconds * 1e6);
    int64_t timestamp;
    if (!(std::fabs(micros) < 9.2e18) || !AddInterval(0, {0, 0, static_cast<int64_t>(micros)}, timestamp)) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
    }
    return timestamp;
  });
}

}  // namespace

ScalarFunctionList ToDateFunctions() {
  const LogicalType text = TypeId::kVarchar;
  return {{.name = "to_date",
           .argument_types = {text, text},
           .return_type = TypeId::kDate,
           .kernel = &ReadDates,
           .description = "A date read by a template.",
           .example = "to_date('29 Feb 2024', 'DD Mon YYYY')"},
          {.name = "to_timestamp",
           .argument_types = {text, text},
           .return_type = TypeId::kTimestampTz,
           .kernel = &ReadTimestamps,
           .description = "A timestamp read by a template; without TZH, as the session's clocks show it.",
           .example = "to_timestamp('2024-02-29 12:34', 'YYYY-MM-DD HH24:MI')"},
          {.name = "to_timestamp",
           .argument_types = {TypeId::kDouble},
           .return_type = TypeId::kTimestampTz,
           .kernel = &FromEpoch,
           .description = "The timestamp so many seconds after 1970-01-01 00:00:00 UTC.",
           .example = "to_timestamp(1709210096.5)"}};
}

}  // namespace scaup
