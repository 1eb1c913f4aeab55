// Row groups: values go in through any form and come out the same; dictionaries, NULL entries, resuming.
#include "storage/table/column_builder.hpp"

#include <catch2/catch.hpp>

#include "../vector/random_values.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

/// Makes texts: few distinct ones, or each its own.
Value Text(size_t number, size_t distinct) {
  return Value::Varchar("a text of some length: " + std::to_string(number % distinct));
}

const MemorySegment& SegmentOf(const RowGroup& row_group, size_t column) {
  return *static_cast<const MemoryRowGroup&>(row_group).memory_column(column);
}

std::vector<Row> ReadAll(const RowGroup& row_group, const std::vector<LogicalType>& types) {
  std::vector<Row> rows;
  for (size_t block = 0; block < row_group.block_count(); block++) {
    DataChunk chunk(types);
    for (size_t i = 0; i < types.size(); i++)
      row_group.column(i)
          ->MakeReader(KernelsOf(BestKernelLevel()))
          ->Read(block, row_group.BlockRows(block), chunk.column(i));
    chunk.SetSize(row_group.BlockRows(block));
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
  return rows;
}

void Append(Random& random, RowGroupBuilder& builder, const std::vector<LogicalType>& types,
            const std::vector<Row>& rows, size_t begin, size_t end) {
  while (begin < end) {
    const size_t count = std::min(end - begin, 1 + Below(random, kVectorSize));
    DataChunk chunk =
        MakeChunk(random, types, std::vector<Row>(rows.begin() + begin, rows.begin() + begin + count));
    builder.Append(chunk);
    begin += count;
  }
}

void CheckRows(const std::vector<Row>& rows, const std::vector<Row>& expected) {
  REQUIRE(rows.size() == expected.size());
  for (size_t i = 0; i < rows.size(); i++) {
    if (TextOf(rows[i]) != TextOf(expected[i]))
      FAIL("row " << i << ": " << TextOf(rows[i]) << " instead of " << TextOf(expected[i]));
  }
}

}  // namespace

TEST_CASE("All types, appended in all forms", "[storage]") {
  Random random(51);
  MemoryTracker memory(size_t{1} << 30);
  const auto& types = SampleTypes();
  {
    const auto rows = RandomRows(random, types, 5000);
    RowGroupBuilder builder(types, memory);
    Append(random, builder, types, rows, 0, rows.size());
    builder.Finish();
    const auto groups = builder.TakeFinished();
    REQUIRE(groups.size() == 1);
    CheckRows(ReadAll(*groups[0], types), rows);
    CHECK(memory.used_bytes() > 5000 * 16 * 3);
    CHECK(builder.TakeFinished().empty());
    for (size_t i = 0; i < types.size(); i++) {
      uint64_t nulls = 0;
      for (const Row& row : rows) nulls += row[i].is_null();
      CHECK(builder.statistics()[i].row_count == rows.size());
      CHECK(builder.statistics()[i].null_count == nulls);
    }
  }
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("Dictionaries come, overflow and go", "[storage]") {
  Random random(52);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kVarchar};
  struct Case {
    size_t distinct, rows, null_every;
    BlockEncoding first_block;
  };
  // Around the limits of 512 entries for the first block and 4096 for all.
  const Case cases[] = {
      {10, 3000, 0, BlockEncoding::kDictionary},     {10, 3000, 7, BlockEncoding::kDictionary},
      {511, 5000, 2000, BlockEncoding::kDictionary}, {512, 5000, 0, BlockEncoding::kDictionary},
      {513, 5000, 0, BlockEncoding::kFlat},          {4096, 900, 0, BlockEncoding::kDictionary},
      {100000, 9000, 3, BlockEncoding::kFlat}};
  for (const Case& item : cases) {
    std::vector<Row> rows;
    for (size_t i = 0; i < item.rows; i++) {
      rows.push_back({item.null_every != 0 && i % item.null_every == 1 ? Value(TypeId::kVarchar)
                                                                       : Text(i, item.distinct)});
    }
    RowGroupBuilder builder(types, memory);
    Append(random, builder, types, rows, 0, rows.size());
    builder.Finish();
    const auto groups = builder.TakeFinished();
    CHECK(SegmentOf(*groups[0], 0).blocks[0]->encoding == item.first_block);
    CheckRows(ReadAll(*groups[0], types), rows);
  }
  // A dictionary that fills up late: repeated values first, then new ones without end.
  std::vector<Row> rows;
  for (size_t i = 0; i < 30000; i++)
    rows.push_back({i % 11 == 0 ? Value(TypeId::kVarchar) : Text(i, i < 8000 ? 100 : 1000000)});
  RowGroupBuilder builder(types, memory);
  Append(random, builder, types, rows, 0, rows.size());
  builder.Finish();
  const auto groups = builder.TakeFinished();
  for (const auto& block : SegmentOf(*groups[0], 0).blocks) CHECK(block->encoding == BlockEncoding::kFlat);
  CheckRows(ReadAll(*groups[0], types), rows);
}

