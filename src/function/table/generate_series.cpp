// generate_series and range. Numbers leave as sequence vectors; every thread takes blocks of rows from a
// counter.
#include "function/table/generate_series.hpp"

#include <fmt/format.h>

#include <atomic>
#include <limits>

#include "common/throw.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "type/date_time.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

/// Rows that a thread takes at once.
constexpr uint64_t kRowsPerTurn = 64 * kVectorSize;

struct BoundSeries : BoundTableFunction {
  // Numbers, and times with a step of fixed length: start + row * step.
  int64_t start = 0;
  int64_t step = 0;
  uint64_t row_count = 0;
  // Steps with months: all values, as each depends on the one before (31 January, 29 February, 29 March).
  bool by_calendar = false;
  std::vector<int64_t> calendar_values;
};

class SeriesShared : public TableFunctionShared {
 public:
  explicit SeriesShared(uint64_t row_count) : row_count_(row_count) {}
  /// The next rows; false at the end.
  bool Take(uint64_t& begin, uint64_t& end) {
    uint64_t taken = next_row_.load(std::memory_order_relaxed);
    do {
      if (taken >= row_count_) return false;
      end = row_count_ - taken > kRowsPerTurn ? taken + kRowsPerTurn : row_count_;
    } while (!next_row_.compare_exchange_weak(taken, end, std::memory_order_relaxed));
    begin = taken;
    return true;
  }
  void CountRead(uint64_t count) { rows_read_.fetch_add(count, std::memory_order_relaxed); }
  /// By what was read, not by what was taken: a thread may be busy with its share for long.
  double Progress() const override {
    if (row_count_ == 0) return 1;
    return static_cast<double>(rows_read_.load(std::memory_order_relaxed)) / static_cast<double>(row_count_);
  }

 private:
  uint64_t row_count_;
  std::atomic<uint64_t> next_row_{0};
  std::atomic<uint64_t> rows_read_{0};
};

class SeriesLocal : public TableFunctionLocal {
 public:
  uint64_t row = 0;
  uint64_t end = 0;
};

[[noreturn]] void ThrowBadArgument(const std::string& message,
                                   const char* state = sqlstate::kInvalidParameterValue) {
  ThrowError(ErrorKind::kBinder, state, message);
}

/// How many values start, start + step, ... do not pass `stop`. REQUIRES: step is not 0.
uint64_t CountRows(int64_t start, int64_t stop, int64_t step, bool includes_stop) {
  if (step > 0 ? start > stop : start < stop) return 0;
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                                     : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  const uint64_t width = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  const uint64_t steps = distance / width;
  if (!includes_stop && distance % width == 0) return steps;
  return steps == std::numeric_limits<uint64_t>::max() ? steps : steps + 1;
}

int64_t IntegerArgument(const char* function, const Value& value) {
  Value number;
  // A number with digits behind its point would be rounded, and text may be anything: they are refused.
  if (!value.type().IsInteger() && value.type().id() != TypeId::kNull) {
    ThrowBadArgument(
        fmt::format("{} takes whole numbers, dates or timestamps, not {}", function, value.type().ToString()),
        sqlstate::kUndefinedFunction);
  }
  if (!CastValue(value, TypeId::kBigInt, number))
    ThrowOutOfRange(fmt::format("{} is out of range for BIGINT", value.ToString()));
  return number.GetBigInt();
}

void BindIntegers(const char* function, const std::vector<Value>& arguments, bool includes_stop,
                  BoundSeries& bound) {
  const bool only_stop = arguments.size() == 1;
  bound.start = only_stop ? 0 : IntegerArgument(function, arguments[0]);
  const int64_t stop = IntegerArgument(function, arguments[only_stop ? 0 : 1]);
  bound.step = arguments.size() > 2 ? IntegerArgument(function, arguments[2]) : 1;
  if (bound.step == 0) ThrowBadArgument(fmt::format("the step of {} must not be 0", function));
  bound.row_count = CountRows(bound.start, stop, bound.step, includes_stop);
  bound.column_types = {TypeId::kBigInt};
}

