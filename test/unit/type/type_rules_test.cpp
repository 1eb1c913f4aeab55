// Type names, layout, implicit casts and common types.
#include "type/type_rules.hpp"

#include <catch2/catch.hpp>

#include "type/physical_type.hpp"

using namespace scaup;

namespace {

constexpr TypeId kLadder[] = {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt,
                              TypeId::kHugeInt, TypeId::kDecimal,  TypeId::kReal,    TypeId::kDouble};

LogicalType TypeOf(TypeId id) {
  return id == TypeId::kDecimal ? LogicalType::Decimal(18, 3) : LogicalType(id);
}

std::string Common(LogicalType a, LogicalType b) {
  const auto one = CommonType(a, b), other = CommonType(b, a);
  CHECK(one == other);
  return one ? one->ToString() : "none";
}

}  // namespace

TEST_CASE("numbers cast implicitly upward only", "[type][rules]") {
  for (size_t i = 0; i < std::size(kLadder); i++) {
    for (size_t j = 0; j < std::size(kLadder); j++) {
      const auto cost = ImplicitCastCost(TypeOf(kLadder[i]), TypeOf(kLadder[j]));
      CHECK(cost.has_value() == (i <= j));
      if (i == j) CHECK(cost == 0);
      if (i < j && j + 1 < std::size(kLadder))
        CHECK(*cost < *ImplicitCastCost(TypeOf(kLadder[i]), TypeOf(kLadder[j + 1])));
    }
  }
}

TEST_CASE("integers with and without a sign meet in a type that holds both", "[type][rules]") {
  constexpr TypeId kIntegers[] = {TypeId::kTinyInt,   TypeId::kSmallInt, TypeId::kInteger,
                                  TypeId::kBigInt,    TypeId::kHugeInt,  TypeId::kUTinyInt,
                                  TypeId::kUSmallInt, TypeId::kUInteger, TypeId::kUBigInt};
  const auto bits = [](TypeId id) {
    return static_cast<int>(8 * PhysicalSize(id)) - (IsUnsigned(id) ? 0 : 1);
  };
  const auto holds = [&](TypeId a, TypeId b) {
    return bits(a) >= bits(b) && (!IsUnsigned(a) || IsUnsigned(b));
  };
  for (const TypeId a : kIntegers) {
    CHECK(ImplicitCastCost(a, TypeId::kDouble));
    CHECK(ImplicitCastCost(a, DecimalForInteger(a)));
    for (const TypeId b : kIntegers) {
      CHECK(ImplicitCastCost(a, b).has_value() == holds(b, a));
      const auto common = CommonType(a, b);
      REQUIRE(common);
      CHECK(common == CommonType(b, a));
      CHECK(holds(common->id(), a));
      CHECK(holds(common->id(), b));
      for (const TypeId smaller : kIntegers) {
        if (holds(smaller, a) && holds(smaller, b)) CHECK(bits(smaller) >= bits(common->id()));
      }
    }
  }
  CHECK(Common(TypeId::kUTinyInt, TypeId::kSmallInt) == "SMALLINT");
  CHECK(Common(TypeId::kUBigInt, TypeId::kBigInt) == "HUGEINT");
  CHECK(Common(TypeId::kUSmallInt, TypeId::kReal) == "REAL");
  CHECK(Common(TypeId::kUInteger, TypeId::kReal) == "DOUBLE");
  CHECK(Common(TypeId::kUBigInt, LogicalType::Decimal(5, 2)) == "DECIMAL(22,2)");
}

TEST_CASE("NUMERIC stands between exact and floating-point numbers", "[type][rules]") {
  for (const TypeId id : kLadder) {
    const bool is_exact = id <= TypeId::kHugeInt || id == TypeId::kDecimal;
    CHECK(ImplicitCastCost(TypeOf(id), TypeId::kNumeric).has_value() == is_exact);
    CHECK(ImplicitCastCost(TypeId::kNumeric, TypeOf(id)).has_value() == !is_exact);
    CHECK(Common(TypeOf(id), TypeId::kNumeric) == (is_exact ? "NUMERIC" : "DOUBLE"));
    // Other numbers prefer functions of DOUBLE.
    if (is_exact)
      CHECK(*ImplicitCastCost(TypeOf(id), TypeId::kNumeric) > *ImplicitCastCost(TypeOf(id), TypeId::kDouble));
  }
  CHECK(ImplicitCastCost(TypeId::kNumeric, TypeId::kNumeric) == 0);
}