TEST_CASE("NULL and the empty string are different entries", "[storage]") {
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kVarchar};
  const std::vector<Row> rows = {
      {Value(TypeId::kVarchar)}, {Value::Varchar("")}, {Value(TypeId::kVarchar)}, {Value::Varchar("")}};
  Random random(53);
  RowGroupBuilder first(types, memory);
  Append(random, first, types, rows, 0, rows.size());
  first.Finish();
  const auto group = first.TakeFinished()[0];
  CheckRows(ReadAll(*group, types), rows);
  RowGroupBuilder second(types, memory);
  second.Resume(static_cast<const MemoryRowGroup&>(*group));
  Append(random, second, types, rows, 0, rows.size());
  second.Finish();
  const auto resumed = second.TakeFinished()[0];
  CHECK(SegmentOf(*resumed, 0).dictionary.size() == 2);
  std::vector<Row> twice = rows;
  twice.insert(twice.end(), rows.begin(), rows.end());
  CheckRows(ReadAll(*resumed, types), twice);
  CheckRows(ReadAll(*group, types), rows);
}

TEST_CASE("Resuming at every fill level", "[storage]") {
  Random random(54);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kVarchar, TypeId::kInteger, TypeId::kVarchar,
                                          TypeId::kBoolean};
  std::vector<Row> rows;
  for (size_t i = 0; i < 9000; i++) {
    // The first text stays a dictionary, the second leaves it on the way.
    rows.push_back({i % 13 == 0 ? Value(TypeId::kVarchar) : Text(i, 20),
                    RandomValue(random, TypeId::kInteger),
                    i % 17 == 0 ? Value(TypeId::kVarchar) : Text(i, i < 3000 ? 300 : 100000),
                    RandomValue(random, TypeId::kBoolean)});
  }
  for (const size_t step : {1, 511, 1023, 1024, 1025, 2500}) {
    std::shared_ptr<const RowGroup> group;
    std::vector<std::pair<std::shared_ptr<const RowGroup>, size_t>> snapshots;
    const size_t total = step == 1 ? 1500 : rows.size();
    for (size_t begin = 0; begin < total; begin += step) {
      RowGroupBuilder builder(types, memory);
      if (group) builder.Resume(static_cast<const MemoryRowGroup&>(*group));
      const size_t end = std::min(begin + step, total);
      Append(random, builder, types, rows, begin, end);
      builder.Finish();
      group = builder.TakeFinished()[0];
      REQUIRE(group->row_count() == end);
      if (snapshots.size() < 40) snapshots.emplace_back(group, end);
    }
    CheckRows(ReadAll(*group, types), std::vector<Row>(rows.begin(), rows.begin() + total));
    // Older ones share blocks with it, and still read as they did.
    for (const auto& [old, count] : snapshots) {
      if (Chance(random, 30))
        CheckRows(ReadAll(*old, types), std::vector<Row>(rows.begin(), rows.begin() + count));
    }
  }
}

TEST_CASE("Memory of shared blocks is accounted for as long as they live", "[storage]") {
  Random random(55);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kBigInt};
  std::shared_ptr<const RowGroup> group;
  for (size_t round = 0; round < 32; round++) {
    RowGroupBuilder builder(types, memory);
    if (group) builder.Resume(static_cast<const MemoryRowGroup&>(*group));
    const auto rows = RandomRows(random, types, kVectorSize);
    Append(random, builder, types, rows, 0, rows.size());
    builder.Finish();
    group = builder.TakeFinished()[0];
  }
  CHECK(memory.used_bytes() >= 32 * kVectorSize * 8);
  group.reset();
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("A full row group ends and the next begins", "[storage]") {
  Random random(56);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  RowGroupBuilder builder(types, memory);
  size_t appended = 0;
  const size_t total = kRowsPerRowGroup + 2 * kVectorSize + 5;
  while (appended < total) {
    const size_t count = std::min<size_t>(total - appended, 1000);
    std::vector<Row> rows;
    for (size_t i = 0; i < count; i++)
      rows.push_back({Value::Integer(static_cast<int32_t>(appended + i)), Text(appended + i, 50)});
    DataChunk chunk = MakeChunk(random, types, rows);
    builder.Append(chunk);
    appended += count;
  }
  builder.Finish();
  const auto groups = builder.TakeFinished();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0]->row_count() == kRowsPerRowGroup);
  CHECK(groups[1]->row_count() == total - kRowsPerRowGroup);
  CHECK(groups[1]->block_count() == 3);
  CHECK(groups[1]->BlockRows(2) == 5);
  const auto second = ReadAll(*groups[1], types);
  CHECK(second.front()[0].GetInteger() == static_cast<int64_t>(kRowsPerRowGroup));
  CHECK(second.back()[0].GetInteger() == static_cast<int64_t>(total - 1));
  CHECK(second.back()[1] == Text(total - 1, 50));
  const ZoneMap& zone = groups[1]->column(0)->zone();
  CHECK(zone.minimum.integer == static_cast<int64_t>(kRowsPerRowGroup));
  CHECK(zone.maximum.integer == static_cast<int64_t>(total - 1));
}

TEST_CASE("A memory limit stops a builder and is given back", "[storage]") {
  Random random(57);
  MemoryTracker memory(200000);
  {
    const std::vector<LogicalType> types = {TypeId::kBigInt, TypeId::kVarchar};
    RowGroupBuilder builder(types, memory);
    const auto rows = RandomRows(random, types, 1024);
    DataChunk chunk = MakeChunk(random, types, rows);
    const auto fill = [&] {
      for (size_t i = 0; i < 1000; i++) builder.Append(chunk);
    };
    CHECK_THROWS_AS(fill(), Error);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace scaup
