// Mathematical and conditional functions.
#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"
#include "scaup/error.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
using namespace test;

namespace {

Value D(std::string_view text, uint8_t width, uint8_t scale) {
  return Make(LogicalType::Decimal(width, scale), text);
}

}  // namespace

TEST_CASE("signs and rounding") {
  CHECK(Text("abs", {I(-3)}) == "3");
  CHECK(Text("abs", {D("-3.50", 5, 2)}) == "3.50");
  CHECK(ErrorOf("abs", {I(INT32_MIN)}) == "22003: integer out of range");
  CHECK(Text("sign", {F(-2.5)}) == "-1");
  CHECK(Text("sign", {D("2.5", 3, 1)}) == "1");
  CHECK(Text("round", {F(2.5)}) == "2");
  CHECK(Text("round", {D("2.5", 3, 1)}) == "3");
  CHECK(Text("round", {D("-2.5", 3, 1)}) == "-3");
  CHECK(Text("round", {D("2.345", 5, 3), I(2)}) == "2.35");
  CHECK(Text("round", {D("99.99", 4, 2), I(1)}) == "100.0");
  CHECK(Text("round", {D("1250", 4, 0), I(-2)}) == "1300");
  CHECK(Text("round", {F(2.345), I(1)}) == "2.3");
  CHECK(Text("trunc", {D("-2.79", 4, 2)}) == "-2");
  CHECK(Text("trunc", {D("2.349", 4, 3), I(2)}) == "2.34");
  CHECK(Text("ceil", {D("2.1", 4, 1)}) == "3");
  CHECK(Text("ceil", {D("-2.1", 4, 1)}) == "-2");
  CHECK(Text("floor", {D("-2.1", 4, 1)}) == "-3");
  CHECK(Text("floor", {F(2.9)}) == "2");
}

TEST_CASE("roots, logarithms, angles") {
  CHECK(Text("sqrt", {I(16)}) == "4");
  CHECK(ErrorOf("sqrt", {F(-1)}).substr(0, 5) == "2201F");
  CHECK(Text("cbrt", {F(27)}) == "3");
  CHECK(Text("power", {I(2), I(10)}) == "1024");
  CHECK(Text("^", {F(9), F(0.5)}) == "3");
  CHECK(ErrorOf("power", {F(0), F(-1)}).substr(0, 5) == "2201F");
  CHECK(ErrorOf("ln", {F(0)}) == "2201E: cannot take logarithm of zero");
  CHECK(Text("log", {F(1000)}) == "3");
  CHECK(Text("log", {F(2), F(8)}) == "3");
  CHECK(Text("log2", {F(8)}) == "3");
  CHECK(Text("exp", {F(0)}) == "1");
  CHECK(Text("pi", {}) == "3.141592653589793");
  CHECK(Text("degrees", {F(3.141592653589793)}) == "180");
  CHECK(Text("atan2", {F(0), F(1)}) == "0");
  CHECK(ErrorOf("asin", {F(2)}) == "22003: input is out of range");
  CHECK(Text("gcd", {I(12), I(-18)}) == "6");
  CHECK(Text("lcm", {L(4), L(6)}) == "12");
  CHECK(ErrorOf("gcd", {L(INT64_MIN), L(0)}) == "22003: bigint out of range");
}

TEST_CASE("greatest, least and the conditional functions") {
  CHECK(Text("greatest", {I(3), Null(TypeId::kInteger), L(7)}) == "7");
  CHECK(Text("least", {S("b"), S("a long text behind it")}) == "a long text behind it");
  CHECK(Text("greatest", {Null(TypeId::kInteger), Null(TypeId::kInteger)}) == "NULL");
  CHECK(Text("greatest", {F(1), F(NAN)}) == "NaN");
  CHECK(Text("coalesce", {Null(TypeId::kInteger), I(2)}) == "2");
  CHECK(Text("coalesce", {Null(TypeId::kVarchar), S("a text that is not inline")}) ==
        "a text that is not inline");
  CHECK(Text("coalesce", {Null(TypeId::kNull), Null(TypeId::kNull)}) == "NULL");
  CHECK(Text("ifnull", {Null(TypeId::kInteger), L(2)}) == "2");
  CHECK(Text("nullif", {I(3), I(3)}) == "NULL");
  CHECK(Text("nullif", {I(3), Null(TypeId::kInteger)}) == "3");
  CHECK(Text("if", {Value::Boolean(true), S("yes"), S("no")}) == "yes");
  CHECK(Text("if", {Null(TypeId::kBoolean), S("yes"), S("no")}) == "no");
  CHECK(Text("typeof", {I(1)}) == "INTEGER");
  CHECK(Text("pg_typeof", {F(1)}) == "double precision");
  CHECK_THROWS_AS(Resolve("coalesce", {TypeId::kInteger, TypeId::kDate}), Error);
}

TEST_CASE("coalesce fills rows from several columns") {
  const ResolvedScalar resolved = Resolve("coalesce", {TypeId::kInteger, TypeId::kInteger});
  FunctionServices services;
  DataChunk chunk({TypeId::kInteger, TypeId::kInteger});
  chunk.ResetForWriting();
  for (int row = 0; row < 4; row++) {
    for (int column = 0; column < 2; column++) {
      chunk.column(column).MutableData<int32_t>()[row] = column * 10 + row;
      if ((row >> column) & 1) chunk.column(column).SetNull(row);
    }
  }
  chunk.SetSize(4);
  Vector result(TypeId::kInteger);
  result.Reset();
  resolved.function.kernel({services.context(), nullptr, resolved.function.return_type}, chunk, result);
  CHECK(result.GetValue(0).ToString() == "0");
  CHECK(result.GetValue(1).ToString() == "11");
  CHECK(result.GetValue(2).ToString() == "2");
  CHECK(result.GetValue(3).is_null());
}

TEST_CASE("random differs from row to row and call to call") {
  const ResolvedScalar resolved = Resolve("random", {});
  CHECK(resolved.function.volatility == Volatility::kVolatile);
  FunctionServices services;
  DataChunk chunk;
  chunk.SetSize(1000);
  double previous_first = -1;
  for (int call = 0; call < 2; call++) {
    Vector result(TypeId::kDouble);
    result.Reset();
    resolved.function.kernel({services.context(), nullptr, resolved.function.return_type}, chunk, result);
    double sum = 0;
    for (size_t row = 0; row < 1000; row++) {
      const double value = result.Data<double>()[row];
      REQUIRE((value >= 0 && value < 1));
      sum += value;
    }
    CHECK(sum > 400);
    CHECK(sum < 600);
    CHECK(result.Data<double>()[0] != previous_first);
    previous_first = result.Data<double>()[0];
  }
}

}  // namespace scaup
