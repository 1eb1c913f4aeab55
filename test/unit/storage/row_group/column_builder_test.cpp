// Row groups: values go in through any form and come out the same; dictionaries, NULL entries, resuming.
#include "storage/row_group/column_builder.hpp"

#include <catch2/catch.hpp>

#include "../../vector/random_values.hpp"
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
    CHECK(SegmentOf(*groups[0], 0).blocks[0].encoding == item.first_block);
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
  const BlockList& blocks = SegmentOf(*groups[0], 0).blocks;
  for (size_t i = 0; i < blocks.size(); i++) CHECK(blocks[i].encoding == BlockEncoding::kFlat);
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

TEST_CASE("Who resumes the same rows twice does not see what the other one added", "[storage]") {
  Random random(58);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar, TypeId::kVarchar,
                                          TypeId::kDouble};
  const auto make = [&](size_t count) {
    std::vector<Row> rows;
    for (size_t i = 0; i < count; i++) {
      rows.push_back({RandomValue(random, TypeId::kInteger),
                      Chance(random, 10) ? Value(TypeId::kVarchar) : Text(Below(random, 40), 40),
                      Text(Below(random, 100000), 100000), RandomValue(random, TypeId::kDouble)});
    }
    return rows;
  };
  const auto resume = [&](const RowGroup& base, const std::vector<Row>& added) {
    RowGroupBuilder builder(types, memory);
    builder.Resume(static_cast<const MemoryRowGroup&>(base));
    Append(random, builder, types, added, 0, added.size());
    builder.Finish();
    return builder.TakeFinished()[0];
  };
  // Below a block, at its end, after some, and where the second text's dictionary is given up.
  for (const size_t begin : {1, 500, 1023, 1024, 2049, 5000}) {
    const auto base_rows = make(begin);
    RowGroupBuilder builder(types, memory);
    Append(random, builder, types, base_rows, 0, base_rows.size());
    builder.Finish();
    std::vector<std::pair<std::shared_ptr<const RowGroup>, std::vector<Row>>> made;
    made.emplace_back(builder.TakeFinished()[0], base_rows);
    for (size_t step = 0; step < 20; step++) {
      // Mostly the newest is resumed, as commits do; sometimes an older one, as after a rollback.
      const size_t from = Chance(random, 60) ? made.size() - 1 : Below(random, made.size());
      const auto added = make(1 + (Chance(random, 20) ? Below(random, 1500) : Below(random, 3)));
      auto rows = made[from].second;
      rows.insert(rows.end(), added.begin(), added.end());
      auto next = resume(*made[from].first, added);
      made.emplace_back(std::move(next), std::move(rows));
    }
    for (const auto& [group, rows] : made) CheckRows(ReadAll(*group, types), rows);
    // Bounds are those of the rows.
    const auto& [last, last_rows] = made.back();
    RowGroupBuilder fresh(types, memory);
    Append(random, fresh, types, last_rows, 0, last_rows.size());
    fresh.Finish();
    const auto whole = fresh.TakeFinished()[0];
    for (size_t i = 0; i < types.size(); i++) {
      const ZoneMap &zone = last->column(i)->zone(), &expected = whole->column(i)->zone();
      CHECK(zone.row_count == expected.row_count);
      CHECK(zone.null_count == expected.null_count);
      CHECK(zone.has_bounds == expected.has_bounds);
      if (zone.has_bounds) CHECK(HasSameBounds(zone, expected, PhysicalTypeOf(types[i])));
      const size_t last_block = last->block_count() - 1;
      CHECK(last->column(i)->block_zone(last_block).row_count == last->BlockRows(last_block));
    }
  }
}

TEST_CASE("A row more shares the memory of those before", "[storage]") {
  Random random(59);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kBigInt, TypeId::kVarchar};
  std::shared_ptr<const RowGroup> group;
  size_t moved = 0;
  for (size_t i = 0; i < 3000; i++) {
    RowGroupBuilder one(types, memory);
    const std::vector<Row> row = {{Value::BigInt(static_cast<int64_t>(i)), Text(i, 100)}};
    Append(random, one, types, row, 0, 1);
    one.Finish();
    const auto single = one.TakeFinished()[0];
    RowGroupBuilder builder(types, memory);
    if (group) builder.Resume(static_cast<const MemoryRowGroup&>(*group));
    builder.AppendRowGroup(*single);
    builder.Finish();
    const auto next = builder.TakeFinished()[0];
    // Statistics were counted when the single row came.
    CHECK(builder.statistics()[0].row_count == 0);
    CHECK(one.statistics()[0].row_count == 1);
    for (size_t column = 0; group && column < types.size(); column++) {
      const size_t block = group->block_count() - 1;
      moved +=
          SegmentOf(*group, column).blocks[block].data() != SegmentOf(*next, column).blocks[block].data();
    }
    group = next;
  }
  // Each block of numbers grows from 8 rows to 1024 in seven steps.
  CHECK(moved <= 3 * 7);
  CHECK(group->column(0)->zone().maximum.integer == 2999);
  CHECK(group->column(1)->Summarize().encoding == "dictionary");
}

TEST_CASE("Statistics are those of the rows appended to resumed ones", "[storage]") {
  Random random(60);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  const auto make = [&](int32_t from, size_t count) {
    std::vector<Row> rows;
    for (size_t i = 0; i < count; i++) {
      const bool is_null = i % 5 == 0;
      rows.push_back({is_null ? Value(TypeId::kInteger) : Value::Integer(from + static_cast<int32_t>(i)),
                      is_null ? Value(TypeId::kVarchar) : Text(from + i, 1000000)});
    }
    return rows;
  };
  RowGroupBuilder first(types, memory);
  const auto old_rows = make(1000000, 700);
  Append(random, first, types, old_rows, 0, old_rows.size());
  first.Finish();
  const auto group = first.TakeFinished()[0];
  RowGroupBuilder second(types, memory);
  second.Resume(static_cast<const MemoryRowGroup&>(*group));
  const auto added = make(0, 10);
  Append(random, second, types, added, 0, added.size());
  second.Finish();
  for (const ColumnStatistics& statistics : second.statistics()) {
    CHECK(statistics.row_count == 10);
    CHECK(statistics.null_count == 2);
    CHECK(statistics.sampled_rows == 8);
    CHECK(statistics.EstimateDistinct() == Approx(8).epsilon(0.05));
  }
  CHECK(second.statistics()[0].zone.maximum.integer == 9);
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

TEST_CASE("Versions that share their memory reserve it once", "[storage]") {
  Random random(57);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kBigInt};
  const auto resume = [&](const std::shared_ptr<const RowGroup>& group) {
    RowGroupBuilder builder(types, memory);
    if (group) builder.Resume(static_cast<const MemoryRowGroup&>(*group));
    const auto rows = RandomRows(random, types, 1);
    Append(random, builder, types, rows, 0, 1);
    builder.Finish();
    return builder.TakeFinished()[0];
  };
  // As statements of one transaction keep them, so that each can be taken back.
  std::vector<std::shared_ptr<const RowGroup>> versions = {nullptr};
  for (size_t i = 0; i < 5000; i++) versions.push_back(resume(versions.back()));
  const size_t once = memory.used_bytes();
  CHECK(once < 5 * kVectorSize * 8 * 2);
  // Beside the newest one an older one goes on in memory of its own.
  const auto branch = resume(versions[4000]);
  CHECK(branch->row_count() == 4001);
  CHECK(memory.used_bytes() > once);
  versions.clear();
  CHECK(memory.used_bytes() > 0);
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
