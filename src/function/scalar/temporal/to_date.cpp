// to_date and to_timestamp: parse text by a template; to_timestamp(seconds) counts from 1970.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowUnreadable(std::string_view text, std::string_view pattern,
                                  const std::string& reason) {
  ThrowError(
      ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat,
      "\"" + std::string(text) + "\" does not fit the format \"" + std::string(pattern) + "\": " + reason);
}

template <bool kIsDate>
void Parse(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  std::optional<DateFormat> format;
  std::string last_pattern, reason;
  TimeZoneConverter zone(call.context.Zone());
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row) || !patterns.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (!format || patterns[row].view() != last_pattern) {
      last_pattern = patterns[row].view();
      format.emplace(last_pattern);
    }
    int64_t timestamp;
    if (!format->Parse(texts[row].view(), timestamp, reason))
      ThrowUnreadable(texts[row].view(), last_pattern, reason);
    if (kIsDate) {
      result.MutableData<int32_t>()[row] = DayOfTimestamp(timestamp);
    } else {
      int64_t& moment = result.MutableData<int64_t>()[row];
      if (!zone.ToMoment(timestamp, moment)) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
      }
    }
  }
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
           .kernel = &Parse<true>,
           .description = "A date read by a template.",
           .example = "to_date('29 Feb 2024', 'DD Mon YYYY')"},
          {.name = "to_timestamp",
           .argument_types = {text, text},
           .return_type = TypeId::kTimestampTz,
           .kernel = &Parse<false>,
           .description = "A timestamp read by a template, as the session's clocks show it.",
           .example = "to_timestamp('2024-02-29 12:34', 'YYYY-MM-DD HH24:MI')"},
          {.name = "to_timestamp",
           .argument_types = {TypeId::kDouble},
           .return_type = TypeId::kTimestampTz,
           .kernel = &FromEpoch,
           .description = "The timestamp so many seconds after 1970-01-01 00:00:00 UTC.",
           .example = "to_timestamp(1709210096.5)"}};
}

}  // namespace scaup
