// Values: access, text, and casts of single values with their errors.
#include "scaup/value.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"
#include "type/value_cast.hpp"

using namespace scaup;

namespace {

std::string Cast(const Value& value, LogicalType type) {
  Value result;
  if (!CastValue(value, type, result)) return "bad";
  CHECK(result.type() == type);
  return result.ToString();
}

// "kind code message" of the error for a failed cast.
std::string ErrorOf(const Value& value, LogicalType type) {
  Value result;
  CHECK_FALSE(CastValue(value, type, result));
  try {
    ThrowCastError(value, type);
  } catch (const Error& error) {
    return std::string(error.sqlstate()) + " " + error.message();
  }
}

}  // namespace

TEST_CASE("values give back what they hold", "[type][value]") {
  CHECK(Value::Integer(-5).GetInteger() == -5);
  CHECK(Value::Boolean(true).GetBoolean());
  CHECK(Value::Real(0.5f).GetDouble() == 0.5);
  CHECK(Value::Varchar("x").GetString() == "x");
  CHECK(Value::MakeInterval({1, 2, 3}).GetInterval() == Interval{1, 2, 3});
  CHECK(Value().is_null());
  CHECK(Value(LogicalType(TypeId::kDate)).is_null());
  CHECK(Value::BigInt(1) == Value::BigInt(1));
  CHECK_FALSE(Value::BigInt(1) == Value::Integer(1));
  CHECK_THROWS_AS(Value::Varchar("x").GetInteger(), Error);
  CHECK_THROWS_AS(Value().GetString(), Error);
  CHECK_THROWS_AS(Value::HugeInt(kInt128Max).GetBigInt(), Error);
  CHECK_THROWS_AS(Value::Integer(1).GetDouble(), Error);
}

namespace {

// Kind and code of the error of a maker; "" if it makes something.
template <typename Make>
std::string Refusal(Make&& make) {
  try {
    make();
    return "";
  } catch (const Error& error) {
    return std::string(ErrorKindName(error.kind())) + " " + error.sqlstate();
  }
}

std::string RefusalOf(const LogicalType& type, int128_t stored) {
  return Refusal([&] { Value::FromInteger(type, stored); });
}

constexpr int128_t kTwoTo40 = int128_t{1} << 40;

}  // namespace

TEST_CASE("no value is made of an integer that is none of its type", "[type][value]") {
  const std::string usage = ErrorKindName(ErrorKind::kUsage);
  const std::string range = usage + " 22003", moment = usage + " 22008", mismatch = usage + " 42804";
  CHECK(RefusalOf(TypeId::kBoolean, 2) == range);
  CHECK(RefusalOf(TypeId::kTinyInt, 128) == range);
  CHECK(RefusalOf(TypeId::kTinyInt, -128).empty());
  CHECK(RefusalOf(TypeId::kSmallInt, -32769) == range);
  CHECK(RefusalOf(TypeId::kInteger, kTwoTo40) == range);
  CHECK(RefusalOf(TypeId::kInteger, INT32_MIN).empty());
  CHECK(RefusalOf(TypeId::kBigInt, int128_t{1} << 63) == range);
  CHECK(RefusalOf(TypeId::kHugeInt, kInt128Min).empty());
  CHECK(RefusalOf(TypeId::kUuid, kInt128Min).empty());
  for (const TypeId id : {TypeId::kNull, TypeId::kReal, TypeId::kDouble, TypeId::kVarchar, TypeId::kInterval})
    CHECK(RefusalOf(id, 0) == mismatch);
  CHECK(RefusalOf(LogicalType::List(TypeId::kInteger), 0) == mismatch);
  const LogicalType mood = LogicalType::Enum("mood", {"sad", "ok"});
  CHECK(RefusalOf(mood, 1).empty());
  CHECK(RefusalOf(mood, 2) == range);
  CHECK(RefusalOf(mood, -1) == range);
  CHECK(RefusalOf(TypeId::kDate, kTwoTo40) == moment);
}

TEST_CASE("dates, times and decimals out of range are refused", "[type][value]") {
  const std::string usage = ErrorKindName(ErrorKind::kUsage);
  const std::string moment = usage + " 22008";
  CHECK(Refusal([] { Value::Date(INT32_MIN + 5); }) == moment);
  CHECK(Value::Date(INT32_MIN).ToString() == "-infinity");
  CHECK(Value::Date(INT32_MAX).ToString() == "infinity");
  CHECK(Refusal([] { Value::Time(-5); }) == moment);
  CHECK(Refusal([] { Value::Time(int64_t{25} * 3600 * 1000000); }) == moment);
  CHECK(Value::Time(int64_t{24} * 3600 * 1000000).ToString() == "24:00:00");
  CHECK(Refusal([] { Value::Timestamp(INT64_MIN + 1); }) == moment);
  CHECK(Refusal([] { Value::TimestampTz(INT64_MIN + 1); }) == moment);
  CHECK(Value::Timestamp(INT64_MAX).ToString() == "infinity");
  CHECK(Refusal([] { Value::Decimal(5, 60, 50); }) == usage + " 22023");
  CHECK(Refusal([] { Value::Decimal(5, 0, 0); }) == usage + " 22023");
  CHECK(Refusal([] { Value::Decimal(5, 3, 4); }) == usage + " 22023");
  CHECK(Refusal([] { Value::Decimal(1000, 3, 1); }) == usage + " 22003");
  CHECK(Value::Decimal(-999, 3, 1).ToString() == "-99.9");
  CHECK(Refusal([] { Value::Decimal(kInt128Max, 38, 0); }) == usage + " 22003");
}

