// Slots of lists and structs: what goes in comes out, and byte order is the order of values.
#include "type/packed_value.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"

namespace scaup {

namespace {

std::string ListOf(const LogicalType& type, const std::vector<Value>& values) {
  return Value::List(type, values).GetString();
}

void CheckRoundTrip(const LogicalType& type, const std::vector<Value>& values) {
  const Value list = Value::List(type, values);
  CHECK(list.GetElements() == values);
  CHECK(CountSlots(type, list.GetString()) == values.size());
  for (size_t i = 0; i < values.size(); i++) {
    const std::string_view slot = SliceSlots(type, list.GetString(), i, i + 1);
    CHECK(ReadValueSlot(type, slot) == values[i]);
  }
  CHECK(SliceSlots(type, list.GetString(), values.size(), values.size() + 1).empty());
}

}  // namespace

TEST_CASE("elements of every type come out of a list as they went in") {
  CheckRoundTrip(TypeId::kBoolean, {Value::Boolean(true), Value(TypeId::kBoolean), Value::Boolean(false)});
  CheckRoundTrip(TypeId::kTinyInt, {Value::TinyInt(-128), Value::TinyInt(127)});
  CheckRoundTrip(TypeId::kInteger, {Value::Integer(-5), Value(TypeId::kInteger), Value::Integer(INT32_MAX)});
  CheckRoundTrip(TypeId::kBigInt, {Value::BigInt(INT64_MIN), Value::BigInt(0)});
  CheckRoundTrip(TypeId::kHugeInt, {Value::HugeInt(-(int128_t{1} << 100)), Value::HugeInt(7)});
  CheckRoundTrip(LogicalType::Decimal(30, 2), {Value::Decimal(-12345, 30, 2), Value::Decimal(1, 30, 2)});
  CheckRoundTrip(TypeId::kReal, {Value::Real(-1.5F), Value::Real(3e30F)});
  CheckRoundTrip(TypeId::kDouble, {Value::Double(-1e300), Value::Double(0), Value::Double(2.5)});
  CheckRoundTrip(TypeId::kInterval, {Value::MakeInterval({1, -2, 3}), Value(TypeId::kInterval)});
  using namespace std::string_literals;
  CheckRoundTrip(TypeId::kVarchar, {Value::Varchar(""), Value(TypeId::kVarchar), Value::Varchar("a\0b\0"s),
                                    Value::Varchar(std::string(1000, 'x')), Value::Varchar("\0\xFF"s)});
  const LogicalType inner = LogicalType::List(TypeId::kVarchar);
  CheckRoundTrip(inner, {Value::List(TypeId::kVarchar, {}), Value(inner),
                         Value::List(TypeId::kVarchar, {Value::Varchar("a\0"s), Value(TypeId::kVarchar)})});
  const LogicalType row = LogicalType::Struct({{"a", TypeId::kInteger}, {"b", inner}});
  CheckRoundTrip(row, {Value::Struct(row, {Value::Integer(1), Value::List(TypeId::kVarchar, {})}), Value(row),
                       Value::Struct(row, {Value(TypeId::kInteger), Value(inner)})});
}

TEST_CASE("lists are ordered element by element, NULL last, then by length") {
  using namespace std::string_literals;
  const LogicalType text = TypeId::kVarchar;
  const std::vector<std::string> ascending = {
      ListOf(text, {}),
      ListOf(text, {Value::Varchar("")}),
      ListOf(text, {Value::Varchar(""), Value::Varchar("a")}),
      ListOf(text, {Value::Varchar("\0"s)}),
      ListOf(text, {Value::Varchar("a")}),
      ListOf(text, {Value::Varchar("a"), Value::Varchar("z")}),
      ListOf(text, {Value::Varchar("a"), Value(text)}),
      ListOf(text, {Value::Varchar("a\0"s)}),
      ListOf(text, {Value::Varchar("ab")}),
      ListOf(text, {Value(text)}),
  };
  for (size_t i = 1; i < ascending.size(); i++) CHECK(ascending[i - 1] < ascending[i]);
  const auto integers = [](int32_t a, int32_t b) {
    return ListOf(TypeId::kInteger, {Value::Integer(a), Value::Integer(b)});
  };
  CHECK(integers(-1, 5) < integers(0, -7));
  CHECK(integers(1, -1) < integers(1, 0));
}

TEST_CASE("zeros and NaNs in lists are one") {
  CHECK(ListOf(TypeId::kDouble, {Value::Double(-0.0)}) == ListOf(TypeId::kDouble, {Value::Double(0.0)}));
}

TEST_CASE("types of lists and structs") {
  const LogicalType row =
      LogicalType::Struct({{"a", TypeId::kInteger}, {"B", LogicalType::List(TypeId::kDate)}});
  CHECK(row.ToString() == "STRUCT(a INTEGER, \"B\" DATE[])");
  CHECK(row == LogicalType::Struct({{"a", TypeId::kInteger}, {"B", LogicalType::List(TypeId::kDate)}}));
  CHECK(!(row == LogicalType::Struct({{"a", TypeId::kInteger}, {"b", LogicalType::List(TypeId::kDate)}})));
  LogicalType copy = row;
  copy = copy.fields()[1].type;  // Part of what it lets go of.
  CHECK(copy == LogicalType::List(TypeId::kDate));
  LogicalType deep = TypeId::kInteger;
  for (size_t i = 0; i < LogicalType::kMaxNesting; i++) deep = LogicalType::List(deep);
  CHECK_THROWS_AS(LogicalType::List(deep), Error);
  CHECK_THROWS_AS(Value::List(TypeId::kInteger, {Value::BigInt(1)}), Error);
  CHECK_THROWS_AS(Value::Integer(1).GetElements(), Error);
}

TEST_CASE("maps are lists of entries with a type of their own, and their keys are checked") {
  const LogicalType map = LogicalType::Map(TypeId::kVarchar, TypeId::kInteger);
  CHECK(map != LogicalType::List(map.element()));
  CHECK(IsMap(map));
  CHECK_FALSE(IsMap(LogicalType::List(map.element())));
  CHECK(WithElement(map, map.element()) == map);
  const Value a = Value::Varchar("a"), b = Value::Varchar("b"), none(TypeId::kInteger);
  const Value value = MakeMap(map, {b, a}, {Value::Integer(1), none});
  CHECK(value.ToString() == "{b=1, a=NULL}");
  CHECK(value.GetElements().size() == 2);
  std::string_view bytes = value.GetString();
  const MapEntry entry = TakeMapEntry(map, bytes);
  CHECK(ReadValueSlot(TypeId::kVarchar, entry.key) == b);
  CHECK(ReadValueSlot(TypeId::kInteger, entry.value) == Value::Integer(1));
  CHECK(HasGoodKeys(map, value.GetString()));
  CHECK_THROWS_AS(MakeMap(map, {a, a}, {none, none}), Error);
  CHECK_THROWS_AS(MakeMap(map, {Value(TypeId::kVarchar)}, {none}), Error);
  CHECK_THROWS_AS(MakeMap(map, {a}, {}), Error);
  CHECK_THROWS_AS(MakeMap(LogicalType::List(map.element()), {a}, {none}), Error);
  const std::string twice = value.GetString() + value.GetString();
  CHECK_FALSE(HasGoodKeys(map, twice));
  CHECK_THROWS_AS(Value::FromBytes(map, twice), Error);
  std::string null_entry;
  AppendNullSlot(map.element(), null_entry);
  std::string_view key;
  CHECK(FindMapFault(map, null_entry, key) == MapFault::kNullEntry);
}

TEST_CASE("unions are structs of a tag and members, of which one may have a value") {
  const LogicalType type =
      UnionType({{"num", TypeId::kInteger}, {"str", TypeId::kVarchar}, {"day", TypeId::kDate}});
  CHECK(IsUnion(type));
  CHECK(type != LogicalType::Struct(type.fields()));
  CHECK(WithFields(type, type.fields()) == type);
  CHECK(type.ToString() == "UNION(num INTEGER, str VARCHAR, day DATE)");
  CHECK(UnionMembers(type).size() == 3);
  CHECK(FindMember(type, "day") == 2);
  CHECK_FALSE(FindMember(type, ""));
  const Value number = MakeUnion(type, 0, Value::Integer(7)), text = MakeUnion(type, 1, Value::Varchar("a"));
  CHECK(number.ToString() == "7");
  CHECK(text.ToString() == "a");
  CHECK(UnionTag(text) == 1);
  CHECK(UnionValue(text) == Value::Varchar("a"));
  CHECK(number.GetString() < text.GetString());
  const Value none = MakeUnion(type, 2, Value(TypeId::kDate));
  CHECK_FALSE(none.is_null());
  CHECK(UnionValue(none).is_null());
  CHECK(none.ToString() == "NULL");
  CHECK_THROWS_AS(MakeUnion(type, 3, Value(TypeId::kDate)), Error);
  CHECK_THROWS_AS(MakeUnion(type, 1, Value::Integer(7)), Error);
  CHECK_THROWS_AS(MakeUnion(TypeId::kInteger, 0, Value::Integer(7)), Error);
  CHECK_THROWS_AS(UnionTag(Value(type)), Error);
  CHECK_THROWS_AS(UnionValue(Value::Integer(7)), Error);

  const auto make = [&](Value tag, Value a, Value b) {
    std::string slots;
    AppendValueSlot(TypeId::kUTinyInt, tag, slots);
    AppendValueSlot(TypeId::kInteger, a, slots);
    AppendValueSlot(TypeId::kVarchar, b, slots);
    AppendNullSlot(TypeId::kDate, slots);
    return slots;
  };
  const auto tag = [](int number_of_member) {
    return Value::FromInteger(TypeId::kUTinyInt, number_of_member);
  };
  const Value no_number(TypeId::kInteger), no_text(TypeId::kVarchar), b = Value::Varchar("b");
  CHECK(IsGoodUnion(type, make(tag(1), no_number, b)));
  CHECK(IsGoodUnion(type, make(tag(2), no_number, no_text)));
  for (const std::string& bad : {make(tag(0), no_number, b), make(tag(3), no_number, no_text),
                                 make(Value(TypeId::kUTinyInt), no_number, no_text), std::string()}) {
    CHECK_FALSE(IsGoodUnion(type, bad));
    CHECK_THROWS_AS(Value::FromBytes(type, bad), Error);
  }
  std::vector<StructField> many;
  for (size_t i = 0; i <= LogicalType::kMaxMembers; i++)
    many.push_back({"m" + std::to_string(i), TypeId::kDate});
  CHECK_THROWS_AS(UnionType(many), Error);
  many.pop_back();
  CHECK(UnionTag(MakeUnion(UnionType(many), 126, Value(TypeId::kDate))) == 126);
}

}  // namespace scaup
