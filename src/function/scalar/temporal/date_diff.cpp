// date_diff: the number of boundaries of a field between two dates or timestamps.
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

template <typename T>
void DateDiff(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count,
                           sizeof(T) == 4 ? "date" : "timestamp without time zone");
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
      continue;
    }
    int64_t first, last;
    if (!Boundaries(fields[row], begin, first) || !Boundaries(fields[row], end, last))
      fields.ThrowUnsupported(row);
    if (__builtin_sub_overflow(last, first, &out[row])) ThrowOutOfRange("bigint out of range");
  }
}

}  // namespace

ScalarFunctionList DateDiffFunctions() {
  ScalarFunctionList list;
  for (const char* name : {"date_diff", "datediff"}) {
    const auto add = [&](TypeId type, ScalarKernel kernel) {
      list.push_back({.name = name,
                      .argument_types = {TypeId::kVarchar, type, type},
                      .return_type = TypeId::kBigInt,
                      .kernel = kernel,
                      .description = "How many boundaries of a field lie between two points in time.",
                      .example = "date_diff('month', DATE '2024-01-31', DATE '2024-03-01')",
                      .bind = &BindField});
    };
    add(TypeId::kDate, &DateDiff<int32_t>);
    add(TypeId::kTimestamp, &DateDiff<int64_t>);
  }
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
