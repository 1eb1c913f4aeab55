// Chunks to bytes and back: every type and form, and bytes that are no chunk.
#include "vector/chunk_bytes.hpp"

#include <catch2/catch.hpp>

#include "common/sqlstate.hpp"
#include "random_values.hpp"
#include "scaup/error.hpp"

using namespace scaup;
using namespace scaup::test;

namespace {

bool SameRows(const std::vector<Row>& a, const std::vector<Row>& b) {
  if (a.size() != b.size()) return false;
  for (size_t row = 0; row < a.size(); row++) {
    for (size_t column = 0; column < a[row].size(); column++) {
      if (!SameValue(a[row][column], b[row][column])) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("a chunk comes back whatever its vectors' types and forms", "[vector][chunk_bytes]") {
  Random random(3);
  for (int round = 0; round < 60; round++) {
    const size_t row_count = round < 4 ? std::vector<size_t>{0, 1, 1023, 1024}[round] : Below(random, 200);
    const size_t null_percent = std::vector<size_t>{0, 10, 100}[round % 3];
    const auto& types = SampleTypes();
    const std::vector<Row> rows = RandomRows(random, types, row_count, null_percent, 1 + Below(random, 50));
    DataChunk chunk = MakeChunk(random, types, rows);
    ByteWriter writer;
    WriteChunk(writer, chunk);
    ByteReader reader(writer.bytes(), "test");
    const DataChunk back = ReadChunk(reader);
    REQUIRE(reader.remaining() == 0);
    REQUIRE(back.types() == types);
    for (size_t column = 0; column < types.size(); column++) REQUIRE(back.column(column).is_flat());
    // Nothing refers to the bytes that it was read from.
    for (const std::byte& byte : writer.bytes()) const_cast<std::byte&>(byte) = std::byte{0xa5};
    REQUIRE(SameRows(RowsOf(back), rows));
    REQUIRE(SameRows(RowsOf(chunk), rows));
  }
}

TEST_CASE("sequences and bare NULLs come back", "[vector][chunk_bytes]") {
  DataChunk chunk({TypeId::kBigInt, TypeId::kNull});
  chunk.column(0).MakeSequence(100, -7);
  chunk.column(1).ReferenceValue(Value(LogicalType(TypeId::kNull)));
  chunk.SetSize(5);
  ByteWriter writer;
  WriteChunk(writer, chunk);
  ByteReader reader(writer.bytes(), "test");
  const DataChunk back = ReadChunk(reader);
  REQUIRE(back.size() == 5);
  CHECK(back.column(0).GetValue(4) == Value::FromInteger(TypeId::kBigInt, 72));
  CHECK(back.column(1).GetValue(4).is_null());
  CHECK(back.column(1).type() == LogicalType(TypeId::kNull));
}

TEST_CASE("equal chunks give equal bytes, and the layout never changes", "[vector][chunk_bytes]") {
  const Row values = {Value::Varchar("ab"), Value(LogicalType(TypeId::kVarchar)), Value::Varchar("c")};
  DataChunk chunk({TypeId::kVarchar, TypeId::kSmallInt});
  chunk.column(0) = FlatVector(TypeId::kVarchar, values);
  chunk.column(1).Reset();
  for (int16_t row = 0; row < 3; row++) chunk.column(1).MutableData<int16_t>()[row] = row;
  chunk.column(1).MutableData<int16_t>()[1] = 999;
  chunk.column(1).SetNull(1);
  chunk.SetSize(3);
  ByteWriter writer;
  WriteChunk(writer, chunk);
  const std::vector<uint8_t> expected = {3,   2,                                    // rows, columns
                                         10,  0,   0,   1, 5,                       // VARCHAR, NULLs
                                         2,   0,   0,   0, 0, 0, 0, 0, 1, 0, 0, 0,  // lengths
                                         'a', 'b', 'c',                             // bytes
                                         3,   0,   0,   1, 5,                       // SMALLINT, NULLs
                                         0,   0,   0,   0, 2, 0};                   // 0, NULL, 2
  std::vector<uint8_t> bytes;
  for (const std::byte byte : writer.bytes()) bytes.push_back(static_cast<uint8_t>(byte));
  CHECK(bytes == expected);
}

TEST_CASE("bytes that are no chunk are refused", "[vector][chunk_bytes]") {
  Random random(9);
  const auto& types = SampleTypes();
  DataChunk chunk = MakeChunk(random, types, RandomRows(random, types, 20));
  ByteWriter writer;
  WriteChunk(writer, chunk);
  const std::vector<std::byte> whole = writer.Take();
  for (int round = 0; round < 3000; round++) {
    std::vector<std::byte> bytes = whole;
    if (round % 2 == 0) {
      bytes.resize(Below(random, whole.size()));
    } else {
      for (size_t i = 0; i < 1 + Below(random, 3); i++) {
        // Counts and types at the beginning are hit as often as values.
        const size_t place = Below(random, Chance(random, 50) ? 40 : bytes.size());
        bytes[place] = static_cast<std::byte>(random());
      }
    }
    ByteReader reader(bytes, "test");
    try {
      const DataChunk back = ReadChunk(reader);
      CHECK(round % 2 == 1);
      CHECK(back.size() <= kVectorSize);
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
    }
  }
}
