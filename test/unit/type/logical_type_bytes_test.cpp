// Types to bytes and back, and bytes that are no type.
#include "type/logical_type_bytes.hpp"

#include <catch2/catch.hpp>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"

using namespace scaup;

TEST_CASE("all three bytes either are a type or are refused", "[type]") {
  int type_count = 0;
  for (int number = 0; number < 256; number++) {
    for (int width = 0; width < 41; width++) {
      for (int scale = 0; scale < 41; scale++) {
        ByteWriter writer;
        writer.WriteU8(static_cast<uint8_t>(number));
        writer.WriteU8(static_cast<uint8_t>(width));
        writer.WriteU8(static_cast<uint8_t>(scale));
        ByteReader reader(writer.bytes(), "x");
        const bool is_plain = number < 20 || (number >= 23 && number <= 29);
        const bool is_type =
            number == 9 ? width >= 1 && width <= 38 && scale <= width : is_plain && width + scale == 0;
        if (!is_type && (number > 20 && width > 2)) continue;
        try {
          const LogicalType type = ReadLogicalType(reader);
          REQUIRE(is_type);
          ByteWriter again;
          WriteLogicalType(again, type);
          REQUIRE(std::equal(again.bytes().begin(), again.bytes().end(), writer.bytes().begin()));
          type_count++;
        } catch (const Error& error) {
          REQUIRE_FALSE(is_type);
          REQUIRE(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
        }
      }
    }
  }
  CHECK(type_count == 26 + 38 * 41 / 2);
}

TEST_CASE("types of enums come back from bytes", "[type]") {
  const LogicalType mood = LogicalType::Enum("s.\"Mood\"", {"sad", "", "ok"});
  const LogicalType type = LogicalType::Struct({{"m", LogicalType::List(mood)}, {"n", TypeId::kInteger}});
  ByteWriter writer;
  WriteLogicalType(writer, type);
  ByteReader reader(writer.bytes(), "x");
  CHECK(ReadLogicalType(reader) == type);
  for (size_t size = 0; size < writer.bytes().size(); size++) {
    ByteReader cut(writer.bytes().first(size), "x");
    CHECK_THROWS_AS(ReadLogicalType(cut), Error);
  }
  // More labels than an enum can have.
  ByteWriter many;
  for (const uint8_t byte : {22, 0, 0}) many.WriteU8(byte);
  many.WriteString("mood");
  many.WriteU32(1 << 20);
  ByteReader endless(many.bytes(), "x");
  CHECK_THROWS_AS(ReadLogicalType(endless), Error);
}

TEST_CASE("types of lists and structs come back from bytes", "[type]") {
  const LogicalType row = LogicalType::Struct(
      {{"a", LogicalType::Decimal(5, 2)}, {"b c", LogicalType::List(LogicalType::List(TypeId::kVarchar))}});
  ByteWriter writer;
  WriteLogicalType(writer, LogicalType::List(row));
  ByteReader reader(writer.bytes(), "x");
  CHECK(ReadLogicalType(reader) == LogicalType::List(row));
  // Cut anywhere they are refused.
  for (size_t size = 0; size < writer.bytes().size(); size++) {
    ByteReader cut(writer.bytes().first(size), "x");
    CHECK_THROWS_AS(ReadLogicalType(cut), Error);
  }
  // So are lists without end.
  ByteWriter endless;
  for (int i = 0; i < 100; i++) {
    endless.WriteU8(20);
    endless.WriteU8(0);
    endless.WriteU8(0);
  }
  ByteReader deep(endless.bytes(), "x");
  CHECK_THROWS_AS(ReadLogicalType(deep), Error);
}

TEST_CASE("types of unions come back from bytes, and unions without a tag are refused", "[type]") {
  const LogicalType type =
      UnionType({{"a", TypeId::kVarchar}, {"b", UnionType({{"c", LogicalType::Decimal(9, 2)}})}});
  ByteWriter writer;
  WriteLogicalType(writer, LogicalType::List(type));
  ByteReader reader(writer.bytes(), "x");
  const LogicalType read = ReadLogicalType(reader);
  CHECK(read == LogicalType::List(type));
  CHECK(IsUnion(read.element()));
  CHECK(read.ToString() == "UNION(a VARCHAR, b UNION(c DECIMAL(9,2)))[]");
  for (size_t size = 0; size < writer.bytes().size(); size++) {
    ByteReader cut(writer.bytes().first(size), "x");
    CHECK_THROWS_AS(ReadLogicalType(cut), Error);
  }
  const auto refuse = [](const std::vector<StructField>& fields) {
    ByteWriter of_fields;
    for (const uint8_t byte : {21, 1, 0}) of_fields.WriteU8(byte);
    of_fields.WriteU32(static_cast<uint32_t>(fields.size()));
    for (const StructField& field : fields) {
      of_fields.WriteString(field.name);
      WriteLogicalType(of_fields, field.type);
    }
    ByteReader bad(of_fields.bytes(), "x");
    CHECK_THROWS_AS(ReadLogicalType(bad), Error);
  };
  refuse({{"", TypeId::kUTinyInt}});
  refuse({{"a", TypeId::kUTinyInt}, {"b", TypeId::kDate}});
  refuse({{"", TypeId::kInteger}, {"b", TypeId::kDate}});
}

TEST_CASE("types of maps come back from bytes, and maps of no pairs are refused", "[type]") {
  const LogicalType map =
      LogicalType::Map(TypeId::kVarchar, LogicalType::Map(TypeId::kDate, TypeId::kInteger));
  ByteWriter writer;
  WriteLogicalType(writer, LogicalType::List(map));
  ByteReader reader(writer.bytes(), "x");
  const LogicalType read = ReadLogicalType(reader);
  CHECK(read == LogicalType::List(map));
  CHECK(IsMap(read.element()));
  CHECK(read.ToString() == "MAP(VARCHAR, MAP(DATE, INTEGER))[]");
  for (size_t size = 0; size < writer.bytes().size(); size++) {
    ByteReader cut(writer.bytes().first(size), "x");
    CHECK_THROWS_AS(ReadLogicalType(cut), Error);
  }
  ByteWriter of_numbers;
  for (const uint8_t byte : {20, 1, 0, 4, 0, 0}) of_numbers.WriteU8(byte);
  ByteReader no_pairs(of_numbers.bytes(), "x");
  CHECK_THROWS_AS(ReadLogicalType(no_pairs), Error);
}

TEST_CASE("types of ranges come back from bytes, and those between other bounds are refused", "[type]") {
  for (const TypeId bound : {TypeId::kInteger, TypeId::kBigInt, TypeId::kNumeric, TypeId::kDate,
                             TypeId::kTimestamp, TypeId::kTimestampTz}) {
    for (const LogicalType& type : {RangeType(bound), MultirangeType(bound)}) {
      ByteWriter writer;
      WriteLogicalType(writer, LogicalType::List(type));
      ByteReader reader(writer.bytes(), "x");
      CHECK(ReadLogicalType(reader) == LogicalType::List(type));
      for (size_t size = 0; size < writer.bytes().size(); size++) {
        ByteReader cut(writer.bytes().first(size), "x");
        CHECK_THROWS_AS(ReadLogicalType(cut), Error);
      }
    }
  }
  CHECK(RangeType(TypeId::kInteger) != RangeType(TypeId::kBigInt));
  CHECK(RangeType(TypeId::kInteger) != MultirangeType(TypeId::kInteger));
  CHECK(RangeType(TypeId::kDate).ToString() == "DATERANGE");
  for (const TypeId bound : {TypeId::kNull, TypeId::kVarchar, TypeId::kDouble}) {
    ByteWriter writer;
    WriteLogicalType(writer, RangeType(bound));
    ByteReader reader(writer.bytes(), "x");
    CHECK_THROWS_AS(ReadLogicalType(reader), Error);
  }
}