TEST_CASE("no value is made of bytes that are none of its type", "[type][value]") {
  const std::string mismatch = std::string(ErrorKindName(ErrorKind::kUsage)) + " 42804";
  const auto refusal = [](const LogicalType& type, std::string bytes) {
    return Refusal([&] { Value::FromBytes(type, std::move(bytes)); });
  };
  for (const TypeId id : {TypeId::kNull, TypeId::kInteger, TypeId::kDate, TypeId::kDouble, TypeId::kInterval})
    CHECK(refusal(id, "1234") == mismatch);
  CHECK(refusal(TypeId::kBlob, std::string("\xff\0", 2)).empty());
  const LogicalType numbers = LogicalType::List(TypeId::kInteger);
  const std::string two = Value::List(TypeId::kInteger, {Value::Integer(1), Value()}).GetString();
  CHECK(refusal(numbers, "").empty());
  CHECK(refusal(numbers, two).empty());
  CHECK(refusal(numbers, two.substr(1)) == mismatch);
  CHECK(refusal(numbers, two + "\1") == mismatch);
  CHECK(refusal(LogicalType::List(numbers), two) == mismatch);
  const LogicalType texts = LogicalType::List(TypeId::kVarchar);
  CHECK(refusal(texts, "\1abc") == mismatch);
  CHECK(refusal(texts, std::string("\1abc\0", 5)).empty());
  CHECK(refusal(texts, std::string("\7abc\0", 5)) == mismatch);
  const LogicalType pair = LogicalType::Struct({{"a", TypeId::kDate}, {"b", numbers}});
  const std::string whole = Value::Struct(pair, {Value::Date(3), Value()}).GetString();
  CHECK(refusal(pair, whole).empty());
  CHECK(refusal(pair, "") == mismatch);
  CHECK(refusal(pair, whole.substr(0, whole.size() - 1)) == mismatch);
  CHECK(refusal(pair, whole + whole) == mismatch);
  std::string no_date = whole;
  no_date[1] = '\x01';  // Long before any date.
  CHECK(refusal(pair, no_date) == mismatch);
}

TEST_CASE("a NUMERIC is made of a text", "[type][value]") {
  CHECK(MakeNumeric("-12.50").ToString() == "-12.5");
  CHECK(MakeNumeric("1e-30").ToString() == "0.000000000000000000000000000001");
  CHECK(MakeNumeric("1.0") == MakeNumeric("1"));
  CHECK(MakeNumeric("nan").ToString() == "NaN");
  const std::string usage = ErrorKindName(ErrorKind::kUsage);
  CHECK(Refusal([] { MakeNumeric("12x"); }) == usage + " 22P02");
  CHECK(Refusal([] { MakeNumeric("1e200000"); }) == usage + " 22003");
  CHECK(Refusal([] { Value::FromBytes(TypeId::kNumeric, "1.5"); }) == usage + " 42804");
  CHECK(Cast(MakeNumeric("2.5"), TypeId::kInteger) == "3");
  CHECK(Cast(MakeNumeric("1e40"), TypeId::kHugeInt) == "bad");
  CHECK(Cast(MakeNumeric("99.995"), LogicalType::Decimal(4, 2)) == "bad");
  CHECK(Cast(Value::Double(0.1), TypeId::kNumeric) == "0.1");
  CHECK(Cast(Value::Decimal(1230, 6, 3), TypeId::kNumeric) == "1.23");
}

TEST_CASE("values print as PostgreSQL prints them", "[type][value]") {
  CHECK(Value().ToString() == "NULL");
  CHECK(Value::Boolean(true).ToString() == "true");
  CHECK(Value::TinyInt(-128).ToString() == "-128");
  CHECK(Value::HugeInt(kInt128Min).ToString() == "-170141183460469231731687303715884105728");
  CHECK(Value::Real(0.1f).ToString() == "0.1");
  CHECK(Value::Decimal(-5, 4, 2).ToString() == "-0.05");
  CHECK(Value::Blob(std::string("a\0", 2)).ToString() == "\\x6100");
  CHECK(Value::Date(0).ToString() == "1970-01-01");
  CHECK(Value::Time(1).ToString() == "00:00:00.000001");
  CHECK(Value::MakeInterval({14, 0, 0}).ToString() == "1 year 2 mons");
}