/// As TIMESTAMP, or as `type` says with time zone.
Value Timestamp(const FunctionContext& context, const char* function, const Value& value, TypeId type) {
  Value timestamp;
  if (value.type().id() == TypeId::kInterval || !CastValue(value, type, timestamp, &context.Zone())) {
    ThrowBadArgument(fmt::format("{} cannot count from or to {}", function, value.ToString()));
  }
  const int64_t micros = timestamp.GetBigInt();
  if (micros == kTimestampInfinity || micros == kTimestampMinusInfinity)
    ThrowBadArgument(fmt::format("{} needs finite times", function));
  return timestamp;
}

/// A month at least lies between two timestamps, so that there are at most a few million in all of time.
/// Those with time zone, `zone` not being null, may be days apart.
void ListCalendarValues(const FunctionContext& context, const Interval& step, int64_t stop, bool rising,
                        bool includes_stop, TimeZoneConverter* zone, std::vector<int64_t>& values,
                        int64_t start) {
  for (int64_t value = start;;) {
    const bool is_inside = value == stop ? includes_stop : (value < stop) == rising;
    if (!is_inside) return;
    values.push_back(value);
    if (values.size() % kVectorSize == 0) context.CheckInterrupt();
    const bool fits =
        zone == nullptr ? AddInterval(value, step, value) : AddToMoment(*zone, value, step, value);
    if (!fits) return;
  }
}

void BindTimes(const FunctionContext& context, const char* function, const std::vector<Value>& arguments,
               bool includes_stop, BoundSeries& bound) {
  if (arguments.size() != 3 || arguments[2].type().id() != TypeId::kInterval) {
    ThrowBadArgument(
        fmt::format(
            "{} of dates or timestamps needs an INTERVAL as its third argument, such as INTERVAL '1 day'",
            function),
        sqlstate::kUndefinedFunction);
  }
  const bool has_zone =
      arguments[0].type().id() == TypeId::kTimestampTz || arguments[1].type().id() == TypeId::kTimestampTz;
  const TypeId type = has_zone ? TypeId::kTimestampTz : TypeId::kTimestamp;
  bound.start = Timestamp(context, function, arguments[0], type).GetBigInt();
  const int64_t stop = Timestamp(context, function, arguments[1], type).GetBigInt();
  const Interval interval = arguments[2].GetInterval();
  bound.column_types = {type};
  const int128_t direction = IntervalSortKey(interval);
  if (direction == 0) ThrowBadArgument(fmt::format("the step of {} must not be 0", function));
  bound.by_calendar = interval.months != 0 || (has_zone && interval.days != 0);
  if (bound.by_calendar) {
    const bool all_one_way = direction > 0
                                 ? interval.days >= 0 && interval.micros >= 0 && interval.months >= 0
                                 : interval.days <= 0 && interval.micros <= 0 && interval.months <= 0;
    if (!all_one_way)
      ThrowBadArgument(fmt::format("the parts of the step of {} must have the same sign", function));
    TimeZoneConverter zone(context.Zone());
    ListCalendarValues(context, interval, stop, direction > 0, includes_stop, has_zone ? &zone : nullptr,
                       bound.calendar_values, bound.start);
    bound.row_count = bound.calendar_values.size();
    return;
  }
  const int128_t step = static_cast<int128_t>(interval.days) * kMicrosPerDay + interval.micros;
  if (step > INT64_MAX || step < INT64_MIN)
    ThrowOutOfRange(fmt::format("the step of {} is out of range", function));
  bound.step = static_cast<int64_t>(step);
  bound.row_count = CountRows(bound.start, stop, bound.step, includes_stop);
}

