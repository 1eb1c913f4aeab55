// generate_series and range; integers become sequence vectors.
#include "function/table/generate_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "common/throw.hpp"
#include "function/table/series.hpp"
#include "type/number/numeric_value.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

/// The rows that a thread takes at once.
constexpr uint64_t kRowsPerTurn = 64 * kVectorSize;

struct BoundSeries : BoundTableFunction {
  Series series;
};

class SeriesShared : public TableFunctionShared {
 public:
  explicit SeriesShared(uint64_t row_count) : row_count_(row_count) {}
  /// Takes the next rows; false at the end.
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
  /// By rows read instead of rows taken, because a thread may need long for its share.
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

int64_t IntegerArgument(const char* function, const Value& value) {
  Value number;
  // A number with fraction digits would be rounded, and text may be anything: both are refused.
  if (!value.type().IsInteger() && value.type().id() != TypeId::kNull) {
    ThrowBadArgument(
        fmt::format("{} takes whole numbers, dates or timestamps, not {}", function, value.type().ToString()),
        sqlstate::kUndefinedFunction);
  }
  if (!CastValue(value, TypeId::kBigInt, number))
    ThrowOutOfRange(fmt::format("{} is out of range for BIGINT", value.ToString()));
  return number.GetBigInt();
}

Series BindIntegers(const char* function, const std::vector<Value>& arguments, bool includes_stop) {
  const bool only_stop = arguments.size() == 1;
  const int64_t start = only_stop ? 0 : IntegerArgument(function, arguments[0]);
  const int64_t stop = IntegerArgument(function, arguments[only_stop ? 0 : 1]);
  const int64_t step = arguments.size() > 2 ? IntegerArgument(function, arguments[2]) : 1;
  return SeriesOfIntegers(function, start, stop, step, includes_stop);
}

/// Converts to TIMESTAMP or, if `type` says so, to TIMESTAMP WITH TIME ZONE.
int64_t Timestamp(const FunctionContext& context, const char* function, const Value& value, TypeId type) {
  Value timestamp;
  if (value.type().id() == TypeId::kInterval || !CastValue(value, type, timestamp, &context.Zone())) {
    ThrowBadArgument(fmt::format("{} cannot count from or to {}", function, value.ToString()));
  }
  return timestamp.GetBigInt();
}

Series BindTimes(const FunctionContext& context, const char* function, const std::vector<Value>& arguments,
                 bool includes_stop, TypeId type) {
  if (arguments.size() != 3 || arguments[2].type().id() != TypeId::kInterval) {
    ThrowBadArgument(
        fmt::format(
            "{} of dates or timestamps needs an INTERVAL as its third argument, such as INTERVAL '1 day'",
            function),
        sqlstate::kUndefinedFunction);
  }
  return SeriesOfTimes(context, function, Timestamp(context, function, arguments[0], type),
                       Timestamp(context, function, arguments[1], type), arguments[2].GetInterval(),
                       type == TypeId::kTimestampTz, includes_stop);
}

/// Returns the type of a series. That of generate_series is PostgreSQL's, that of range DuckDB's.
LogicalType TypeOfSeries(const std::vector<Value>& values, bool is_range) {
  bool has_date = false, has_time = false, has_zone = false, has_decimal = false, has_big = false;
  uint8_t scale = 0;
  for (const Value& value : values) {
    const LogicalType& type = value.type();
    has_zone = has_zone || type.id() == TypeId::kTimestampTz;
    has_time = has_time || type.id() == TypeId::kTimestamp;
    has_date = has_date || type.id() == TypeId::kDate || type.id() == TypeId::kInterval;
    has_big = has_big || (type.IsInteger() && CommonType(type, TypeId::kInteger) != TypeId::kInteger);
    has_decimal = has_decimal || type.id() == TypeId::kDecimal;
    if (type.id() == TypeId::kDecimal) scale = std::max(scale, type.scale());
    if (type.id() != TypeId::kNumeric || value.is_null()) continue;
    Numeric number;
    LoadNumeric(value.GetString(), number);
    has_decimal = true;
    scale = static_cast<uint8_t>(std::max<int>(scale, std::min<int>(number.scale, UINT8_MAX)));
  }
  if (has_zone || (has_date && !has_time && !is_range)) return TypeId::kTimestampTz;
  if (has_time || has_date) return TypeId::kTimestamp;
  if (is_range) return TypeId::kBigInt;
  constexpr uint8_t kDigits = 18;  // of 64 bits
  if (has_decimal) return LogicalType::Decimal(kDigits, std::min(scale, kDigits));
  return has_big ? TypeId::kBigInt : TypeId::kInteger;
}

Series BindDecimals(const char* function, const std::vector<Value>& arguments, const LogicalType& type) {
  const auto scaled = [&](const Value& value) {
    Value number;
    if (!CastValue(value, type, number))
      ThrowOutOfRange(fmt::format("{} has too many digits for {}, which takes at most {}", value.ToString(),
                                  function, type.width()));
    return number.GetBigInt();
  };
  const int64_t step = arguments.size() > 2 ? scaled(arguments[2]) : scaled(Value::Integer(1));
  return SeriesOfIntegers(function, scaled(arguments[0]), scaled(arguments[1]), step, true);
}

std::unique_ptr<BoundTableFunction> BindSeries(const FunctionContext& context, const char* function,
                                               const TableFunctionArguments& arguments, bool includes_stop) {
  auto bound = std::make_unique<BoundSeries>();
  bound->column_names = {function};
  const std::vector<Value>& values = arguments.positional;
  const bool has_null =
      std::any_of(values.begin(), values.end(), [](const Value& value) { return value.is_null(); });
  const LogicalType type = TypeOfSeries(values, !includes_stop);
  bound->column_types = {type};
  if (!has_null) {  // with a NULL there are no rows, as in PostgreSQL
    if (type.id() == TypeId::kDecimal) {
      bound->series = BindDecimals(function, values, type);
    } else {
      bound->series = type.IsInteger() ? BindIntegers(function, values, includes_stop)
                                       : BindTimes(context, function, values, includes_stop, type.id());
    }
  }
  bound->estimated_row_count = bound->series.row_count;
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
  return std::make_unique<SeriesShared>(static_cast<const BoundSeries&>(call.bound).series.row_count);
}
std::unique_ptr<TableFunctionLocal> CreateLocal(const TableFunctionCall&, TableFunctionShared&) {
  return std::make_unique<SeriesLocal>();
}

/// Fills one output column; a query may request the series' only column several times.
void FillColumn(const BoundSeries& bound, uint64_t row, size_t count, Vector& result) {
  if (bound.column_types[0].IsInteger()) {
    result.MakeSequence(bound.series.ValueAt(row), bound.series.step);
    return;
  }
  result.Reset();
  int64_t* values = result.MutableData<int64_t>();
  for (size_t i = 0; i < count; i++) values[i] = bound.series.ValueAt(row + i);
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
