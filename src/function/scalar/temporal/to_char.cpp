// to_char of dates, timestamps, times and intervals by a template.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Formats values. A template is compiled once per run of rows that share it, so once for a constant.
/// `fields_of` returns false for a value without fields.
template <typename T, typename FieldsOf>
void Format(DataChunk& arguments, Vector& result, FieldsOf&& fields_of) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<T>(count);
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  StringRef* out = result.MutableData<StringRef>();
  std::optional<DateFormat> format;
  std::string last_pattern, text;
  DateFields fields;
  for (size_t row = 0; row < count; row++) {
    // As in PostgreSQL, an empty template yields NULL, and so do infinite dates, because they have no fields.
    if (!values.IsValid(row) || !patterns.IsValid(row) || patterns[row].view().empty() ||
        !fields_of(values[row], fields)) {
      result.SetNull(row);
      continue;
    }
    if (!format || patterns[row].view() != last_pattern) {
      last_pattern = patterns[row].view();
      format.emplace(last_pattern);
    }
    text.clear();
    format->Append(fields, text);
    out[row] = result.AddString(text);
  }
}

void FormatTimestamps(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Format<int64_t>(arguments, result, [](int64_t timestamp, DateFields& fields) {
    if (!IsFiniteTimestamp(timestamp)) return false;
    fields = FieldsOfTimestamp(timestamp);
    return true;
  });
}

void FormatMoments(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  Format<int64_t>(arguments, result, [&](int64_t moment, DateFields& fields) {
    if (!IsFiniteTimestamp(moment)) return false;
    fields = FieldsOfMoment(zone, moment);
    return true;
  });
}

/// A date counts as its first moment in the session's zone, so that it has an offset, too.
void FormatDates(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  Format<int32_t>(arguments, result, [&](int32_t days, DateFields& fields) {
    if (!IsFiniteDate(days)) return false;
    int64_t midnight, moment;
    if (!DateToTimestamp(days, midnight) || !zone.ToMoment(midnight, moment))
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "date out of range for timestamp");
    fields = FieldsOfMoment(zone, moment);
    return true;
  });
}

/// A time counts as an interval since midnight, as in PostgreSQL.
void FormatTimes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Format<int64_t>(arguments, result, [](int64_t micros, DateFields& fields) {
    fields = FieldsOfInterval({0, 0, micros});
    return true;
  });
}

void FormatIntervals(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Format<Interval>(arguments, result, [](const Interval& interval, DateFields& fields) {
    fields = FieldsOfInterval(interval);
    return true;
  });
}

}  // namespace

ScalarFunctionList ToCharFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = "to_char",
                    .argument_types = {type, TypeId::kVarchar},
                    .return_type = TypeId::kVarchar,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = type != TypeId::kTimestamp});
  };
  add(TypeId::kTimestamp, &FormatTimestamps, "A timestamp written by a template.",
      "to_char(TIMESTAMP '2024-02-29 12:34:56', 'DD Mon YYYY HH24:MI')");
  add(TypeId::kTimestampTz, &FormatMoments,
      "A timestamp written by a template, as the session's clocks show it.",
      "to_char(TIMESTAMPTZ '2024-02-29 12:34:56+00', 'HH24:MI TZ')");
  add(TypeId::kDate, &FormatDates, "A date written by a template.",
      "to_char(DATE '2024-02-29', 'DD Mon YYYY')");
  add(TypeId::kTime, &FormatTimes, "A time written by a template.", "to_char(TIME '12:34:56', 'HH12:MI am')");
  add(TypeId::kInterval, &FormatIntervals, "An interval written by a template.",
      "to_char(INTERVAL '2 days 01:02:03', 'DD HH24:MI:SS')");
  return list;
}

}  // namespace scaup
