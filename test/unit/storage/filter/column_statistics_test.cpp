// Statistics: distinct counts within their tolerance, NULLs, merging.
#include "storage/filter/column_statistics.hpp"

#include <catch2/catch.hpp>

#include "../../vector/random_values.hpp"
#include "common/hash.hpp"
#include "storage/row_group/row_group.hpp"

namespace scaup {

using namespace test;

namespace {

/// Statistics of `count` rows with the given value in each.
template <typename F>
ColumnStatistics StatisticsOf(const LogicalType& type, size_t count, F&& value_of) {
  MemoryTracker memory(size_t{1} << 30);
  RowGroupBuilder builder({type}, memory);
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    Row values;
    for (size_t i = begin; i < std::min(begin + kVectorSize, count); i++) values.push_back(value_of(i));
    DataChunk chunk({type});
    chunk.column(0) = FlatVector(type, values);
    chunk.SetSize(values.size());
    builder.Append(chunk);
  }
  builder.Finish();
  return builder.statistics()[0];
}

bool IsNear(double estimate, double truth, double factor) {
  return estimate <= truth * factor && estimate >= truth / factor;
}

}  // namespace

TEST_CASE("The sketch counts distinct hashes within a few percent", "[storage]") {
  for (const size_t count : {0, 1, 2, 10, 100, 1000, 3000, 10000, 100000, 1000000}) {
    DistinctSketch sketch, half;
    for (size_t i = 0; i < count; i++) {
      for (size_t repeat = 0; repeat < 2; repeat++) (i % 2 == 0 ? sketch : half).Add(HashInteger(i * 7 + 1));
    }
    sketch.Merge(half);
    sketch.Merge(half);
    INFO(count << " estimated as " << sketch.Estimate());
    CHECK(std::abs(sketch.Estimate() - static_cast<double>(count)) <=
          0.12 * static_cast<double>(count) + 0.5);
  }
}

TEST_CASE("Merged sketches know what one sketch of all knows", "[storage]") {
  // Different halves, one of a single value, one empty: every register is the greater of the two.
  for (const size_t right : {0, 1, 700, 50000}) {
    DistinctSketch left, other, whole;
    for (size_t i = 0; i < 3000; i++) {
      left.Add(HashInteger(i));
      whole.Add(HashInteger(i));
    }
    for (size_t i = 0; i < right; i++) {
      other.Add(HashInteger(1000000 + i));
      whole.Add(HashInteger(1000000 + i));
    }
    left.Merge(other);
    ByteWriter merged_bytes, whole_bytes;
    left.Write(merged_bytes);
    whole.Write(whole_bytes);
    CHECK(std::ranges::equal(merged_bytes.bytes(), whole_bytes.bytes()));
    CHECK(left.Estimate() == whole.Estimate());
  }
}

TEST_CASE("A copy of a sketch is on its own", "[storage]") {
  const auto add = [](DistinctSketch& sketch, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++) sketch.Add(HashInteger(i));
  };
  DistinctSketch few, many;
  add(few, 0, 100);
  add(many, 0, 5000);
  DistinctSketch merged;
  merged.Merge(few);  // From here on some share registers.
  const DistinctSketch shared = merged;
  const double before = shared.Estimate();
  merged.Merge(shared);
  CHECK(merged.Estimate() == before);
  merged.Merge(many);
  CHECK(merged.Estimate() == many.Estimate());
  CHECK(shared.Estimate() == before);
  DistinctSketch copy = shared;
  add(copy, 5000, 9000);
  CHECK(copy.Estimate() > 2 * before);
  CHECK(shared.Estimate() == before);
  CHECK(few.Estimate() == before);
  copy = few;
  add(few, 100, 4000);
  CHECK(copy.Estimate() == before);
}

TEST_CASE("A sketch of few values takes few bytes", "[storage]") {
  DistinctSketch sketch;
  CHECK(sketch.size_bytes() == 0);
  uint64_t previous = 0;
  for (const uint64_t count : {1, 10, 100, 250, 260, 400, 2000}) {
    DistinctSketch at_once;
    std::vector<uint64_t> hashes;
    for (uint64_t i = 0; i < count; i++) hashes.push_back(HashInteger(i));
    at_once.AddAll(hashes);
    for (uint64_t i = previous; i < count; i++) sketch.Add(HashInteger(i));
    previous = count;
    CHECK(sketch.size_bytes() <= std::max<size_t>(16, 4 * count));
    CHECK(sketch.size_bytes() <= 1024);
    CHECK(sketch.Estimate() == at_once.Estimate());
    ByteWriter writer, writer_at_once;
    sketch.Write(writer);
    at_once.Write(writer_at_once);
    CHECK(std::ranges::equal(writer.bytes(), writer_at_once.bytes()));
    ByteReader reader(writer.bytes(), "test");
    DistinctSketch read;
    read.Read(reader);
    CHECK(read.Estimate() == sketch.Estimate());
    // Into one of many values, and the other way round.
    DistinctSketch many;
    for (uint64_t i = 1000000; i < 1005000; i++) many.Add(HashInteger(i));
    DistinctSketch forth = many, back = sketch;
    forth.Merge(sketch);
    back.Merge(many);
    CHECK(forth.Estimate() == back.Estimate());
    CHECK(forth.Estimate() >= many.Estimate());
  }
}

TEST_CASE("Estimates of distinct values from a sample", "[storage]") {
  constexpr size_t kRows = 100000;
  const auto estimate = [&](size_t distinct) {
    return StatisticsOf(
               TypeId::kBigInt, kRows,
               [&](size_t i) { return Value::BigInt(static_cast<int64_t>(HashInteger(i) % distinct)); })
        .EstimateDistinct();
  };
  CHECK(IsNear(estimate(1), 1, 1.1));
  CHECK(IsNear(estimate(100), 100, 1.15));
  CHECK(IsNear(estimate(1000), 1000, 2));
  CHECK(IsNear(estimate(20000), 20000, 3.5));
  const auto unique =
      StatisticsOf(TypeId::kBigInt, kRows, [](size_t i) { return Value::BigInt(static_cast<int64_t>(i)); });
  CHECK(IsNear(unique.EstimateDistinct(), kRows, 1.3));
  const auto texts = StatisticsOf(TypeId::kVarchar, kRows,
                                  [](size_t i) { return Value::Varchar("text " + std::to_string(i % 50)); });
  CHECK(IsNear(texts.EstimateDistinct(), 50, 1.15));
}

TEST_CASE("NULLs are no distinct value and no sample", "[storage]") {
  constexpr size_t kRows = 100000;
  for (const LogicalType& type : {LogicalType(TypeId::kBigInt), LogicalType(TypeId::kVarchar)}) {
    const auto make = [&](size_t i) {
      return type.id() == TypeId::kBigInt ? Value::BigInt(static_cast<int64_t>(i))
                                          : Value::Varchar("v" + std::to_string(i));
    };
    // One row in ten has a value, and each its own.
    const auto sparse =
        StatisticsOf(type, kRows, [&](size_t i) { return i % 10 == 0 ? make(i) : Value(type); });
    CHECK(sparse.null_count == kRows - kRows / 10);
    CHECK(IsNear(sparse.EstimateDistinct(), kRows / 10, 1.4));
    const auto empty = StatisticsOf(type, 5000, [&](size_t) { return Value(type); });
    CHECK(empty.EstimateDistinct() == 0);
    const auto two =
        StatisticsOf(type, 5000, [&](size_t i) { return i % 2 == 0 ? make(i % 4) : Value(type); });
    CHECK(IsNear(two.EstimateDistinct(), 2, 1.1));
  }
}

}  // namespace scaup
