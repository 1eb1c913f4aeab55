// date_diff and date_sub: how many boundaries of a field, or how many whole ones, lie between two points in
// time.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/field_argument.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Computes a count that grows by one at every boundary of the field; false if the field has none.
bool Boundaries(DateField field, int64_t timestamp, int64_t& count) {
  switch (field) {
    case DateField::kMicrosecond: count = timestamp; return true;
    case DateField::kMillisecond: count = FloorDivide(timestamp, 1000); return true;
    case DateField::kSecond:
    case DateField::kEpoch: count = FloorDivide(timestamp, kMicrosPerSecond); return true;
    case DateField::kMinute: count = FloorDivide(timestamp, kMicrosPerMinute); return true;
    case DateField::kHour: count = FloorDivide(timestamp, kMicrosPerHour); return true;
    default: break;
  }
  const int32_t days = DayOfTimestamp(timestamp);
  const CivilDate date = CivilFromDays(days);
  int32_t iso_year;
  switch (field) {
    case DateField::kDay:
    case DateField::kDayOfWeek:
    case DateField::kIsoDayOfWeek:
    case DateField::kDayOfYear:
    case DateField::kJulian: count = days; return true;
    case DateField::kWeek: count = FloorDivide(MondayOf(days) + 3, 7); return true;
    case DateField::kMonth: count = int64_t{date.year} * 12 + date.month - 1; return true;
    case DateField::kQuarter: count = int64_t{date.year} * 4 + (date.month - 1) / 3; return true;
    case DateField::kYear: count = date.year; return true;
    case DateField::kIsoYear:
      IsoWeek(days, iso_year);
      count = iso_year;
      return true;
    case DateField::kDecade: count = FloorDivide(date.year, 10); return true;
    case DateField::kCentury: count = FloorDivide(date.year - 1, 100); return true;
    case DateField::kMillennium: count = FloorDivide(date.year - 1, 1000); return true;
    default: return false;
  }
}

/// The whole months from one timestamp to a later one. At the end of a month that is shorter than the first
/// one, the month counts as whole.
int64_t WholeMonths(int64_t earlier, int64_t later) {
  const CivilDate a = CivilFromDays(DayOfTimestamp(earlier)), b = CivilFromDays(DayOfTimestamp(later));
  const int64_t months = (int64_t{b.year} - a.year) * 12 + b.month - a.month;
  const int32_t first_day = std::min<int32_t>(a.day, DaysInMonth(b.year, b.month));
  const bool is_whole = b.day != first_day ? b.day > first_day : MicrosOfDay(later) >= MicrosOfDay(earlier);
  return months - (is_whole ? 0 : 1);
}

int64_t MonthsBetween(int64_t begin, int64_t end) {
  return begin <= end ? WholeMonths(begin, end) : -WholeMonths(end, begin);
}

/// Computes how many whole units of the field lie between two timestamps, towards zero.
bool WholeUnits(DateField field, int64_t begin, int64_t end, int64_t& count) {
  int64_t micros;
  if (__builtin_sub_overflow(end, begin, &micros)) ThrowOutOfRange("bigint out of range");
  switch (field) {
    case DateField::kMicrosecond: count = micros; return true;
    case DateField::kMillisecond: count = micros / 1000; return true;
    case DateField::kSecond:
    case DateField::kEpoch: count = micros / kMicrosPerSecond; return true;
    case DateField::kMinute: count = micros / kMicrosPerMinute; return true;
    case DateField::kHour: count = micros / kMicrosPerHour; return true;
    case DateField::kDay:
    case DateField::kDayOfWeek:
    case DateField::kIsoDayOfWeek:
    case DateField::kDayOfYear:
    case DateField::kJulian: count = micros / kMicrosPerDay; return true;
    case DateField::kWeek: count = micros / (7 * kMicrosPerDay); return true;
    case DateField::kMonth: count = MonthsBetween(begin, end); return true;
    case DateField::kQuarter: count = MonthsBetween(begin, end) / 3; return true;
    case DateField::kYear:
    case DateField::kIsoYear: count = MonthsBetween(begin, end) / 12; return true;
    case DateField::kDecade: count = MonthsBetween(begin, end) / (12 * 10); return true;
    case DateField::kCentury: count = MonthsBetween(begin, end) / (12 * 100); return true;
    case DateField::kMillennium: count = MonthsBetween(begin, end) / (12 * 1000); return true;
    default: return false;
  }
}

