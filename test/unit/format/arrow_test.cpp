// Columns to Arrow arrays and back: every type, NULLs, offsets, the layouts that others choose, and arrays
// that are none.
#include <catch2/catch.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "format/arrow/arrow_bits.hpp"
#include "format/arrow/arrow_reader.hpp"
#include "format/arrow/arrow_schema.hpp"
#include "format/arrow/arrow_table.hpp"
#include "format/arrow/arrow_values.hpp"
#include "format/arrow/arrow_writer.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

const LogicalType kMood = LogicalType::Enum("mood", {"sad", "ok", "happy"});
const LogicalType kPoint = LogicalType::Struct({{"x", TypeId::kInteger}, {"s", TypeId::kVarchar}});

/// Values as a column of a result has them.
struct SourceColumn {
  SourceColumn(const LogicalType& type_in, const std::vector<Value>& values_in)
      : type(type_in), values(values_in), vector(type_in), nulls(values_in.size(), 0) {
    vector.Reset();
    std::memset(vector.MutableData<std::byte>(), 0, kVectorSize * PhysicalSize(type));
    for (size_t i = 0; i < values.size(); i++) {
      nulls[i] = values[i].is_null() ? 1 : 0;
      if (nulls[i] == 0) vector.SetValue(i, values[i]);
    }
  }
  ArrowSource Source() const {
    return {type, vector.Data<std::byte>(),
            std::count(nulls.begin(), nulls.end(), 1) == 0 ? nullptr : nulls.data()};
  }
  LogicalType type;
  std::vector<Value> values;
  Vector vector;
  std::vector<uint8_t> nulls;
};

template <typename T>
struct Released {
  ~Released() {
    if (each.release != nullptr) each.release(&each);
  }
  T each = {};
};

/// Rows [begin, end) of the column, through Arrow.
std::vector<Value> ThroughArrow(const SourceColumn& column, const ArrowLayout& layout, size_t begin,
                                size_t end) {
  MemoryTracker memory(64 << 20);
  Released<ArrowSchema> schema;
  const std::vector<std::string> names = {"c"};
  const std::vector<LogicalType> types = {column.type};
  ExportSchema(names, types, layout, &schema.each);
  const ArrowType type = ReadArrowSchema(schema.each);
  REQUIRE(type.kind == ArrowKind::kStruct);
  std::vector<Value> read;
  {
    Released<ArrowArray> array;
    ArrowWriter({column.Source()}, layout, memory, nullptr).Export(begin, end - begin, &array.each);
    CheckArrowArray(type, array.each);
    CHECK(array.each.length == static_cast<int64_t>(end - begin));
    Vector output(type.children[0].type);
    ReadArrowColumn(type.children[0], *array.each.children[0], 0, end - begin, nullptr, output);
    for (size_t i = 0; i < end - begin; i++) read.push_back(output.GetValue(i));
  }
  CHECK(memory.used_bytes() == 0);
  return read;
}

std::string TextOf(const Value& value) { return value.is_null() ? "NULL" : value.ToString(); }

