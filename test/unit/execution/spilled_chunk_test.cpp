// Spilled chunks: every type and form comes back, and integers take as few bytes as their range.
#include "execution/rows/spilled_chunk.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "../vector/random_values.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

void CheckReturns(DataChunk& chunk, const std::vector<Row>& rows) {
  ByteWriter writer;
  WriteSpilledChunk(writer, chunk);
  ByteReader reader(writer.bytes(), "test");
  const DataChunk back = ReadSpilledChunk(reader, chunk.types());
  REQUIRE(reader.remaining() == 0);
  // Nothing refers to the bytes that it was read from.
  for (const std::byte& byte : writer.bytes()) const_cast<std::byte&>(byte) = std::byte{0xa5};
  REQUIRE(back.size() == rows.size());
  for (size_t column = 0; column < chunk.column_count(); column++) {
    REQUIRE(back.column(column).is_flat());
    for (size_t row = 0; row < rows.size(); row++) {
      REQUIRE(SameValue(back.column(column).GetValue(row), rows[row][column]));
      REQUIRE(SameValue(chunk.column(column).GetValue(row), rows[row][column]));
    }
  }
}

size_t BytesOf(const std::vector<int64_t>& values) {
  Random random(1);
  std::vector<Row> rows;
  for (const int64_t value : values) rows.push_back({Value::BigInt(value)});
  DataChunk chunk = MakeChunk(random, {TypeId::kBigInt}, rows);
  CheckReturns(chunk, rows);
  ByteWriter writer;
  WriteSpilledChunk(writer, chunk);
  return writer.size();
}

}  // namespace

TEST_CASE("A spilled chunk comes back whatever its vectors' types and forms", "[execution]") {
  Random random(3);
  for (int round = 0; round < 90; round++) {
    const size_t row_count = round < 4 ? std::vector<size_t>{0, 1, 1023, 1024}[round] : Below(random, 200);
    const size_t null_percent = std::vector<size_t>{0, 10, 100}[round % 3];
    const auto& types = SampleTypes();
    const std::vector<Row> rows = RandomRows(random, types, row_count, null_percent, 1 + Below(random, 50));
    DataChunk chunk = MakeChunk(random, types, rows);
    CheckReturns(chunk, rows);
  }
}

TEST_CASE("Integers of spilled chunks take the bytes of their range", "[execution]") {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> values(100, -7);
  const size_t constant = BytesOf(values);
  values[99] = 248;
  REQUIRE(BytesOf(values) == constant + 100);
  values[99] = 249;
  REQUIRE(BytesOf(values) == constant + 200);
  values[99] = 65529;
  REQUIRE(BytesOf(values) == constant + 400);
  values[99] = int64_t{1} << 32;
  REQUIRE(BytesOf(values) == constant + 800);
  values[0] = kLeast;
  values[99] = kMost;
  REQUIRE(BytesOf(values) == constant + 800);
  values.assign(100, kMost);
  values[50] = kMost - 1;
  REQUIRE(BytesOf(values) == constant + 100);
}

TEST_CASE("Bytes that are no spilled chunk are refused", "[execution]") {
  ByteWriter writer;
  writer.WriteU16(2000);
  ByteReader too_many(writer.bytes(), "test");
  REQUIRE_THROWS_AS(ReadSpilledChunk(too_many, {TypeId::kBigInt}), Error);
  writer.Clear();
  writer.WriteU16(1);
  writer.WriteBool(false);
  writer.WriteU8(3);
  writer.WriteU64(0);
  ByteReader bad_width(writer.bytes(), "test");
  REQUIRE_THROWS_AS(ReadSpilledChunk(bad_width, {TypeId::kBigInt}), Error);
}

}  // namespace scaup