TEST_CASE("little else is implicit", "[type][rules]") {
  CHECK(ImplicitCastCost(TypeId::kDate, TypeId::kTimestamp));
  CHECK_FALSE(ImplicitCastCost(TypeId::kTimestamp, TypeId::kDate));
  CHECK_FALSE(ImplicitCastCost(TypeId::kInteger, TypeId::kVarchar));
  CHECK_FALSE(ImplicitCastCost(TypeId::kVarchar, TypeId::kInteger));
  CHECK_FALSE(ImplicitCastCost(TypeId::kBoolean, TypeId::kInteger));
  CHECK_FALSE(ImplicitCastCost(TypeId::kVarchar, TypeId::kBlob));
  for (const TypeId id : {TypeId::kBoolean, TypeId::kInterval, TypeId::kVarchar, TypeId::kDouble}) {
    CHECK(ImplicitCastCost(TypeId::kNull, id));
    CHECK_FALSE(ImplicitCastCost(id, TypeId::kNull));
  }
}

TEST_CASE("common types", "[type][rules]") {
  CHECK(Common(TypeId::kInteger, TypeId::kBigInt) == "BIGINT");
  CHECK(Common(TypeId::kNull, TypeId::kDate) == "DATE");
  CHECK(Common(TypeId::kNull, TypeId::kNull) == "NULL");
  CHECK(Common(LogicalType::Decimal(10, 2), LogicalType::Decimal(6, 4)) == "DECIMAL(12,4)");
  CHECK(Common(LogicalType::Decimal(38, 2), LogicalType::Decimal(20, 10)) == "DECIMAL(38,10)");
  CHECK(Common(TypeId::kInteger, LogicalType::Decimal(5, 2)) == "DECIMAL(12,2)");
  CHECK(Common(TypeId::kSmallInt, LogicalType::Decimal(15, 2)) == "DECIMAL(15,2)");
  CHECK(Common(LogicalType::Decimal(5, 2), TypeId::kReal) == "DOUBLE");
  CHECK(Common(LogicalType::Decimal(5, 2), TypeId::kDouble) == "DOUBLE");
  CHECK(Common(TypeId::kSmallInt, TypeId::kReal) == "REAL");
  CHECK(Common(TypeId::kInteger, TypeId::kReal) == "DOUBLE");
  CHECK(Common(TypeId::kReal, TypeId::kDouble) == "DOUBLE");
  CHECK(Common(TypeId::kDate, TypeId::kTimestamp) == "TIMESTAMP");
  CHECK(Common(TypeId::kVarchar, TypeId::kInteger) == "none");
  CHECK(Common(TypeId::kBoolean, TypeId::kInteger) == "none");
}

TEST_CASE("type names", "[type][rules]") {
  const std::pair<const char*, const char*> names[] = {{"int", "INTEGER"},
                                                       {"int2", "SMALLINT"},
                                                       {"int4", "INTEGER"},
                                                       {"int8", "BIGINT"},
                                                       {"int1", "TINYINT"},
                                                       {"tinyint", "TINYINT"},
                                                       {"hugeint", "HUGEINT"},
                                                       {"int128", "HUGEINT"},
                                                       {"float4", "REAL"},
                                                       {"float8", "DOUBLE"},
                                                       {"double precision", "DOUBLE"},
                                                       {"double", "DOUBLE"},
                                                       {"float", "DOUBLE"},
                                                       {"numeric", "NUMERIC"},
                                                       {"dec", "NUMERIC"},
                                                       {"bool", "BOOLEAN"},
                                                       {"text", "VARCHAR"},
                                                       {"character varying", "VARCHAR"},
                                                       {"bpchar", "VARCHAR"},
                                                       {"string", "VARCHAR"},
                                                       {"bytea", "BLOB"},
                                                       {"blob", "BLOB"},
                                                       {"timestamp", "TIMESTAMP"},
                                                       {"interval", "INTERVAL"},
                                                       {"date", "DATE"},
                                                       {"time", "TIME"},
                                                       {"real", "REAL"},
                                                       {"varchar", "VARCHAR"}};
  for (const auto& [name, expected] : names) {
    INFO(name);
    const auto type = TypeFromName(name);
    REQUIRE(type);
    CHECK(type->ToString() == expected);
  }
  CHECK_FALSE(TypeFromName("nosuchtype"));
  CHECK_FALSE(TypeFromName(""));
}

