// date_part (to which EXTRACT is rewritten), and functions named after single fields: year, month, day, ...
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/field_argument.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "type/time/time_zone.hpp"
#include "type/type_name.hpp"
#include "vector/function_kernels.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

std::unique_ptr<FunctionData> BindField(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const Value* name = arguments[0].constant;
  if (name == nullptr || name->is_null() || name->type() != TypeId::kVarchar) return nullptr;
  const auto field = FindDateField(name->GetString());
  if (!field) ThrowUnknownField(name->GetString(), PostgresTypeName(function.argument_types.back()).c_str());
  auto data = std::make_unique<FieldData>();
  data->field = *field;
  return data;
}

namespace {

/// The field of one value, by type. Returns false for NULL.
struct PartOfTimestamp {
  using Type = int64_t;
  static constexpr const char* kTypeName = "timestamp without time zone";
  [[gnu::always_inline]] static std::optional<double> Get(DateField field, int64_t value, bool& is_null) {
    return FieldOfTimestamp(field, value, is_null);
  }
};
struct PartOfDate {
  using Type = int32_t;
  static constexpr const char* kTypeName = "date";
  [[gnu::always_inline]] static std::optional<double> Get(DateField field, int32_t value, bool& is_null) {
    if (IsTimeZoneField(field)) return std::nullopt;
    if (!IsFiniteDate(value)) return FieldOfTimestamp(field, TimestampOfDay(value), is_null);
    return static_cast<double>(FieldOfDate(field, value));
  }
};
struct PartOfTime {
  using Type = int64_t;
  static constexpr const char* kTypeName = "time without time zone";
  static std::optional<double> Get(DateField field, int64_t value, bool&) {
    return FieldOfTime(field, value);
  }
};
struct PartOfInterval {
  using Type = Interval;
  static constexpr const char* kTypeName = "interval";
  static std::optional<double> Get(DateField field, const Interval& value, bool&) {
    return FieldOfInterval(field, value);
  }
};

// Flattened, so that a loop for one field contains no calls.
template <typename Part, typename FieldOfRow>
[[gnu::flatten]] void PartOfRows(const FieldReader& fields, Vector& input, size_t count, Vector& result,
                                 const FieldOfRow& field_of_row) {
  const auto values = input.ViewAs<typename Part::Type>(count);
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < count; row++) {
    if (!fields.IsValid(row) || !values.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    bool is_null = false;
    const auto value = Part::Get(field_of_row(row), values[row], is_null);
    if (value) {
      out[row] = *value;
    } else if (is_null) {
      result.SetNull(row);
    } else {
      fields.ThrowUnsupported(row);
    }
  }
}

/// Computes years, months and days of dates by a kernel. Returns false if a date is out of its range.
template <DateField kField>
bool PartOfNearDates(const KernelTable& kernels, Vector& input, size_t count, Vector& result) {
  constexpr bool kIsCivil =
      kField == DateField::kYear || kField == DateField::kMonth || kField == DateField::kDay;
  if (!kIsCivil || !input.is_flat() || input.Validity() != nullptr) return false;
  constexpr CivilField kCivil = kField == DateField::kYear    ? CivilField::kYear
                                : kField == DateField::kMonth ? CivilField::kMonth
                                                              : CivilField::kDay;
  double* out = result.MutableData<double>();
  const auto kernel = FunctionKernelsOf(kernels.level).civil_field[static_cast<size_t>(kCivil)];
  if (!kernel(input.Data<int32_t>(), count, out)) return false;
  if constexpr (kField == DateField::kYear) {
    // There is no year 0: the year before 1 is -1.
    for (size_t row = 0; row < count; row++) out[row] -= out[row] <= 0 ? 1 : 0;
  }
  return true;
}

template <typename Part>
void DatePart(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, Part::kTypeName);
  Vector& values = arguments.column(1);
  const auto work = [&](const auto& field_of_row) {
    PartOfRows<Part>(fields, values, count, result, field_of_row);
  };
  const auto work_at_field = [&]<DateField kField>() {
    if constexpr (std::is_same_v<Part, PartOfDate>) {
      if (PartOfNearDates<kField>(call.context.kernels, values, count, result)) return;
    }
    work([](size_t) { return kField; });
  };
  if (!fields.constant() || !VisitCommonField(*fields.constant(), work_at_field))
    work([&](size_t row) { return fields[row]; });
}

/// In the session's local time, except for the epoch.
void DatePartOfMoment(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, "timestamp with time zone");
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  TimeZoneConverter zone(call.context.Zone());
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < count; row++) {
    if (!fields.IsValid(row) || !values.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const DateField field = fields[row];
    const int64_t moment = values[row];
    const bool is_finite = IsFiniteTimestamp(moment);
    if (IsTimeZoneField(field) && is_finite) {
      const int32_t offset = zone.PeriodAt(moment).offset_seconds;
      out[row] = field == DateField::kTimeZone       ? offset
                 : field == DateField::kTimeZoneHour ? offset / 3600
                                                     : offset / 60 % 60;
      continue;
    }
    int64_t local = moment;
    if (field != DateField::kEpoch && !zone.ToLocal(moment, local)) ThrowOutOfRange("timestamp out of range");
    bool is_null = IsTimeZoneField(field);
    const auto value = is_null ? std::nullopt : FieldOfTimestamp(field, local, is_null);
    if (value) {
      out[row] = *value;
    } else if (is_null) {
      result.SetNull(row);
    } else {
      fields.ThrowUnsupported(row);
    }
  }
}