TEST_CASE("single values cast by PostgreSQL's rules", "[type][cast]") {
  CHECK(Cast(Value::Double(2.5), TypeId::kInteger) == "2");
  CHECK(Cast(Value::Double(3.5), TypeId::kInteger) == "4");
  CHECK(Cast(Value::Double(-0.5), TypeId::kInteger) == "0");
  CHECK(Cast(Value::Decimal(25, 3, 1), TypeId::kInteger) == "3");
  CHECK(Cast(Value::Decimal(-25, 3, 1), TypeId::kInteger) == "-3");
  CHECK(Cast(Value::Double(9.3e18), TypeId::kBigInt) == "bad");
  CHECK(Cast(Value::Double(1e38), TypeId::kHugeInt) == "99999999999999997748809823456034029568");
  CHECK(Cast(Value::Double(2e38), TypeId::kHugeInt) == "bad");
  CHECK(Cast(Value::Integer(300), TypeId::kTinyInt) == "bad");
  CHECK(Cast(Value::Integer(5), LogicalType::Decimal(5, 2)) == "5.00");
  CHECK(Cast(Value::Integer(1000), LogicalType::Decimal(5, 2)) == "bad");
  CHECK(Cast(Value::Decimal(1999, 5, 2), LogicalType::Decimal(5, 1)) == "20.0");
  CHECK(Cast(Value::Decimal(9999, 4, 2), LogicalType::Decimal(2, 0)) == "bad");
  CHECK(Cast(Value::Decimal(12345, 5, 2), TypeId::kDouble) == "123.45");
  CHECK(Cast(Value::Double(1e39), TypeId::kReal) == "bad");
  CHECK(Cast(Value::Integer(7), TypeId::kBoolean) == "true");
  CHECK(Cast(Value::Boolean(true), TypeId::kBigInt) == "1");
  CHECK(Cast(Value::Boolean(true), TypeId::kDouble) == "bad");
  CHECK(Cast(Value::Timestamp(-1), TypeId::kDate) == "1969-12-31");
  CHECK(Cast(Value::Timestamp(-1), TypeId::kTime) == "23:59:59.999999");
  CHECK(Cast(Value::Timestamp(kTimestampInfinity), TypeId::kTime) == "NULL");
  CHECK(Cast(Value::MakeInterval({1, 1, -1}), TypeId::kTime) == "23:59:59.999999");
  CHECK(Cast(Value::Time(60'000'000), TypeId::kInterval) == "00:01:00");
  CHECK(Cast(Value::Varchar("\\x41"), TypeId::kBlob) == "\\x41");
  CHECK(Cast(Value(), TypeId::kDate) == "NULL");
  CHECK(Cast(Value::Date(1), TypeId::kInteger) == "bad");
  CHECK(Cast(Value::Integer(1), TypeId::kDate) == "bad");
}

TEST_CASE("errors of casts name the value", "[type][cast]") {
  CHECK(ErrorOf(Value::Varchar("abc"), TypeId::kInteger) ==
        "22P02 invalid input syntax for type integer: \"abc\"");
  CHECK(ErrorOf(Value::Varchar("1.5"), TypeId::kInteger) ==
        "22P02 invalid input syntax for type integer: \"1.5\"");
  CHECK(ErrorOf(Value::Varchar("40000"), TypeId::kSmallInt) ==
        "22003 value \"40000\" is out of range for type smallint");
  CHECK(ErrorOf(Value::BigInt(3'000'000'000), TypeId::kInteger) == "22003 integer out of range: 3000000000");
  CHECK(ErrorOf(Value::Varchar("1e400"), TypeId::kDouble) ==
        "22003 \"1e400\" is out of range for type double precision");
  CHECK(ErrorOf(Value::Varchar("x"), TypeId::kDouble) ==
        "22P02 invalid input syntax for type double precision: \"x\"");
  CHECK(ErrorOf(Value::Varchar("123"), LogicalType::Decimal(3, 1)) ==
        "22003 numeric field overflow: \"123\" does not fit DECIMAL(3,1)");
  CHECK(ErrorOf(Value::Varchar("x"), LogicalType::Decimal(3, 1)) ==
        "22P02 invalid input syntax for type numeric: \"x\"");
  CHECK(ErrorOf(Value::Varchar("2024-02-30"), TypeId::kDate) ==
        "22008 date/time field value out of range: \"2024-02-30\"");
  CHECK(ErrorOf(Value::Varchar("soon"), TypeId::kDate) ==
        "22007 invalid input syntax for type date: \"soon\"");
  CHECK(ErrorOf(Value::Varchar("soon"), TypeId::kInterval) ==
        "22007 invalid input syntax for type interval: \"soon\"");
  CHECK(ErrorOf(Value::Varchar("maybe"), TypeId::kBoolean) ==
        "22P02 invalid input syntax for type boolean: \"maybe\"");
  CHECK(ErrorOf(Value::Date(1), TypeId::kInteger) == "42846 cannot cast type DATE to INTEGER");
  CHECK(ErrorOf(Value::Varchar(std::string(1000, 'x')), TypeId::kInteger).size() < 200);
}