std::unique_ptr<BoundTableFunction> BindSeries(const FunctionContext& context, const char* function,
                                               const TableFunctionArguments& arguments, bool includes_stop) {
  auto bound = std::make_unique<BoundSeries>();
  bound->column_names = {function};
  const std::vector<Value>& values = arguments.positional;
  bool has_null = false, has_times = false, has_zone = false;
  for (const Value& value : values) {
    has_null = has_null || value.is_null();
    const TypeId type = value.type().id();
    has_zone = has_zone || type == TypeId::kTimestampTz;
    has_times = has_times || has_zone || type == TypeId::kDate || type == TypeId::kTimestamp ||
                type == TypeId::kInterval;
  }
  if (has_null) {
    bound->column_types = {has_zone    ? TypeId::kTimestampTz
                           : has_times ? TypeId::kTimestamp
                                       : TypeId::kBigInt};  // No rows, as in PostgreSQL.
  } else if (has_times) {
    BindTimes(context, function, values, includes_stop, *bound);
  } else {
    BindIntegers(function, values, includes_stop, *bound);
  }
  bound->estimated_row_count = bound->row_count;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindGenerateSeries(const FunctionContext& context,
                                                       const TableFunctionArguments& arguments) {
  return BindSeries(context, "generate_series", arguments, true);
}
std::unique_ptr<BoundTableFunction> BindRange(const FunctionContext& context,
                                              const TableFunctionArguments& arguments) {
  return BindSeries(context, "range", arguments, false);
}

std::unique_ptr<TableFunctionShared> CreateShared(const TableFunctionCall& call) {
  return std::make_unique<SeriesShared>(static_cast<const BoundSeries&>(call.bound).row_count);
}
std::unique_ptr<TableFunctionLocal> CreateLocal(const TableFunctionCall&, TableFunctionShared&) {
  return std::make_unique<SeriesLocal>();
}

/// The column is what it is in row `row`, as often as it was asked for.
void FillColumn(const BoundSeries& bound, uint64_t row, size_t count, Vector& result) {
  // Unsigned arithmetic: the product may leave the range where the sum does not.
  const auto value_at = [&](uint64_t at) {
    return static_cast<int64_t>(static_cast<uint64_t>(bound.start) + at * static_cast<uint64_t>(bound.step));
  };
  if (bound.column_types[0].id() == TypeId::kBigInt) {
    result.MakeSequence(value_at(row), bound.step);
    return;
  }
  result.Reset();
  int64_t* values = result.MutableData<int64_t>();
  for (size_t i = 0; i < count; i++) {
    values[i] = bound.by_calendar ? bound.calendar_values[row + i] : value_at(row + i);
  }
}

void Next(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
          DataChunk& output) {
  call.context.CheckInterrupt();
  auto& state = static_cast<SeriesLocal&>(local);
  output.SetSize(0);
  if (state.row == state.end && !static_cast<SeriesShared&>(shared).Take(state.row, state.end)) return;
  const size_t count = static_cast<size_t>(std::min<uint64_t>(state.end - state.row, kVectorSize));
  for (size_t i = 0; i < call.columns.size(); i++) {
    FillColumn(static_cast<const BoundSeries&>(call.bound), state.row, count, output.column(i));
  }
  output.SetSize(count);
  output.batch_index = state.row / kRowsPerTurn;
  state.row += count;
  static_cast<SeriesShared&>(shared).CountRead(count);
}

TableFunction MakeFunction(const char* name, const char* description, const char* example,
                           size_t optional_arguments) {
  TableFunction function;
  function.name = name;
  function.argument_types = {TypeId::kNull, TypeId::kNull, TypeId::kNull};
  function.optional_arguments = optional_arguments;
  function.description = description;
  function.example = example;
  function.create_shared = CreateShared;
  function.create_local = CreateLocal;
  function.next = Next;
  return function;
}

}  // namespace

TableFunction MakeGenerateSeries() {
  TableFunction function =
      MakeFunction("generate_series", "Numbers, dates or timestamps from start to stop, both included.",
                   "SELECT * FROM generate_series(1, 10, 2)", 1);
  function.bind = BindGenerateSeries;
  return function;
}

TableFunction MakeRange() {
  TableFunction function =
      MakeFunction("range", "Numbers, dates or timestamps from start (or 0) up to, but without, stop.",
                   "SELECT * FROM range(10)", 2);
  function.bind = BindRange;
  return function;
}

}  // namespace scaup