/// Implements year(x) and the like: integers, NULL for infinite dates.
template <DateField kField, typename Part>
void Field(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<typename Part::Type>(count);
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    bool is_null = false;
    if (!values.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const auto value = Part::Get(kField, values[row], is_null);
    if (!value || __builtin_isinf(*value)) {
      result.SetNull(row);
    } else {
      out[row] = static_cast<int64_t>(*value);  // truncated: second(x) omits the fraction
    }
  }
}

template <DateField kField>
void AddField(ScalarFunctionList& list, const char* name, const char* example, bool is_time_field) {
  const auto add = [&](TypeId type, ScalarKernel kernel) {
    list.push_back({.name = name,
                    .argument_types = {type},
                    .return_type = TypeId::kBigInt,
                    .kernel = kernel,
                    .description =
                        "This field of a date, timestamp or interval, as date_part has it, without "
                        "its fraction.",
                    .example = example,
                    .can_fail = false});
  };
  add(TypeId::kDate, &Field<kField, PartOfDate>);
  add(TypeId::kTimestamp, &Field<kField, PartOfTimestamp>);
  // An interval has no week or day of the week, and date_part refuses them.
  if (FieldOfInterval(kField, Interval()).has_value()) add(TypeId::kInterval, &Field<kField, PartOfInterval>);
  if (is_time_field) add(TypeId::kTime, &Field<kField, PartOfTime>);
}

}  // namespace

ScalarFunctionList DatePartFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, ScalarKernel kernel) {
    list.push_back(
        {.name = "date_part",
         .argument_types = {TypeId::kVarchar, type},
         .return_type = TypeId::kDouble,
         .kernel = kernel,
         .description = "A field of a date, time, timestamp or interval; EXTRACT(field FROM x) is the same.",
         .example = "date_part('year', DATE '2024-02-29')",
         .bind = &BindField});
  };
  add(TypeId::kTimestamp, &DatePart<PartOfTimestamp>);
  add(TypeId::kDate, &DatePart<PartOfDate>);
  add(TypeId::kTime, &DatePart<PartOfTime>);
  add(TypeId::kInterval, &DatePart<PartOfInterval>);
  add(TypeId::kTimestampTz, &DatePartOfMoment);
  AddField<DateField::kYear>(list, "year", "year(DATE '2024-02-29')", false);
  AddField<DateField::kMillennium>(list, "millennium", "millennium(DATE '2024-02-29')", false);
  AddField<DateField::kCentury>(list, "century", "century(DATE '2024-02-29')", false);
  AddField<DateField::kDecade>(list, "decade", "decade(DATE '2024-02-29')", false);
  AddField<DateField::kIsoYear>(list, "isoyear", "isoyear(DATE '2024-12-31')", false);
  AddField<DateField::kQuarter>(list, "quarter", "quarter(DATE '2024-02-29')", false);
  AddField<DateField::kMonth>(list, "month", "month(DATE '2024-02-29')", false);
  AddField<DateField::kWeek>(list, "week", "week(DATE '2024-02-29')", false);
  AddField<DateField::kWeek>(list, "weekofyear", "weekofyear(DATE '2024-02-29')", false);
  AddField<DateField::kDay>(list, "dayofmonth", "dayofmonth(DATE '2024-02-29')", false);
  AddField<DateField::kDayOfWeek>(list, "weekday", "weekday(DATE '2024-02-29')", false);
  AddField<DateField::kIsoDayOfWeek>(list, "isodow", "isodow(DATE '2024-03-03')", false);
  AddField<DateField::kMillisecond>(list, "millisecond", "millisecond(TIMESTAMP '2024-02-29 12:34:56.5')",
                                    true);
  AddField<DateField::kMicrosecond>(list, "microsecond", "microsecond(TIMESTAMP '2024-02-29 12:34:56.5')",
                                    true);
  AddField<DateField::kDay>(list, "day", "day(DATE '2024-02-29')", false);
  AddField<DateField::kDayOfWeek>(list, "dayofweek", "dayofweek(DATE '2024-02-29')", false);
  AddField<DateField::kDayOfYear>(list, "dayofyear", "dayofyear(DATE '2024-02-29')", false);
  AddField<DateField::kHour>(list, "hour", "hour(TIMESTAMP '2024-02-29 12:34:56')", true);
  AddField<DateField::kMinute>(list, "minute", "minute(TIMESTAMP '2024-02-29 12:34:56')", true);
  AddField<DateField::kSecond>(list, "second", "second(TIMESTAMP '2024-02-29 12:34:56')", true);
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