void CheckRoundTrip(const LogicalType& type, const std::vector<Value>& values) {
  const SourceColumn column(type, values);
  for (const bool views : {false, true}) {
    for (const bool dictionaries : {false, true}) {
      ArrowLayout layout;
      layout.string_views = views;
      layout.dictionaries = dictionaries;
      for (size_t begin = 0; begin < values.size(); begin++) {
        const std::vector<Value> read = ThroughArrow(column, layout, begin, values.size());
        for (size_t i = 0; i < read.size(); i++) {
          CAPTURE(type.ToString(), views, dictionaries, begin, i);
          CHECK(TextOf(read[i]) == TextOf(values[begin + i]));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("values of every type come through Arrow as they were", "[format][arrow]") {
  const Value null;
  const std::string long_text = "a text of more than twelve bytes, with ünïcödé";
  CheckRoundTrip(TypeId::kBoolean, {Value::Boolean(true), Value::Boolean(false), null, Value::Boolean(true)});
  CheckRoundTrip(TypeId::kTinyInt, {Value::FromInteger(TypeId::kTinyInt, -128), null,
                                    Value::FromInteger(TypeId::kTinyInt, 127)});
  CheckRoundTrip(TypeId::kSmallInt, {Value::FromInteger(TypeId::kSmallInt, -32768), null});
  CheckRoundTrip(TypeId::kInteger, {Value::Integer(1), Value::Integer(-7), Value::Integer(INT32_MAX)});
  CheckRoundTrip(TypeId::kBigInt, {Value::BigInt(INT64_MIN), null, Value::BigInt(1577134800018164904)});
  CheckRoundTrip(TypeId::kHugeInt,
                 {Value::HugeInt(static_cast<int128_t>(INT64_MAX) * 1000), null, Value::HugeInt(-1)});
  CheckRoundTrip(TypeId::kReal, {Value::Real(0.5F), null, Value::Real(-1e30F)});
  CheckRoundTrip(TypeId::kDouble, {Value::Double(0.1), Value::Double(-1e300), null});
  for (const uint8_t width : {4, 9, 18, 38}) {
    CheckRoundTrip(LogicalType::Decimal(width, 2),
                   {Value::Decimal(-1234, width, 2), null, Value::Decimal(5, width, 2)});
  }
  CheckRoundTrip(TypeId::kVarchar,
                 {Value::Varchar(""), Value::Varchar("short"), Value::Varchar("exactly12byt"), null,
                  Value::Varchar(long_text), Value::Varchar(long_text + long_text)});
  CheckRoundTrip(TypeId::kBlob,
                 {Value::Blob(std::string("\0\xff", 2)), null, Value::Blob(std::string(100, '\0'))});
  CheckRoundTrip(TypeId::kDate, {Value::Date(0), Value::Date(-1), null});
  CheckRoundTrip(TypeId::kTime, {Value::Time(1), null});
  CheckRoundTrip(TypeId::kTimestamp, {Value::Timestamp(-1), null, Value::Timestamp(1'600'000'000'123'456)});
  CheckRoundTrip(TypeId::kTimestampTz, {Value::TimestampTz(1'600'000'000'123'456), null});
  CheckRoundTrip(TypeId::kInterval, {Value::MakeInterval({1, -2, 3}), null});
  CheckRoundTrip(TypeId::kUuid, {Value::Uuid(static_cast<uint128_t>(0xA0EEBC999C0B4EF8) << 64 | 17), null});
  CheckRoundTrip(TypeId::kJson, {Value::FromBytes(TypeId::kJson, R"({"a": [1, null]})"), null});
  CheckRoundTrip(kMood, {Value::FromInteger(kMood, 2), null, Value::FromInteger(kMood, 0)});
}

TEST_CASE("lists and structs come through Arrow at every depth", "[format][arrow]") {
  const Value null;
  const LogicalType lists = LogicalType::List(LogicalType::List(TypeId::kVarchar));
  const Value inner = Value::List(TypeId::kVarchar, {Value::Varchar("x"), Value(TypeId::kVarchar),
                                                     Value::Varchar("a longer text than twelve")});
  CheckRoundTrip(
      LogicalType::List(TypeId::kInteger),
      {Value::List(TypeId::kInteger, {Value::Integer(1), Value(TypeId::kInteger)}),
       Value::List(TypeId::kInteger, {}), null, Value::List(TypeId::kInteger, {Value::Integer(-5)})});
  CheckRoundTrip(
      lists,
      {Value::List(LogicalType::List(TypeId::kVarchar), {inner, Value::List(TypeId::kVarchar, {})}), null});
  const Value point = Value::Struct(kPoint, {Value::Integer(3), Value::Varchar("it's")});
  CheckRoundTrip(kPoint,
                 {point, null, Value::Struct(kPoint, {Value(TypeId::kInteger), Value(TypeId::kVarchar)})});
  CheckRoundTrip(LogicalType::List(kPoint), {Value::List(kPoint, {point, Value(kPoint)}), null});
  CheckRoundTrip(LogicalType::List(TypeId::kBoolean),
                 {Value::List(TypeId::kBoolean, std::vector<Value>(20, Value::Boolean(true))),
                  Value::List(TypeId::kBoolean, {Value::Boolean(false)})});
  CheckRoundTrip(LogicalType::List(LogicalType::Decimal(10, 3)),
                 {Value::List(LogicalType::Decimal(10, 3), {Value::Decimal(1500, 10, 3)}), null});
}

TEST_CASE("numbers are not copied", "[format][arrow]") {
  const SourceColumn column(TypeId::kBigInt, {Value::BigInt(1), Value::BigInt(2), Value::BigInt(3)});
  MemoryTracker memory(1 << 20);
  Released<ArrowArray> array;
  ArrowWriter({column.Source()}, {}, memory, nullptr).Export(1, 2, &array.each);
  const ArrowArray& child = *array.each.children[0];
  CHECK(child.buffers[1] == column.vector.Data<int64_t>() + 1);
  CHECK(child.buffers[0] == nullptr);
  CHECK(child.null_count == 0);
}

TEST_CASE("integers of more than 38 digits have no place in Arrow", "[format][arrow]") {
  const SourceColumn column(TypeId::kHugeInt,
                            {Value::HugeInt(static_cast<int128_t>(~static_cast<uint128_t>(0) >> 1))});
  MemoryTracker memory(1 << 20);
  Released<ArrowArray> array;
  CHECK_THROWS_AS(ArrowWriter({column.Source()}, {}, memory, nullptr).Export(0, 1, &array.each), Error);
  CHECK(memory.used_bytes() == 0);
}

namespace {

/// An array made by hand.
struct HandMade {
  explicit HandMade(const char* format) {
    schema.format = format;
    schema.name = "c";
  }
  std::vector<std::string> Read(size_t begin, size_t count) {
    const ArrowType type = ReadArrowSchema(schema);
    array.n_buffers = static_cast<int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.null_count = -1;
    CheckArrowArray(type, array);
    Vector output(type.type);
    ReadArrowColumn(type, array, begin, count, nullptr, output);
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; i++) texts.push_back(TextOf(output.GetValue(i)));
    return texts;
  }
  ArrowSchema schema = {};
  ArrowArray array = {};
  std::vector<const void*> buffers;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("arrays of other layouts are read", "[format][arrow]") {
  const uint8_t valid[] = {0b1011'0110, 0b1};
  SECTION("small unsigned integers, from an offset that is no multiple of eight") {
    HandMade made("C");
    const uint8_t values[] = {0, 1, 255, 3, 4, 5, 6, 7, 8};
    made.buffers = {valid, values};
    made.array.offset = 1;
    made.array.length = 8;
    CHECK(made.Read(0, 8) == Texts{"1", "255", "NULL", "4", "5", "NULL", "7", "8"});
    CHECK(made.Read(2, 3) == Texts{"NULL", "4", "5"});
  }
  SECTION("integers that are not aligned, with NULLs") {
    HandMade made("l");
    alignas(8) char bytes[8 * 3 + 1] = {};
    const int64_t values[] = {5, 6, 7};
    std::memcpy(bytes + 1, values, sizeof(values));
    made.buffers = {valid, bytes + 1};
    made.array.length = 3;
    CHECK(made.Read(0, 3) == Texts{"NULL", "6", "7"});
  }
  SECTION("dictionaries, large strings in them") {
    HandMade made("C"), dictionary("U");
    const uint8_t positions[] = {1, 0, 1};
    const int64_t offsets[] = {0, 2, 22};
    dictionary.buffers = {nullptr, offsets, "aathe one that is long"};
    dictionary.array.n_buffers = 3;
    dictionary.array.buffers = dictionary.buffers.data();
    dictionary.array.length = 2;
    made.schema.dictionary = &dictionary.schema;
    made.array.dictionary = &dictionary.array;
    made.buffers = {nullptr, positions};
    made.array.length = 3;
    CHECK(made.Read(0, 3) == Texts{"the one that is long", "aa", "the one that is long"});
    const uint8_t wrong[] = {2};
    made.buffers = {nullptr, wrong};
    made.array.length = 1;
    CHECK_THROWS_AS(made.Read(0, 1), Error);
  }
  SECTION("runs") {
    HandMade made("+r"), ends("i"), values("g");
    const int32_t last[] = {2, 3, 10};
    const double numbers[] = {0.5, 1.5, 2.5};
    const std::vector<const void*> end_buffers = {nullptr, last}, value_buffers = {nullptr, numbers};
    for (auto [part, buffers] : {std::pair{&ends, &end_buffers}, std::pair{&values, &value_buffers}}) {
      part->array.n_buffers = 2;
      part->array.buffers = const_cast<const void**>(buffers->data());
      part->array.length = 3;
    }
    ArrowSchema* schemas[] = {&ends.schema, &values.schema};
    ArrowArray* arrays[] = {&ends.array, &values.array};
    made.schema.n_children = made.array.n_children = 2;
    made.schema.children = schemas;
    made.array.children = arrays;
    made.array.offset = 1;
    made.array.length = 4;
    CHECK(made.Read(0, 4) == Texts{"0.5", "1.5", "2.5", "2.5"});
  }
  SECTION("half floats") {
    HandMade made("e");
    const uint16_t values[] = {0x3C00, 0xC000, 0x0001, 0x7C00};
    made.buffers = {nullptr, values};
    made.array.length = 4;
    CHECK(made.Read(0, 3) == Texts{"1", "-2", "5.9604645e-08"});
  }
  SECTION("times in other units") {
    HandMade made("tsn:Europe/Berlin");
    const int64_t values[] = {-1, 1'999, 1'600'000'000'123'456'789};
    made.buffers = {nullptr, values};
    made.array.length = 3;
    CHECK(ReadArrowSchema(made.schema).type == LogicalType(TypeId::kTimestampTz));
    CHECK(made.Read(1, 1)[0].starts_with("1970-01-01 00:00:00.000001"));
    made.schema.format = "tss:";
    const int64_t far[] = {INT64_MAX / 10};
    made.buffers = {nullptr, far};
    made.array.length = 1;
    CHECK_THROWS_AS(made.Read(0, 1), Error);
  }
  SECTION("lists of fixed size") {
    HandMade made("+w:2"), elements("s");
    const int16_t values[] = {1, 2, 3, 4, 5, 6};
    elements.buffers = {nullptr, values};
    elements.array.n_buffers = 2;
    elements.array.buffers = elements.buffers.data();
    elements.array.length = 6;
    ArrowSchema* schemas[] = {&elements.schema};
    ArrowArray* arrays[] = {&elements.array};
    made.schema.n_children = made.array.n_children = 1;
    made.schema.children = schemas;
    made.array.children = arrays;
    made.buffers = {nullptr};
    made.array.length = 3;
    CHECK(made.Read(1, 2) == Texts{"{3,4}", "{5,6}"});
  }
}

TEST_CASE("arrays and types that are none are refused", "[format][arrow]") {
  for (const char* format : {"+ud:0,1", "d:60,2,256", "x", "", "d:ten", "+w:-1", "+s"}) {
    CAPTURE(format);
    HandMade made(format);
    CHECK_THROWS_AS(ReadArrowSchema(made.schema), Error);
  }
  HandMade text("u");
  const int32_t offsets[] = {0, 2, 1};
  text.buffers = {nullptr, offsets, "a\xff"};
  text.array.length = 2;
  CHECK_THROWS_AS(text.Read(0, 1), Error);  // no UTF-8
  text.buffers = {nullptr, offsets, "ab"};
  CHECK_THROWS_AS(text.Read(1, 1), Error);  // offsets that do not grow
  text.buffers = {nullptr, offsets};
  CHECK_THROWS_AS(text.Read(0, 1), Error);  // a buffer is missing
  text.buffers = {nullptr, nullptr, nullptr};
  CHECK_THROWS_AS(text.Read(0, 1), Error);
}

TEST_CASE("bytes are packed to bits", "[format][arrow]") {
  std::vector<uint8_t> bytes(77);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = (i * i / 3) % 2;
  for (size_t count = 0; count <= bytes.size(); count++) {
    std::vector<uint8_t> bits((count + 7) / 8 + 1, 0xAA);
    size_t ones = 0;
    for (size_t i = 0; i < count; i++) ones += bytes[i];
    CHECK(PackBits(bytes.data(), count, false, bits.data()) == ones);
    for (size_t i = 0; i < count; i++)
      CHECK(ArrowBit(bits.data(), static_cast<int64_t>(i)) == (bytes[i] != 0));
    CHECK(PackBits(bytes.data(), count, true, bits.data()) == count - ones);
    CHECK(bits.back() == 0xAA);
  }
}

}  // namespace scaup
