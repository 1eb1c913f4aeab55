// timezone, to which AT TIME ZONE is rewritten: converts moments to a zone's local time, and back.
#include "type/time/time_zone.hpp"

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/time_zone_argument.hpp"
#include "type/time/time_zone_library.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowUnknownZone(std::string_view name) {
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
             "time zone \"" + std::string(name) + "\" not recognized");
}

/// Finds a zone; one without a name, "+02" or "3:30", is a rule of POSIX, which counts westward.
std::shared_ptr<const TimeZone> FindZone(const TimeZoneLibrary& library, std::string_view name) {
  auto zone = library.Find(name);
  if (zone || name.empty()) return zone;
  const bool is_digit = name[0] >= '0' && name[0] <= '9';
  if (!is_digit && name[0] != '+' && name[0] != '-') return nullptr;
  return library.Find((is_digit ? "UTC+" : "UTC") + std::string(name));
}

}  // namespace

std::shared_ptr<const TimeZone> RequireZone(const FunctionContext& context, std::string_view name) {
  const TimeZoneLibrary* library = context.Zone().library();
  int32_t offset;
  if (FindZoneAbbreviation(name, offset)) return FixedTimeZone(offset, library);
  auto zone = library == nullptr ? nullptr : FindZone(*library, name);
  if (!zone) ThrowUnknownZone(name);
  return zone;
}

namespace {

std::shared_ptr<const TimeZone> RequireZone(const FunctionContext& context, const Interval& interval) {
  if (interval.months != 0 || interval.days != 0) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               "interval time zone \"" + IntervalToString(interval) + "\" must not include months or days");
  }
  constexpr int64_t kMostHours = 168;
  if (interval.micros > kMostHours * kMicrosPerHour || interval.micros < -kMostHours * kMicrosPerHour)
    ThrowUnknownZone(IntervalToString(interval));
  return FixedTimeZone(static_cast<int32_t>(interval.micros / kMicrosPerSecond), context.Zone().library());
}

std::shared_ptr<const TimeZone> RequireZone(const FunctionContext& context, const StringRef& name) {
  return RequireZone(context, name.view());
}

/// Converts between moments and local times. A zone is looked up once per run of rows that share it, so once
/// for a constant.
template <typename ZoneName, bool kToLocal>
void Convert(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto names = arguments.column(0).ViewAs<ZoneName>(count);
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  std::shared_ptr<const TimeZone> zone;
  std::optional<TimeZoneConverter> converter;
  ZoneName last_name{};
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    if (!names.IsValid(row) || !values.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (!converter || !(names[row] == last_name)) {
      last_name = names[row];
      zone = RequireZone(call.context, last_name);
      converter.emplace(*zone);
    }
    const bool fits =
        kToLocal ? converter->ToLocal(values[row], out[row]) : converter->ToMoment(values[row], out[row]);
    if (!fits) ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
  }
}

/// A date counts as its first moment in the session's zone.
template <typename ZoneName>
void ConvertDate(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto dates = arguments.column(1).ViewAs<int32_t>(count);
  DataChunk moments({arguments.column(0).type(), TypeId::kTimestampTz});
  moments.column(0).Reference(arguments.column(0));
  moments.column(1).Reset();
  int64_t* out = moments.column(1).MutableData<int64_t>();
  TimeZoneConverter zone(call.context.Zone());
  for (size_t row = 0; row < count; row++) {
    if (!dates.IsValid(row)) {
      moments.column(1).SetNull(row);
      continue;
    }
    int64_t midnight;
    if (!DateToTimestamp(dates[row], midnight) || !zone.ToMoment(midnight, out[row]))
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "date out of range for timestamp");
  }
  moments.SetSize(count);
  Convert<ZoneName, true>(call, moments, result);
}

}  // namespace

ScalarFunctionList TimeZoneFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId zone, TypeId from, TypeId to, ScalarKernel kernel, const char* description,
                       const char* example) {
    list.push_back({.name = "timezone",
                    .argument_types = {zone, from},
                    .return_type = to,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  const char* to_local = "What the clocks of a time zone show at a moment; x AT TIME ZONE zone is the same.";
  const char* to_moment =
      "The moment when the clocks of a time zone show x; x AT TIME ZONE zone is the same.";
  const char* local_example = "timezone('Asia/Tokyo', TIMESTAMPTZ '2024-02-29 12:00:00+00')";
  const char* moment_example = "timezone('Asia/Tokyo', TIMESTAMP '2024-02-29 12:00:00')";
  constexpr TypeId kMoment = TypeId::kTimestampTz, kLocal = TypeId::kTimestamp;
  add(TypeId::kVarchar, kMoment, kLocal, &Convert<StringRef, true>, to_local, local_example);
  add(TypeId::kInterval, kMoment, kLocal, &Convert<Interval, true>, to_local,
      "timezone(INTERVAL '9 hours', TIMESTAMPTZ '2024-02-29 12:00:00+00')");
  add(TypeId::kVarchar, TypeId::kDate, kLocal, &ConvertDate<StringRef>, to_local,
      "timezone('Asia/Tokyo', DATE '2024-02-29')");
  list.back().volatility = Volatility::kStable;
  add(TypeId::kInterval, TypeId::kDate, kLocal, &ConvertDate<Interval>, to_local,
      "timezone(INTERVAL '9 hours', DATE '2024-02-29')");
  list.back().volatility = Volatility::kStable;
  add(TypeId::kVarchar, kLocal, kMoment, &Convert<StringRef, false>, to_moment, moment_example);
  add(TypeId::kInterval, kLocal, kMoment, &Convert<Interval, false>, to_moment,
      "timezone(INTERVAL '9 hours', TIMESTAMP '2024-02-29 12:00:00')");
  return list;
}

}  // namespace scaup
