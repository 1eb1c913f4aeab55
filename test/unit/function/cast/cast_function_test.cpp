// Every cast that exists, over columns of every form, must agree with the cast of single values.
#include "function/cast_function.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "cast_fixture.hpp"
#include "scaup/time_tz.hpp"

using namespace scaup;

namespace {

const LogicalType kTypes[] = {TypeId::kBoolean,
                              TypeId::kTinyInt,
                              TypeId::kSmallInt,
                              TypeId::kInteger,
                              TypeId::kBigInt,
                              TypeId::kHugeInt,
                              TypeId::kReal,
                              TypeId::kDouble,
                              LogicalType::Decimal(4, 2),
                              LogicalType::Decimal(9, 0),
                              LogicalType::Decimal(18, 6),
                              LogicalType::Decimal(19, 1),
                              LogicalType::Decimal(38, 20),
                              TypeId::kVarchar,
                              TypeId::kBlob,
                              TypeId::kDate,
                              TypeId::kTime,
                              TypeId::kTimestamp,
                              TypeId::kInterval,
                              TypeId::kUuid,
                              TypeId::kTimestampTz,
                              TypeId::kJson,
                              TypeId::kJsonb,
                              TypeId::kNumeric,
                              TypeId::kUTinyInt,
                              TypeId::kUSmallInt,
                              TypeId::kUInteger,
                              TypeId::kUBigInt,
                              TypeId::kBit,
                              TypeId::kTimeTz,
                              RangeType(TypeId::kInteger),
                              MultirangeType(TypeId::kInteger)};

uint8_t BitsOf(TypeId id) {
  switch (id) {
    case TypeId::kTinyInt:
    case TypeId::kUTinyInt: return 8;
    case TypeId::kSmallInt:
    case TypeId::kUSmallInt: return 16;
    case TypeId::kInteger:
    case TypeId::kUInteger: return 32;
    case TypeId::kBigInt:
    case TypeId::kUBigInt: return 64;
    default: return 128;
  }
}

// A random value; small numbers are as likely as large ones, so that most casts succeed sometimes.
Value RandomValue(const LogicalType& type, std::mt19937_64& random) {
  if (random() % 7 == 0) return Value(type);
  const int128_t wide = static_cast<int128_t>(static_cast<uint128_t>(random()) << 64 | random());
  switch (type.id()) {
    case TypeId::kBoolean: return Value::Boolean(random() % 2 == 0);
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kHugeInt: {
      const int spare = 128 - BitsOf(type.id());
      return Value::FromInteger(type, wide >> (spare + static_cast<int>(random() % BitsOf(type.id()))));
    }
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt: {
      const int spare = 128 - BitsOf(type.id());
      const auto bits =
          static_cast<uint128_t>(wide) >> (spare + static_cast<int>(random() % BitsOf(type.id())));
      return Value::FromInteger(type, static_cast<int128_t>(bits));
    }
    case TypeId::kReal:
      return Value::Real(static_cast<float>(static_cast<int32_t>(random() % 2001) - 1000) / 8 *
                         (random() % 9 == 0 ? 1e30f : 1.0f));
    case TypeId::kDouble:
      return Value::Double(
          std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -static_cast<int>(random() % 90)));
    case TypeId::kDecimal:
      return Value::FromInteger(type, (wide >> (random() % 127)) % PowerOfTen(type.width()));
    case TypeId::kVarchar: {
      const LogicalType other = kTypes[random() % std::size(kTypes)];
      return Value::Varchar(other.id() == TypeId::kVarchar ? "some longer text"
                                                           : RandomValue(other, random).ToString());
    }
    case TypeId::kNumeric: {
      const char* special[] = {"NaN", "Infinity", "-Infinity", "1e60", "-1e-60", "2.5"};
      if (random() % 8 == 0) return MakeNumeric(special[random() % 6]);
      return MakeNumeric(DecimalToString(wide >> (random() % 127), static_cast<uint8_t>(random() % 30)));
    }
    case TypeId::kBlob: return Value::Blob(std::string(random() % 20, static_cast<char>(random())));
    case TypeId::kDate:
      return random() % 20 == 0 ? Value::Date(kDateInfinity)
                                : Value::Date(static_cast<int32_t>(random() % 1'000'000) - 700'000);
    case TypeId::kTime: return Value::Time(static_cast<int64_t>(random() % kMicrosPerDay));
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
      return Value::FromInteger(type, random() % 20 == 0
                                          ? kTimestampMinusInfinity
                                          : static_cast<int64_t>(random() % (1ull << 58)) - (1ll << 57));
    case TypeId::kTimeTz:
      return Value::FromInteger(type, StoreTimeTz({static_cast<int64_t>(random() % kMicrosPerDay),
                                                   static_cast<int32_t>(random() % 115199) - 57599}));
    case TypeId::kBit: {
      std::string digits(random() % 140, '0');
      for (char& digit : digits) digit = random() % 2 == 0 ? '0' : '1';
      return MakeBit(digits);
    }
    case TypeId::kUuid: return Value::FromInteger(type, wide);
    case TypeId::kJson:
    case TypeId::kJsonb: {
      const std::string name = "\"" + std::string(random() % 20, 'n') + "\"";
      return Value::FromBytes(type, random() % 2 == 0 ? name : "{" + name + ": 1.50}");
    }
    case TypeId::kInterval:
      return Value::MakeInterval({static_cast<int32_t>(random() % 100) - 50,
                                  static_cast<int32_t>(random() % 100) - 50,
                                  static_cast<int64_t>(wide >> 85)});
    case TypeId::kRange: {
      const auto lower = static_cast<int32_t>(random() % 100),
                 upper = lower + static_cast<int32_t>(random() % 5);
      return MakeRange(type, random() % 5 == 0 ? Value() : Value::Integer(lower),
                       random() % 5 == 0 ? Value() : Value::Integer(upper), "(]");
    }
    case TypeId::kMultirange: {
      std::vector<Value> ranges;
      for (size_t i = random() % 4; i > 0; i--) ranges.push_back(RandomValue(type.element(), random));
      std::erase_if(ranges, [](const Value& range) { return range.is_null(); });
      return MakeMultirange(type, ranges);
    }
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kEnum:
    case TypeId::kNull: break;
  }
  return Value(type);
}

}  // namespace

