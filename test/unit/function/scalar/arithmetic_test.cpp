// + - * / %: results, overflow, decimal types, ranges and narrowing.
#include "function/scalar/operators/arithmetic.hpp"

#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"
#include "scaup/error.hpp"
#include "type/number/int128.hpp"
#include "type/physical_type.hpp"
#include "type/type_name.hpp"

namespace scaup {
using namespace test;

namespace {

Value D(std::string_view text, uint8_t width, uint8_t scale) {
  return Make(LogicalType::Decimal(width, scale), text);
}

}  // namespace

TEST_CASE("integer operators") {
  CHECK(Text("+", {I(2), I(3)}) == "5");
  CHECK(Text("-", {I(2), L(3)}) == "-1");
  CHECK(Text("*", {L(-4), L(3000000000)}) == "-12000000000");
  CHECK(Text("/", {I(-7), I(2)}) == "-3");
  CHECK(Text("%", {I(-7), I(3)}) == "-1");
  CHECK(Text("-", {I(5)}) == "-5");
  CHECK(Text("mod", {L(7), I(4)}) == "3");
  CHECK(Text("+", {Null(TypeId::kInteger), I(3)}) == "NULL");
  CHECK(Resolve("+", {TypeId::kInteger, TypeId::kBigInt}).function.return_type == TypeId::kBigInt);
  CHECK(Text("*", {Value::HugeInt(int128_t{1} << 100), Value::HugeInt(8)}) == ToString(int128_t{1} << 103));
}

TEST_CASE("overflow and division by zero are errors") {
  CHECK(ErrorOf("+", {I(INT32_MAX), I(1)}) == "22003: integer out of range");
  CHECK(ErrorOf("-", {L(INT64_MIN), L(1)}) == "22003: bigint out of range");
  CHECK(ErrorOf("*", {L(INT64_MAX), L(2)}) == "22003: bigint out of range");
  CHECK(ErrorOf("-", {I(INT32_MIN)}) == "22003: integer out of range");
  CHECK(ErrorOf("/", {I(INT32_MIN), I(-1)}) == "22003: integer out of range");
  CHECK(Text("%", {I(INT32_MIN), I(-1)}) == "0");
  CHECK(ErrorOf("/", {I(1), I(0)}) == "22012: division by zero");
  CHECK(ErrorOf("%", {L(1), L(0)}) == "22012: division by zero");
  CHECK(ErrorOf("/", {F(1), F(0)}) == "22012: division by zero");
  CHECK(ErrorOf("*", {F(1e200), F(1e200)}) == "22003: value out of range: overflow");
  CHECK(ErrorOf("*", {F(1e-200), F(1e-200)}) == "22003: value out of range: underflow");
  CHECK(Text("*", {F(INFINITY), F(2)}) == "Infinity");
  CHECK(ErrorOf("+", {Value::HugeInt(kInt128Max), Value::HugeInt(1)}) == "22003: hugeint out of range");
}

TEST_CASE("unsigned integers compute like numbers of 128 bits, or leave their range") {
  for (const TypeId id : {TypeId::kUTinyInt, TypeId::kUSmallInt, TypeId::kUInteger, TypeId::kUBigInt}) {
    const size_t bits = 8 * PhysicalSize(id);
    const int128_t end = int128_t{1} << bits, half = end / 2, root = int128_t{1} << (bits / 2);
    const std::string beyond = "22003: " + PostgresTypeName(id) + " out of range";
    const auto check = [&](const char* name, int128_t a, int128_t b, int128_t right) {
      INFO(name << " of " << ToString(a) << " and " << ToString(b));
      const std::vector<Value> arguments = {Value::FromInteger(id, a), Value::FromInteger(id, b)};
      if (right < 0 || right >= end) {
        CHECK(ErrorOf(name, arguments) == beyond);
      } else {
        CHECK(Call(name, arguments) == Value::FromInteger(id, right));
      }
    };
    const int128_t values[] = {0,        1,        2,    7,        root - 1, root,
                               root + 1, half - 1, half, half + 1, end - 2,  end - 1};
    for (const int128_t a : values) {
      for (const int128_t b : values) {
        check("+", a, b, a + b);
        check("-", a, b, a - b);
        // Products of 64-bit numbers do not all fit 128 bits with a sign; those end beyond the range, too.
        check("*", a, b, a != 0 && b > end / a ? end : a * b);
        check("&", a, b, a & b);
        check("#", a, b, a ^ b);
        if (b == 0) {
          CHECK(ErrorOf("/", {Value::FromInteger(id, a), Value::FromInteger(id, b)}) ==
                "22012: division by zero");
          continue;
        }
        check("/", a, b, a / b);
        check("%", a, b, a % b);
      }
      CHECK(Call("~", {Value::FromInteger(id, a)}) == Value::FromInteger(id, end - 1 - a));
      CHECK(Call(">>", {Value::FromInteger(id, a), I(3)}) == Value::FromInteger(id, a / 8));
      if (a != 0) CHECK(ErrorOf("-", {Value::FromInteger(id, a)}) == beyond);
    }
  }
}

TEST_CASE("what lies under a NULL does not overflow") {
  const ResolvedScalar resolved = Resolve("*", {TypeId::kInteger, TypeId::kInteger});
  FunctionServices services;
  DataChunk chunk({TypeId::kInteger, TypeId::kInteger});
  chunk.ResetForWriting();
  for (size_t column = 0; column < 2; column++) {
    for (size_t row = 0; row < 2; row++)
      chunk.column(column).MutableData<int32_t>()[row] = row == 0 ? 1000000 : 3;
    chunk.column(column).SetNull(0);
  }
  chunk.SetSize(2);
  Vector result(TypeId::kInteger);
  result.Reset();
  resolved.function.kernel({services.context(), nullptr, resolved.function.return_type}, chunk, result);
  CHECK(result.GetValue(0).is_null());
  CHECK(result.GetValue(1).ToString() == "9");
}

TEST_CASE("decimal types") {
  // Constants have their declared types, not those of their digits.
  CHECK(Call("+", {D("1.25", 15, 2), D("2.5", 4, 1)}) == Value::Decimal(375, 16, 2));
  CHECK(Text("+", {D("1.25", 15, 2), D("2.5", 4, 1)}) == "3.75");
  CHECK(Text("-", {I(1), D("0.04", 15, 2)}) == "0.96");
  CHECK(Text("*", {D("10.50", 15, 2), D("0.96", 15, 2)}) == "10.0800");
  CHECK(Text("%", {D("7.5", 4, 1), I(2)}) == "1.5");
  CHECK(Text("/", {D("1.00", 4, 2), I(8)}) == "0.125");
  CHECK(Text("div", {D("7.5", 4, 1), I(2)}) == "3");
  CHECK(Text("-", {D("7.5", 4, 1)}) == "-7.5");
  const LogicalType price = LogicalType::Decimal(15, 2);
  CHECK(Resolve("+", {price, price}).function.return_type == LogicalType::Decimal(16, 2));
  CHECK(Resolve("*", {price, price}).function.return_type == LogicalType::Decimal(30, 4));
  CHECK_FALSE(Resolve("*", {price, price}).function.can_fail);
  CHECK(Resolve("/", {price, price}).function.return_type == TypeId::kDouble);
  CHECK(Resolve("+", {price, TypeId::kInteger}).function.return_type == LogicalType::Decimal(16, 2));
  const LogicalType wide = LogicalType::Decimal(38, 2);
  CHECK(Resolve("+", {wide, wide}).function.can_fail);
  const std::string nines(36, '9');
  CHECK(ErrorOf("+", {Make(wide, nines), Make(wide, nines)}).substr(0, 5) == "22003");
  const LogicalType fine = LogicalType::Decimal(38, 20);
  CHECK(Resolve("*", {fine, fine}).function.return_type == TypeId::kNumeric);
}

TEST_CASE("a constant counts with its own digits") {
  const Value one = I(1);
  const BindArgument arguments[] = {{TypeId::kInteger, &one}, {LogicalType::Decimal(15, 2), nullptr}};
  const auto resolved = ResolveScalar(FunctionRegistry::Builtin(), "-", arguments);
  CHECK(resolved.function.return_type == LogicalType::Decimal(16, 2));
  CHECK(DecimalOfArgument(arguments[0]) == LogicalType::Decimal(1, 0));
}

TEST_CASE("ranges of results") {
  const auto range_of = [](const char* name, ValueRange a, ValueRange b) {
    const auto resolved = Resolve(name, {TypeId::kBigInt, TypeId::kBigInt});
    const std::vector<std::optional<ValueRange>> ranges = {a, b};
    return *resolved.function.range(ranges, resolved.function.argument_types, resolved.function.return_type);
  };
  const ValueRange product = range_of("*", {-3, 2, false}, {-5, 7, true});
  CHECK((product.minimum == -21 && product.maximum == 15 && product.may_be_null));
  const ValueRange difference = range_of("-", {1, 2, false}, {10, 20, false});
  CHECK((difference.minimum == -19 && difference.maximum == -8 && !difference.may_be_null));
}

TEST_CASE("retargeted kernels give the same results in narrower types") {
  const LogicalType price = LogicalType::Decimal(15, 2);
  ResolvedScalar resolved = Resolve("*", {price, price});
  ScalarFunction& function = resolved.function;
  RetargetArithmetic(function, LogicalType::Decimal(18, 4), {price, price});
  CHECK(function.return_type == LogicalType::Decimal(18, 4));
  CHECK(function.argument_types == std::vector<LogicalType>{price, price});
  CHECK_FALSE(function.can_fail);
  FunctionServices services;
  DataChunk chunk({price, price});
  chunk.ResetForWriting();
  for (int row = 0; row < 100; row++) {
    chunk.column(0).MutableData<int64_t>()[row] = row * 100 - 50;
    chunk.column(1).MutableData<int64_t>()[row] = 7 * row;
  }
  chunk.SetSize(100);
  Vector result(function.return_type);
  result.Reset();
  function.kernel({services.context(), nullptr, function.return_type}, chunk, result);
  for (int row = 0; row < 100; row++)
    REQUIRE(result.Data<int64_t>()[row] == int64_t{row * 100 - 50} * 7 * row);

  ResolvedScalar sum = Resolve("+", {LogicalType::Decimal(18, 2), LogicalType::Decimal(18, 2)});
  CHECK(PhysicalTypeOf(sum.function.return_type) == PhysicalType::kInt128);
  RetargetArithmetic(sum.function, LogicalType::Decimal(18, 2),
                     {LogicalType::Decimal(18, 2), LogicalType::Decimal(18, 2)});
  CHECK(sum.function.return_type == LogicalType::Decimal(18, 2));
  // Not narrower than an argument.
  RetargetArithmetic(sum.function, LogicalType::Decimal(4, 2),
                     {LogicalType::Decimal(9, 2), LogicalType::Decimal(4, 2)});
  CHECK(PhysicalTypeOf(sum.function.return_type) == PhysicalType::kInt32);
}

TEST_CASE("bit operators") {
  CHECK(Text("&", {I(91), I(15)}) == "11");
  CHECK(Text("|", {I(32), I(3)}) == "35");
  CHECK(Text("#", {I(17), I(5)}) == "20");
  CHECK(Text("~", {I(1)}) == "-2");
  CHECK(Text("<<", {I(1), I(4)}) == "16");
  CHECK(Text(">>", {L(-8), I(2)}) == "-2");
}

}  // namespace scaup
