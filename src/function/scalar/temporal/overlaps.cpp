// OVERLAPS: whether two periods have a moment in common; each is given by its ends or by start and length.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// A period. The start is unknown only if both ends are; an unknown end leaves the length open.
struct Span {
  std::optional<int64_t> start;
  std::optional<int64_t> end;

  /// The ends may be in either order; if one is missing, the other is the start.
  Span(std::optional<int64_t> a, std::optional<int64_t> b) : start(a), end(b) {
    if (!start || (end && *end < *start)) std::swap(start, end);
  }
};

/// Whether two periods overlap; nullopt if the unknown would decide it. A period includes its start but not
/// its end; one without length is a moment.
std::optional<bool> Overlap(Span a, Span b) {
  if (!a.start || !b.start) return std::nullopt;
  if (*b.start < *a.start) std::swap(a, b);
  if (*a.start == *b.start) return a.end && b.end ? std::optional(true) : std::nullopt;
  if (!a.end) return std::nullopt;
  if (*b.start < *a.end) return true;
  return b.end ? std::optional(false) : std::nullopt;
}

// How the end of a period follows from its start and length, for each type of its ends.
struct AddToTimestamp {
  explicit AddToTimestamp(const FunctionContext&) {}
  int64_t operator()(int64_t timestamp, const Interval& interval) {
    int64_t sum;
    if (!IsFiniteTimestamp(timestamp)) return timestamp;
    if (!AddInterval(timestamp, interval, sum)) ThrowTimestampOutOfRange();
    return sum;
  }
  [[noreturn]] static void ThrowTimestampOutOfRange() {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
  }
};

struct AddToMomentOfZone {
  explicit AddToMomentOfZone(const FunctionContext& context) : zone(context.Zone()) {}
  int64_t operator()(int64_t moment, const Interval& interval) {
    int64_t sum;
    if (!AddToMoment(zone, moment, interval, sum)) AddToTimestamp::ThrowTimestampOutOfRange();
    return sum;
  }
  TimeZoneConverter zone;
};

struct AddToTime {
  explicit AddToTime(const FunctionContext&) {}
  int64_t operator()(int64_t time, const Interval& interval) {
    const int64_t sum = (time + interval.micros % kMicrosPerDay) % kMicrosPerDay;
    return sum < 0 ? sum + kMicrosPerDay : sum;
  }
};

/// The second argument of a pair: an end or, with `kIsLength`, the distance from the start.
template <bool kIsLength, typename Add>
std::optional<int64_t> EndAt(const UnifiedView& view, size_t row, std::optional<int64_t> start, Add& add) {
  if (!view.IsValid(row)) return std::nullopt;
  if constexpr (kIsLength) {
    return start ? std::optional(add(*start, view.As<Interval>()[row])) : std::nullopt;
  } else {
    return view.As<int64_t>()[row];
  }
}

template <bool kFirstLength, bool kSecondLength, typename AddLength>
void Kernel(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  UnifiedView views[4];
  for (size_t i = 0; i < 4; i++) views[i] = arguments.column(i).View(count);
  uint8_t* out = result.MutableData<uint8_t>();
  AddLength add(call.context);
  for (size_t row = 0; row < count; row++) {
    std::optional<int64_t> starts[2];
    for (const size_t i : {0, 1}) {
      if (views[i * 2].IsValid(row)) starts[i] = views[i * 2].As<int64_t>()[row];
    }
    const Span a(starts[0], EndAt<kFirstLength>(views[1], row, starts[0], add));
    const Span b(starts[1], EndAt<kSecondLength>(views[3], row, starts[1], add));
    const auto overlap = Overlap(a, b);
    if (overlap) {
      out[row] = *overlap ? 1 : 0;
    } else {
      result.SetNull(row);
    }
  }
}

template <typename AddLength>
void Add(ScalarFunctionList& list, TypeId type, const char* example) {
  const auto add = [&](bool first_length, bool second_length, ScalarKernel kernel) {
    const LogicalType point = type, length = TypeId::kInterval;
    list.push_back(
        {.name = "overlaps",
         .argument_types = {point, first_length ? length : point, point, second_length ? length : point},
         .return_type = TypeId::kBoolean,
         .kernel = kernel,
         .description =
             "Whether two spans of time, (start, end) or (start, length), have a moment in common.",
         .example = example,
         .nulls = NullHandling::kSpecial});
  };
  add(false, false, &Kernel<false, false, AddLength>);
  add(false, true, &Kernel<false, true, AddLength>);
  add(true, false, &Kernel<true, false, AddLength>);
  add(true, true, &Kernel<true, true, AddLength>);
}

}  // namespace

ScalarFunctionList OverlapsFunctions() {
  ScalarFunctionList list;
  Add<AddToTimestamp>(
      list, TypeId::kTimestamp,
      "(DATE '2024-01-01', INTERVAL '10 days') OVERLAPS (DATE '2024-01-05', DATE '2024-02-01')");
  Add<AddToMomentOfZone>(list, TypeId::kTimestampTz,
                         "(TIMESTAMPTZ '2024-01-01 00:00:00+00', INTERVAL '1 day') OVERLAPS (TIMESTAMPTZ "
                         "'2024-01-01 12:00:00+00', "
                         "TIMESTAMPTZ '2024-02-01 00:00:00+00')");
  Add<AddToTime>(list, TypeId::kTime, "(TIME '09:00', TIME '10:30') OVERLAPS (TIME '10:00', TIME '11:00')");
  return list;
}

}  // namespace scaup