TEST_CASE("casts of columns agree with casts of values", "[function][cast]") {
  CastFixture fixture;
  std::mt19937_64 random(23);
  size_t casts = 0;
  for (const LogicalType& from : kTypes) {
    for (const LogicalType& to : kTypes) {
      CHECK(FindCast(from, to).has_value() == CastExists(from, to));
      if (!FindCast(from, to)) continue;
      casts++;
      for (const size_t count : {1, 65, 300}) {
        std::vector<Value> values(count);
        for (Value& value : values) value = RandomValue(from, random);
        fixture.CompareWithValues(values, from, to);
      }
      // Alone, so that one bad value does not hide that others fit.
      for (int i = 0; i < 20; i++) fixture.CompareWithValues({RandomValue(from, random)}, from, to);
    }
  }
  CHECK(casts > 200);
}

TEST_CASE("the limits of types", "[function][cast]") {
  CastFixture fixture;
  std::vector<Value> doubles;
  for (const int bits : {7, 15, 31, 63, 127}) {
    for (const double step : {-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0}) {
      doubles.push_back(Value::Double(std::ldexp(1, bits) + step));
      doubles.push_back(Value::Double(-std::ldexp(1, bits) + step));
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {infinity, -infinity, std::nan(""), -0.0, 1e308, 5e-324})
    doubles.push_back(Value::Double(value));
  std::vector<Value> huge;
  for (uint8_t digits = 0; digits <= 38; digits++) {
    for (const int step : {-1, 0, 1}) {
      huge.push_back(Value::HugeInt(PowerOfTen(digits) + step));
      huge.push_back(Value::HugeInt(-PowerOfTen(digits) + step));
    }
  }
  huge.push_back(Value::HugeInt(kInt128Max));
  huge.push_back(Value::HugeInt(kInt128Min));
  for (const LogicalType& to : kTypes) {
    if (FindCast(TypeId::kDouble, to)) fixture.CompareWithValues(doubles, TypeId::kDouble, to);
    if (FindCast(TypeId::kHugeInt, to)) fixture.CompareWithValues(huge, TypeId::kHugeInt, to);
  }
}

TEST_CASE("casts that cannot fail say so", "[function][cast]") {
  const auto can_fail = [](LogicalType from, LogicalType to) { return FindCast(from, to)->can_fail; };
  CHECK_FALSE(can_fail(TypeId::kInteger, TypeId::kBigInt));
  CHECK(can_fail(TypeId::kBigInt, TypeId::kInteger));
  CHECK_FALSE(can_fail(TypeId::kInteger, TypeId::kReal));
  CHECK_FALSE(can_fail(TypeId::kSmallInt, LogicalType::Decimal(7, 2)));
  CHECK(can_fail(TypeId::kSmallInt, LogicalType::Decimal(6, 2)));
  CHECK_FALSE(can_fail(LogicalType::Decimal(5, 2), LogicalType::Decimal(6, 3)));
  CHECK(can_fail(LogicalType::Decimal(5, 2), LogicalType::Decimal(5, 3)));
  CHECK(can_fail(LogicalType::Decimal(5, 2), LogicalType::Decimal(4, 1)));  // 999.99 rounds to 1000.0.
  CHECK_FALSE(can_fail(LogicalType::Decimal(5, 2), LogicalType::Decimal(5, 1)));
  CHECK_FALSE(can_fail(TypeId::kDate, TypeId::kVarchar));
  CHECK(can_fail(TypeId::kVarchar, TypeId::kDate));
}
