// Tests of min, max, arg_min, arg_max, first, any_value and last.
#include <limits>

#include "aggregate_harness.hpp"
#include "type/time/date_time.hpp"
#include "value_makers.hpp"

namespace scaup {
namespace {

bool IsBefore(const Value& a, const Value& b) {
  switch (a.type().id()) {
    case TypeId::kReal:
    case TypeId::kDouble:
      return a.GetDouble() < b.GetDouble() || (std::isnan(b.GetDouble()) && !std::isnan(a.GetDouble()));
    case TypeId::kVarchar:
    case TypeId::kBlob: return a.GetString() < b.GetString();
    case TypeId::kInterval: return IntervalSortKey(a.GetInterval()) < IntervalSortKey(b.GetInterval());
    default: return a.GetInteger() < b.GetInteger();
  }
}

bool SameInOrder(const Value& got, const Value& expected) {
  if (got.is_null() || expected.is_null()) return got == expected;
  return got.type() == expected.type() && !IsBefore(got, expected) && !IsBefore(expected, got);
}

/// Numbers, infinities and NaN.
Value RandomFloat(std::mt19937_64& random, bool real) {
  static const std::vector<double> kSpecial{0.0, -0.0, std::numeric_limits<double>::infinity(),
                                            -std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::quiet_NaN()};
  const double value = random() % 200 == 0 ? kSpecial[random() % kSpecial.size()]
                                           : std::uniform_real_distribution<double>(-1e6, 1e6)(random);
  return real ? Value::Real(static_cast<float>(value)) : Value::Double(value);
}

struct TypeCase {
  LogicalType type;
  ValueMaker make;
};

std::vector<TypeCase> AllTypes() {
  const auto whole = [](LogicalType type, int64_t low, int64_t high) {
    return TypeCase{type, IntegersOf(type, low, high)};
  };
  return {whole(TypeId::kBoolean, 0, 1),
          whole(TypeId::kTinyInt, INT8_MIN, INT8_MAX),
          whole(TypeId::kSmallInt, INT16_MIN, INT16_MAX),
          whole(TypeId::kInteger, INT32_MIN, INT32_MAX),
          whole(TypeId::kBigInt, INT64_MIN, INT64_MAX),
          {TypeId::kHugeInt,
           [](std::mt19937_64& random) {
             return Value::HugeInt(static_cast<int128_t>(static_cast<uint128_t>(random()) << 64 | random()));
           }},
          whole(LogicalType::Decimal(4, 1), -9999, 9999),
          whole(LogicalType::Decimal(9, 2), -999'999'999, 999'999'999),
          whole(LogicalType::Decimal(18, 2), -999'999'999'999'999'999, 999'999'999'999'999'999),
          whole(LogicalType::Decimal(38, 5), INT64_MIN, INT64_MAX),
          whole(TypeId::kDate, -100'000, 100'000),
          whole(TypeId::kTime, 0, kMicrosPerDay),
          whole(TypeId::kTimestamp, -200'000'000'000'000'000, 9'000'000'000'000'000'000),
          {TypeId::kReal, [](std::mt19937_64& random) { return RandomFloat(random, true); }},
          {TypeId::kDouble, [](std::mt19937_64& random) { return RandomFloat(random, false); }},
          {TypeId::kVarchar, RandomWord},
          {TypeId::kBlob,
           [](std::mt19937_64& random) { return Value::Blob(RandomWord(random).GetString() + '\0'); }},
          {TypeId::kInterval, RandomInterval}};
}

TEST_CASE("min and max of every type", "[aggregate]") {
  for (const TypeCase& item : AllTypes()) {
    for (const bool is_max : {false, true}) {
      const BoundAggregate bound = BindByName(is_max ? "max" : "min", {item.type});
      REQUIRE(bound.function.return_type == item.type);
      CheckAgainst(
          bound, {item.make},
          [&](const auto& rows) {
            Value best(item.type);
            for (const auto& row : rows) {
              const bool better =
                  best.is_null() || (is_max ? IsBefore(best, row[0]) : IsBefore(row[0], best));
              if (better) best = row[0];
            }
            return best;
          },
          SameInOrder);
    }
  }
}

TEST_CASE("min and max of nothing but NaN or the type's last value", "[aggregate]") {
  const auto extreme_of = [](const char* name, const Value& value, Form form) {
    const BoundAggregate bound = BindByName(name, {value.type()});
    AggregateRun run(bound, 1, 1);
    run.MakeStates(2);
    run.Update(0, {{value, value}}, {}, 0, 2, form);
    return run.Finish()[0];
  };
  for (const Form form : {Form::kFlat, Form::kConstant, Form::kDictionary}) {
    for (const char* name : {"min", "max"}) {
      CHECK(std::isnan(extreme_of(name, Value::Double(std::nan("")), form).GetDouble()));
      for (const Value& value : {Value::Integer(INT32_MAX), Value::Integer(INT32_MIN), Value::Boolean(true),
                                 Value::Double(std::numeric_limits<double>::infinity()),
                                 Value::Double(-std::numeric_limits<double>::infinity())}) {
        CHECK(extreme_of(name, value, form) == value);
      }
    }
  }
}

TEST_CASE("a retargeted aggregate takes narrower arguments and keeps its result", "[aggregate]") {
  const LogicalType wide = LogicalType::Decimal(15, 2);
  for (const LogicalType& narrow : {LogicalType::Decimal(9, 2), LogicalType::Decimal(4, 2)}) {
    for (const char* name : {"min", "max", "sum", "avg"}) {
      BoundAggregate bound = BindByName(name, {wide});
      const BoundAggregate original = BindByName(name, {wide});
      RetargetAggregate(bound.function, narrow);
      REQUIRE(bound.function.argument_types[0] == narrow);
      REQUIRE(bound.function.return_type == original.function.return_type);
      CheckAgainst(bound, {IntegersOf(narrow, -9999, 9999)}, [&](const auto& rows) {
        AggregateRun run(original, 1, 1);
        run.MakeStates(1);
        for (const auto& row : rows) {
          run.Update(0, {{Value::FromInteger(wide, row[0].GetInteger())}}, {}, 0, 1, Form::kFlat);
        }
        return run.Finish()[0];
      });
    }
  }
  BoundAggregate sum = BindByName("sum", {TypeId::kBigInt});
  RetargetAggregate(sum.function, TypeId::kSmallInt);
  CheckAgainst(sum, {IntegersOf(TypeId::kSmallInt, -9999, 9999)}, [](const auto& rows) {
    int128_t total = 0;
    for (const auto& row : rows) total += row[0].GetInteger();
    if (rows.empty()) return Value(LogicalType(TypeId::kHugeInt));
    return Value::HugeInt(total);
  });
  BoundAggregate count = BindByName("count", {TypeId::kBigInt});
  CHECK_THROWS(RetargetAggregate(count.function, TypeId::kSmallInt));
}

TEST_CASE("any_value", "[aggregate]") {
  for (const TypeCase& item : AllTypes()) {
    CheckAgainst(
        BindByName("any_value", {item.type}), {item.make},
        [&](const auto& rows) { return rows.empty() ? Value(item.type) : rows.front()[0]; }, SameInOrder);
  }
}

TEST_CASE("first and last count rows with NULL", "[aggregate]") {
  const Value null(LogicalType(TypeId::kInteger));
  for (const char* name : {"first", "last"}) {
    const BoundAggregate bound = BindByName(name, {TypeId::kInteger});
    AggregateRun run(bound, 3, 1);
    run.MakeStates(1);
    const std::vector<Value> values = {null, Value::Integer(1), Value::Integer(2), null};
    run.Update(0, {values}, {0, 0, 1, 1}, 0, 4, Form::kFlat);
    const std::vector<Value> results = run.Finish();
    const bool is_first = std::string(name) == "first";
    CHECK(results[0] == (is_first ? null : Value::Integer(1)));
    CHECK(results[1] == (is_first ? Value::Integer(2) : null));
    CHECK(results[2].is_null());
  }
}

TEST_CASE("arg_min and arg_max of every type by every type", "[aggregate]") {
  const std::vector<TypeCase> types = AllTypes();
  for (size_t i = 0; i < types.size(); i++) {
    // Each type once as x and once as y.
    const TypeCase& x = types[i];
    const TypeCase& y = types[(i * 5 + 1) % types.size()];
    for (const bool is_max : {false, true}) {
      const BoundAggregate bound = BindByName(is_max ? "arg_max" : "arg_min", {x.type, y.type});
      REQUIRE(bound.function.return_type == x.type);
      CheckAgainst(
          bound, {x.make, y.make},
          [&](const auto& rows) {
            const std::vector<Value>* best = nullptr;
            for (const auto& row : rows) {
              if (best == nullptr || (is_max ? IsBefore((*best)[1], row[1]) : IsBefore(row[1], (*best)[1])))
                best = &row;
            }
            return best == nullptr ? Value(x.type) : (*best)[0];
          },
          SameInOrder);
    }
  }
}

TEST_CASE("strings that states keep outlive their vectors and reuse memory", "[aggregate]") {
  const BoundAggregate bound = BindByName("last", {TypeId::kVarchar});
  AggregateRun run(bound, 2, 1);
  run.MakeStates(1);
  size_t held = 0;
  for (int round = 0; round < 1000; round++) {
    const std::string text = "a string that is too long to be inline " + std::to_string(round);
    run.Update(0, {std::vector<Value>(1000, Value::Varchar(text))}, std::vector<size_t>(1000, 0), 0, 1000,
               Form::kConstant);
    if (round == 0) held = run.call().arena.size_bytes();
  }
  CHECK(run.call().arena.size_bytes() == held);
  CHECK(run.Finish()[0] == Value::Varchar("a string that is too long to be inline 999"));
}

}  // namespace
}  // namespace scaup
