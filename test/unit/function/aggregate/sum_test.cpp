// Tests of count, sum, avg and product.
#include "aggregate_harness.hpp"
#include "scaup/error.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "value_makers.hpp"

namespace scaup {
namespace {

int128_t SumOf(const std::vector<std::vector<Value>>& rows) {
  int128_t sum = 0;
  for (const auto& row : rows) sum += row[0].GetInteger();
  return sum;
}

struct IntegerCase {
  LogicalType type;
  LogicalType sum_type;
  int64_t low, high;
};

const std::vector<IntegerCase> kIntegerCases{
    {TypeId::kTinyInt, TypeId::kBigInt, INT8_MIN, INT8_MAX},
    {TypeId::kSmallInt, TypeId::kBigInt, INT16_MIN, INT16_MAX},
    {TypeId::kInteger, TypeId::kBigInt, INT32_MIN, INT32_MAX},
    {TypeId::kBigInt, TypeId::kHugeInt, INT64_MIN, INT64_MAX},
    {TypeId::kHugeInt, TypeId::kHugeInt, INT64_MIN, INT64_MAX},
    {LogicalType::Decimal(4, 2), LogicalType::Decimal(38, 2), -9999, 9999},
    {LogicalType::Decimal(9, 0), LogicalType::Decimal(38, 0), -999'999'999, 999'999'999},
    {LogicalType::Decimal(15, 2), LogicalType::Decimal(38, 2), -999'999'999'999'999, 999'999'999'999'999},
    {LogicalType::Decimal(30, 10), LogicalType::Decimal(38, 10), INT64_MIN, INT64_MAX},
};

/// The message and SQLSTATE of what `run` throws; "" if nothing.
template <typename Run>
std::string StateOf(Run&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.sqlstate();
  }
  return "";
}

TEST_CASE("count counts rows and values", "[aggregate]") {
  const BoundAggregate values = BindByName("count", {TypeId::kVarchar});
  CheckAgainst(values, {RandomWord},
               [](const auto& rows) { return Value::BigInt(static_cast<int64_t>(rows.size())); });
  const BoundAggregate rows = BindByName("count_star", {});
  AggregateRun run(rows, 2, 1);
  run.MakeStates(2);
  run.Update(0, {}, std::vector<size_t>(10, 1), 0, 10, Form::kFlat);
  run.Update(1, {}, std::vector<size_t>(5, 1), 0, 5, Form::kFlat);
  CHECK(run.Finish() == std::vector<Value>{Value::BigInt(0), Value::BigInt(15)});
  AggregateRun single(rows, 1, 1);
  single.MakeStates(1);
  single.Update(0, {}, {}, 0, 1024, Form::kFlat);
  CHECK(single.Finish() == std::vector<Value>{Value::BigInt(1024)});
}

TEST_CASE("count of bare NULLs is 0", "[aggregate]") {
  const BoundAggregate bound = BindByName("count", {TypeId::kNull});
  AggregateRun run(bound, 1, 1);
  run.MakeStates(1);
  run.Update(0, {{Value()}}, {}, 0, 1, Form::kConstant);
  CHECK(run.Finish() == std::vector<Value>{Value::BigInt(0)});
}

TEST_CASE("sum of integers and decimals is exact", "[aggregate]") {
  for (const IntegerCase& item : kIntegerCases) {
    const BoundAggregate bound = BindByName("sum", {item.type});
    REQUIRE(bound.function.return_type == item.sum_type);
    REQUIRE(bound.function.state_size % 16 == 0);
    CheckAgainst(bound, {IntegersOf(item.type, item.low, item.high)}, [&](const auto& rows) {
      if (rows.empty()) return Value(item.sum_type);
      return Value::FromInteger(item.sum_type, SumOf(rows));
    });
  }
}

TEST_CASE("avg of integers and decimals is a correctly scaled DOUBLE", "[aggregate]") {
  for (const IntegerCase& item : kIntegerCases) {
    const BoundAggregate bound = BindByName("avg", {item.type});
    REQUIRE(bound.function.return_type == LogicalType(TypeId::kDouble));
    CheckAgainst(
        bound, {IntegersOf(item.type, item.low, item.high)},
        [&](const auto& rows) {
          if (rows.empty()) return Value(LogicalType(TypeId::kDouble));
          const double divisor =
              static_cast<double>(rows.size()) * Int128ToDouble(PowerOfTen(item.type.scale()));
          return Value::Double(Int128ToDouble(SumOf(rows)) / divisor);
        },
        NearlySame);
  }
}

TEST_CASE("avg of small decimals is the double that is nearest", "[aggregate]") {
  const LogicalType type = LogicalType::Decimal(15, 2);
  const BoundAggregate bound = BindByName("avg", {type});
  AggregateRun run(bound, 1, 1);
  run.MakeStates(1);
  const Columns columns{{Value::Decimal(10, 15, 2), Value::Decimal(20, 15, 2)}};
  run.Update(0, columns, {}, 0, 2, Form::kFlat);
  CHECK(run.Finish()[0] == Value::Double(0.15));
}

TEST_CASE("a sum that leaves its type is an error", "[aggregate]") {
  const auto sum_of = [](const LogicalType& type, const Value& value, size_t count, bool combined) {
    const BoundAggregate bound = BindByName("sum", {type});
    AggregateRun run(bound, 1, 1);
    run.MakeStates(combined ? 2 : 1);
    run.Update(0, {std::vector<Value>(count, value)}, {}, 0, count, Form::kFlat);
    if (combined) run.Update(1, {std::vector<Value>(count, value)}, {}, 0, count, Form::kConstant);
    return run.Finish()[0];
  };
  const Value huge = Value::HugeInt(kInt128Max / 3);
  CHECK(sum_of(TypeId::kHugeInt, huge, 3, false).GetInteger() == kInt128Max / 3 * 3);
  CHECK(StateOf([&] { sum_of(TypeId::kHugeInt, huge, 4, false); }) == "22003");
  CHECK(StateOf([&] { sum_of(TypeId::kHugeInt, huge, 2, true); }) == "22003");
  const Value decimal = Value::Decimal(PowerOfTen(38) / 2, 38, 0);
  CHECK(sum_of(LogicalType::Decimal(38, 0), decimal, 1, false) == decimal);
  CHECK(StateOf([&] { sum_of(LogicalType::Decimal(38, 0), decimal, 2, false); }) == "22003");
}

TEST_CASE("sum and avg of floating point values", "[aggregate]") {
  const auto sum = [](const auto& rows) {
    double total = 0;
    for (const auto& row : rows) total += row[0].GetDouble();
    return total;
  };
  const ValueMaker reals = [](std::mt19937_64& random) {
    return Value::Real(std::uniform_real_distribution<float>(-1000, 1000)(random));
  };
  const auto near_real = [](const Value& got, const Value& expected) {
    if (got.is_null() || expected.is_null()) return got == expected;
    return std::abs(got.GetDouble() - expected.GetDouble()) <= 1e-5 * (1 + std::abs(expected.GetDouble()));
  };
  CheckAgainst(
      BindByName("sum", {TypeId::kDouble}), {Doubles(-1000, 1000)},
      [&](const auto& rows) {
        if (rows.empty()) return Value(LogicalType(TypeId::kDouble));
        return Value::Double(sum(rows));
      },
      NearlySame);
  CheckAgainst(
      BindByName("avg", {TypeId::kDouble}), {Doubles(-1000, 1000)},
      [&](const auto& rows) {
        if (rows.empty()) return Value(LogicalType(TypeId::kDouble));
        return Value::Double(sum(rows) / static_cast<double>(rows.size()));
      },
      NearlySame);
  CheckAgainst(
      BindByName("sum", {TypeId::kReal}), {reals},
      [&](const auto& rows) {
        if (rows.empty()) return Value(LogicalType(TypeId::kReal));
        return Value::Real(static_cast<float>(sum(rows)));
      },
      near_real);
  CheckAgainst(
      BindByName("avg", {TypeId::kReal}), {reals},
      [&](const auto& rows) {
        if (rows.empty()) return Value(LogicalType(TypeId::kDouble));
        return Value::Double(sum(rows) / static_cast<double>(rows.size()));
      },
      NearlySame);
  CheckAgainst(
      BindByName("product", {TypeId::kDouble}), {Doubles(0.99, 1.01)},
      [&](const auto& rows) {
        double product = 1;
        for (const auto& row : rows) product *= row[0].GetDouble();
        if (rows.empty()) return Value(LogicalType(TypeId::kDouble));
        return Value::Double(product);
      },
      NearlySame);
}

TEST_CASE("a floating point sum overflows with an error, infinite values do not", "[aggregate]") {
  const auto result_of = [](const char* name, const std::vector<Value>& values, Form form) {
    const BoundAggregate bound = BindByName(name, {values[0].type()});
    AggregateRun run(bound, 1, 1);
    run.MakeStates(2);
    run.Update(0, {values}, {}, 0, values.size(), form);
    run.Update(1, {values}, {}, 0, 1, form);
    return run.Finish()[0].GetDouble();
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const Value big = Value::Double(1.7e308), endless = Value::Double(infinity);
  for (const Form form : {Form::kFlat, Form::kConstant, Form::kDictionary}) {
    CHECK(StateOf([&] { result_of("sum", {big, big}, form); }) == "22003");
    CHECK(StateOf([&] { result_of("sum", {big}, form); }) == "22003");  // In combine.
    CHECK(StateOf([&] { result_of("product", {big, big}, form); }) == "22003");
    CHECK(StateOf([&] { result_of("sum", {Value::Real(3e38F), Value::Real(3e38F)}, form); }) == "22003");
    CHECK(result_of("sum", {endless, endless}, form) == infinity);
    CHECK(result_of("avg", {endless, endless}, form) == infinity);
  }
  CHECK(std::isnan(result_of("sum", {endless, Value::Double(-infinity)}, Form::kFlat)));
  CHECK(result_of("sum", {Value::Double(1), endless, big, big}, Form::kFlat) == infinity);
}

TEST_CASE("sum and avg of intervals", "[aggregate]") {
  CheckAgainst(BindByName("sum", {TypeId::kInterval}), {RandomInterval}, [](const auto& rows) {
    Interval sum;
    for (const auto& row : rows) {
      const Interval item = row[0].GetInterval();
      sum = {sum.months + item.months, sum.days + item.days, sum.micros + item.micros};
    }
    if (rows.empty()) return Value(LogicalType(TypeId::kInterval));
    return Value::MakeInterval(sum);
  });
  const auto average = [](std::vector<Value> values) {
    const BoundAggregate bound = BindByName("avg", {TypeId::kInterval});
    AggregateRun run(bound, 1, 1);
    run.MakeStates(1);
    const size_t count = values.size();
    run.Update(0, {std::move(values)}, {}, 0, count, Form::kFlat);
    return run.Finish()[0].GetInterval();
  };
  // 1 month over 2 is 15 days; 1 day over 2 is 12 hours; -1 month over 4 is -7 days -12:00:00.
  CHECK(average({Value::MakeInterval({1, 0, 0}), Value::MakeInterval({0, 0, 0})}) == Interval{0, 15, 0});
  CHECK(average({Value::MakeInterval({0, 1, 0}), Value::MakeInterval({0, 0, 10})}) ==
        Interval{0, 0, 43'200'000'005});
  const Value none = Value::MakeInterval({0, 0, 0});
  CHECK(average({Value::MakeInterval({-1, 0, 0}), none, none, none}) == Interval{0, -7, -43'200'000'000});
  // 1.5 days from the months and 0.5 from the days make whole days.
  CHECK(average({Value::MakeInterval({1, 10, 0}), Value::MakeInterval({0, 0, 0}), none, none}) ==
        Interval{0, 10, 0});
}

TEST_CASE("a sum of intervals that does not fit is an error", "[aggregate]") {
  const BoundAggregate bound = BindByName("sum", {TypeId::kInterval});
  AggregateRun run(bound, 1, 1);
  run.MakeStates(1);
  const Value big = Value::MakeInterval({INT32_MAX, 0, 0});
  run.Update(0, {{big, big}}, {}, 0, 2, Form::kFlat);
  CHECK(StateOf([&] { run.Finish(); }) == "22008");
}

}  // namespace
}  // namespace scaup