TEST_CASE("persisted numbers of types and physical types", "[type][rules]") {
  const TypeId ids[] = {TypeId::kNull,    TypeId::kBoolean, TypeId::kTinyInt,   TypeId::kSmallInt,
                        TypeId::kInteger, TypeId::kBigInt,  TypeId::kHugeInt,   TypeId::kReal,
                        TypeId::kDouble,  TypeId::kDecimal, TypeId::kVarchar,   TypeId::kBlob,
                        TypeId::kDate,    TypeId::kTime,    TypeId::kTimestamp, TypeId::kInterval};
  for (size_t i = 0; i < std::size(ids); i++) CHECK(static_cast<size_t>(ids[i]) == i);
  CHECK(PhysicalSize(LogicalType(TypeId::kBoolean)) == 1);
  CHECK(PhysicalSize(LogicalType(TypeId::kNull)) == 1);
  CHECK(PhysicalSize(LogicalType(TypeId::kVarchar)) == 16);
  CHECK(PhysicalSize(LogicalType(TypeId::kInterval)) == 16);
  const std::pair<uint8_t, size_t> widths[] = {{1, 2},  {4, 2},  {5, 4},   {9, 4},
                                               {10, 8}, {18, 8}, {19, 16}, {38, 16}};
  for (const auto& [width, size] : widths) CHECK(PhysicalSize(LogicalType::Decimal(width, 0)) == size);
  CHECK(PhysicalTypeOf(TypeId::kDate) == PhysicalType::kInt32);
  CHECK(PhysicalTypeOf(TypeId::kTimestamp) == PhysicalType::kInt64);
}

TEST_CASE("values become the member of a union that fits best, and unions those with all members", "[type]") {
  const LogicalType type = UnionType({{"a", TypeId::kReal}, {"b", TypeId::kDouble}, {"c", TypeId::kVarchar}});
  CHECK(ChooseMember(TypeId::kReal, type).member == 0);
  CHECK(ChooseMember(TypeId::kSmallInt, type).member == 0);
  CHECK(ChooseMember(TypeId::kInteger, type).member == 1);  // keeps all digits
  CHECK(ChooseMember(TypeId::kVarchar, type).member == 2);
  CHECK_FALSE(ChooseMember(TypeId::kDate, type).member);
  const LogicalType twice = UnionType({{"a", TypeId::kDate}, {"b", TypeId::kDate}});
  CHECK(ChooseMember(TypeId::kDate, twice).is_ambiguous);
  CHECK_FALSE(ImplicitCastCost(TypeId::kDate, twice));
  CHECK(ImplicitCastCost(TypeId::kInteger, type));
  CHECK_FALSE(ImplicitCastCost(type, TypeId::kVarchar));
  CHECK(CommonType(TypeId::kInteger, type) == type);
  CHECK_FALSE(CommonType(TypeId::kDate, type));
  const LogicalType less = UnionType({{"c", TypeId::kVarchar}, {"a", TypeId::kSmallInt}});
  CHECK(HasMembersOf(type, less));
  CHECK_FALSE(HasMembersOf(less, type));
  CHECK(CommonType(less, type) == type);
  CHECK(CommonType(type, less) == type);
  CHECK_FALSE(CommonType(less, UnionType({{"d", TypeId::kDate}})));
  CHECK_FALSE(ImplicitCastCost(LogicalType::Struct(type.fields()), type));
  CHECK(IsUnionInFile(LogicalType::Struct(type.fields()), type));
  CHECK_FALSE(IsUnionInFile(LogicalType::Struct({{"t", TypeId::kInteger}, {"a", TypeId::kReal}}), type));
  CHECK_FALSE(IsUnionInFile(type, type));
}

TEST_CASE("maps become maps of wider types, but no lists", "[type]") {
  const LogicalType narrow = LogicalType::Map(TypeId::kInteger, TypeId::kDate);
  const LogicalType wide = LogicalType::Map(TypeId::kBigInt, TypeId::kTimestamp);
  CHECK(ImplicitCastCost(narrow, wide));
  CHECK_FALSE(ImplicitCastCost(wide, narrow));
  CHECK_FALSE(ImplicitCastCost(narrow, LogicalType::List(narrow.element())));
  CHECK(CommonType(narrow, wide) == wide);
  CHECK(CommonType(LogicalType::Map(TypeId::kNull, TypeId::kNull), narrow) == narrow);
  CHECK_FALSE(CommonType(narrow, LogicalType::List(narrow.element())));
}
