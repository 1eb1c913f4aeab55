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