/// Whether times of day have the field.
bool IsTimeField(DateField field) {
  return field == DateField::kMicrosecond || field == DateField::kMillisecond ||
         field == DateField::kSecond || field == DateField::kEpoch || field == DateField::kMinute ||
         field == DateField::kHour;
}

/// Calls set(row, field, begin, end) for rows without NULLs and infinities; the others become NULL.
template <typename T, typename Set>
void ForEachPair(const ScalarCall& call, DataChunk& arguments, Vector& result, const char* type_name,
                 Set&& set) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, type_name);
  const auto from = arguments.column(1).ViewAs<T>(count);
  const auto to = arguments.column(2).ViewAs<T>(count);
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    if (!fields.IsValid(row) || !from.IsValid(row) || !to.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const int64_t begin = AsTimestamp(from[row]), end = AsTimestamp(to[row]);
    if (!IsFiniteTimestamp(begin) || !IsFiniteTimestamp(end)) {
      result.SetNull(row);
    } else if (!set(fields[row], begin, end, out[row])) {
      fields.ThrowUnsupported(row);
    }
  }
}

template <typename T>
constexpr const char* kNameOfType = sizeof(T) == 4 ? "date" : "timestamp without time zone";

bool CountBoundaries(DateField field, int64_t begin, int64_t end, int64_t& count) {
  int64_t first, last;
  if (!Boundaries(field, begin, first) || !Boundaries(field, end, last)) return false;
  if (__builtin_sub_overflow(last, first, &count)) ThrowOutOfRange("bigint out of range");
  return true;
}

template <typename T>
void DateDiff(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  ForEachPair<T>(call, arguments, result, kNameOfType<T>, CountBoundaries);
}

template <typename T>
void DateSub(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  ForEachPair<T>(call, arguments, result, kNameOfType<T>, WholeUnits);
}

template <bool kWhole>
void TimeDiff(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  ForEachPair<int64_t>(call, arguments, result, "time without time zone",
                       [](DateField field, int64_t begin, int64_t end, int64_t& count) {
                         if (!IsTimeField(field)) return false;
                         return kWhole ? WholeUnits(field, begin, end, count)
                                       : CountBoundaries(field, begin, end, count);
                       });
}

}  // namespace

ScalarFunctionList DateDiffFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, ScalarKernel kernel, const char* description,
                       const char* example) {
    list.push_back({.name = name,
                    .argument_types = {TypeId::kVarchar, type, type},
                    .return_type = TypeId::kBigInt,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = &BindField});
  };
  const char* boundaries = "How many boundaries of a field lie between two points in time.";
  const char* boundaries_example = "date_diff('month', DATE '2024-01-31', DATE '2024-03-01')";
  for (const char* name : {"date_diff", "datediff"}) {
    add(name, TypeId::kDate, &DateDiff<int32_t>, boundaries, boundaries_example);
    add(name, TypeId::kTimestamp, &DateDiff<int64_t>, boundaries, boundaries_example);
    add(name, TypeId::kTime, &TimeDiff<false>, boundaries, "date_diff('hour', TIME '01:30', TIME '03:20')");
  }
  const char* whole = "How many whole units of a field lie between two points in time.";
  const char* whole_example = "date_sub('month', DATE '2024-01-31', DATE '2024-03-01')";
  for (const char* name : {"date_sub", "datesub"}) {
    add(name, TypeId::kDate, &DateSub<int32_t>, whole, whole_example);
    add(name, TypeId::kTimestamp, &DateSub<int64_t>, whole, whole_example);
    add(name, TypeId::kTime, &TimeDiff<true>, whole, "date_sub('hour', TIME '01:30', TIME '03:20')");
  }
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
