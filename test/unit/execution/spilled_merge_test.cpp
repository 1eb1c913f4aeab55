// Merging runs by ranges: together they are the merge of all, whoever merges them, and leave nothing behind.
#include <catch2/catch.hpp>

#include "execution/sort/sort_run.hpp"
#include "execution/sort/spilled_merge.hpp"
#include "execution_fixture.hpp"
#include "sort_case.hpp"

namespace scaup {

using namespace test;

namespace {

/// Mostly with strings among the keys; else words of keys decide.
SortCase MakeMergeCase(Random& random, size_t row_count, size_t domain) {
  SortCase test = MakeCase(random, row_count, domain);
  if (test.orders.front().type.id() != TypeId::kVarchar) test.orders.resize(1);
  return test;
}

SortSchema SchemaOf(const SortCase& test) {
  std::vector<size_t> key_columns;
  for (size_t i = 0; i < test.orders.size(); i++) key_columns.push_back(i);
  return {test.types, key_columns, test.orders};
}

SpilledRun WriteRun(Query& query, const SortSchema& schema, const std::vector<Row>& rows, size_t block_rows,
                    Random& random) {
  SpilledRunWriter writer(query.temporary_storage, nullptr, schema, block_rows,
                          query.services.memory.limit_bytes());
  for (size_t begin = 0; begin < rows.size(); begin += block_rows) {
    const size_t end = std::min(rows.size(), begin + block_rows);
    DataChunk chunk = MakeChunk(
        random, schema.types,
        {rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end)});
    chunk.Flatten();
    writer.Write(chunk);
  }
  return writer.Take();
}

/// Divides the rows among runs as they come; `expected` is what a stable merge of these gives.
std::vector<SpilledRun> WriteRuns(Query& query, const SortSchema& schema, const SortCase& test, size_t count,
                                  Random& random, std::vector<Row>& expected) {
  std::vector<SortCase> parts(count, SortCase{test.orders, test.types, {}});
  for (const Row& row : test.rows) {
    // The first runs are short, and may be empty.
    const size_t run = std::min(Below(random, count), Below(random, 2 * count));
    parts[count - 1 - run].rows.push_back(row);
  }
  SortCase all{test.orders, test.types, {}};
  std::vector<SpilledRun> runs;
  for (const SortCase& part : parts) {
    all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
    runs.push_back(WriteRun(query, schema, SortedRows(part), 1 + Below(random, 200), random));
  }
  expected = SortedRows(all);
  return runs;
}

void Take(DataChunk& chunk, std::vector<Row>& rows) {
  for (size_t i = 0; i < chunk.size(); i++) {
    rows.emplace_back();
    for (Vector& column : chunk.columns()) rows.back().push_back(column.GetValue(i));
  }
}

void Take(MergedRows& merged, const SortSchema& schema, std::vector<Row>& rows) {
  DataChunk chunk(schema.types);
  merged.Gather(chunk);
  Take(chunk, rows);
}

/// All rows of a merge, by as many tasks at once as it allows.
std::vector<Row> MergeAll(Query& query, const SortSchema& schema, SpilledMerge& merge) {
  const std::vector<uint64_t> offsets = merge.RangeOffsets();
  std::vector<std::vector<Row>> ranges(offsets.size() - 1);
  query.context.scheduler().RunAll(merge.task_count() + 1, [&](size_t) {
    SpilledMerge::Task task(merge);
    MergedRows merged;
    for (size_t i = 0;; i++) {
      task.Next(1 + i % kVectorSize, merged);
      if (merged.count == 0) break;
      Take(merged, schema, ranges[task.range()]);
    }
  });
  std::vector<Row> rows;
  for (size_t i = 0; i < ranges.size(); i++) {
    CHECK(rows.size() == offsets[i]);
    rows.insert(rows.end(), ranges[i].begin(), ranges[i].end());
  }
  CHECK(rows.size() == offsets.back());
  return rows;
}

std::vector<Row> Part(const std::vector<Row>& rows, uint64_t begin, uint64_t end) {
  end = std::min<uint64_t>(end, rows.size());
  begin = std::min(begin, end);
  return {rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end)};
}

constexpr size_t kMiB = size_t{1} << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kRounds = 4;
#else
constexpr size_t kRounds = 25;
#endif

}  // namespace

TEST_CASE("Ranges of a merge, one after the other, are the merge", "[execution][spill]") {
  Random random(311);
  for (size_t round = 0; round < kRounds; round++) {
    const SortCase test = MakeMergeCase(random, 1 + Below(random, 6000), round % 3 == 0 ? 20 : 1'000'000);
    const SortSchema schema = SchemaOf(test);
    Query query(1, 2 * kMiB);
    std::vector<Row> expected;
    std::vector<SpilledRun> runs = WriteRuns(query, schema, test, 1 + Below(random, 9), random, expected);
    std::erase_if(runs, [](const SpilledRun& run) { return run.row_count() == 0; });
    const MergeRange whole = WholeMerge(schema, runs);
    CHECK(whole.row_count() == test.rows.size());
    for (const size_t count : {1, 2, 7, 40}) {
      std::vector<uint64_t> border = whole.begins;
      std::vector<Row> rows;
      const std::vector<MergeRange> ranges = DivideMerge(query.context, schema, runs, whole, count);
      CHECK(ranges.size() <= count);
      for (const MergeRange& range : ranges) {
        CHECK(range.begins == border);
        border = range.ends;
        const size_t before = rows.size();
        RunMerge merge(query.context, schema, runs, range);
        MergedRows merged;
        while (merge.Next(1 + Below(random, kVectorSize), merged), merged.count != 0)
          Take(merged, schema, rows);
        CHECK(rows.size() - before == range.row_count());
        CHECK(range.row_count() != 0);
      }
      CHECK(border == whole.ends);
      CHECK(rows == expected);
    }
  }
}

TEST_CASE("Ranges have about as many rows each, though strings begin alike", "[execution][spill]") {
  Random random(312);
  for (const std::string prefix : {"", "a beginning that all have, longer than what keys keep of it"}) {
    SortCase test{{{TypeId::kVarchar, true, false}}, {TypeId::kVarchar, TypeId::kBigInt}, {}};
    for (int64_t i = 0; i < 20'000; i++) {
      test.rows.push_back(
          {Value::Varchar(prefix + std::to_string(Below(random, 900'000'000))), Value::BigInt(i)});
    }
    const SortSchema schema = SchemaOf(test);
    Query query(2, 4 * kMiB);
    std::vector<Row> expected;
    std::vector<SpilledRun> runs = WriteRuns(query, schema, test, 5, random, expected);
    const auto ranges = DivideMerge(query.context, schema, runs, WholeMerge(schema, runs), 8);
    REQUIRE(ranges.size() == 8);
    for (const MergeRange& range : ranges) CHECK(range.row_count() < 2 * test.rows.size() / 8);
  }
}

TEST_CASE("Several tasks merge what one does, with limits and rows left out", "[execution][spill]") {
  Random random(313);
  for (size_t round = 0; round < kRounds; round++) {
    const SortCase test = MakeMergeCase(random, 3000 + Below(random, 6000), round % 3 == 0 ? 30 : 1'000'000);
    const SortSchema schema = SchemaOf(test);
    const size_t tasks = 1 + round % 4;
    Query query(tasks, round % 5 == 0 ? kMiB : 16 * kMiB);  // With little memory, runs are merged in steps.
    std::vector<Row> expected;
    std::vector<SpilledRun> runs = WriteRuns(query, schema, test, 1 + Below(random, 40), random, expected);
    const uint64_t limit = Chance(random, 50) ? Below(random, test.rows.size() + 10) : UINT64_MAX;
    std::vector<uint64_t> skips;
    for (size_t i = Below(random, 3); i > 0; i--) skips.push_back(Below(random, test.rows.size() * 2 / 3));
    uint64_t offset = 0;
    {
      SpilledMerge merge(query.context, schema, std::move(runs), limit, tasks, nullptr);
      for (const uint64_t skip : skips) {
        merge.Skip(skip);
        offset += skip;
      }
      INFO("round " << round << ", limit " << limit << ", offset " << offset);
      CHECK(MergeAll(query, schema, merge) == Part(expected, offset, limit));
      // What was read has no place any more, though the merge is still there.
      if (limit == UINT64_MAX) CHECK(query.temporary_storage.used_bytes() == 0);
    }
    CHECK(query.temporary_storage.used_bytes() == 0);
    CHECK(query.services.memory.used_bytes() == 0);
  }
}

TEST_CASE("A merge that is divided, left out in part, abandoned or interrupted", "[execution][spill]") {
  Random random(314);
  const SortCase test = MakeCase(random, 20'000, 1'000'000);
  const SortSchema schema = SchemaOf(test);
  Query query(2, 16 * kMiB);
  std::vector<Row> expected;
  {
    SpilledMerge merge(query.context, schema, WriteRuns(query, schema, test, 6, random, expected), UINT64_MAX,
                       2, nullptr);
    CHECK(merge.task_count() == 2);
    CHECK(merge.RangeOffsets().size() > 3);
    // Rows at the end are found without reading those before, whose place is free at once.
    const uint64_t before = query.temporary_storage.used_bytes();
    merge.Skip(19'900);
    CHECK(merge.RangeOffsets().back() == 100);
    CHECK(query.temporary_storage.used_bytes() < before / 4);
    SpilledMerge::Task task(merge);
    MergedRows merged;
    task.Next(1, merged);
    std::vector<Row> rows;
    Take(merged, schema, rows);
    CHECK(rows == Part(expected, 19'900, 19'901));
  }
  CHECK(query.temporary_storage.used_bytes() == 0);
  CHECK(query.services.memory.used_bytes() == 0);
  {
    SpilledMerge merge(query.context, schema, WriteRuns(query, schema, test, 6, random, expected), UINT64_MAX,
                       2, nullptr);
    query.services.interrupted = true;
    SpilledMerge::Task task(merge);
    MergedRows merged;
    CHECK_THROWS_AS(task.Next(kVectorSize, merged), Error);
    query.services.interrupted = false;
  }
  CHECK(query.temporary_storage.used_bytes() == 0);
  CHECK(query.services.memory.used_bytes() == 0);
}

TEST_CASE("A merge does with what others leave of the memory", "[execution][spill]") {
  Random random(316);
  const SortCase test = MakeMergeCase(random, 30'000, 1'000'000);
  const SortSchema schema = SchemaOf(test);
  constexpr size_t kLimit = 16 * kMiB;
  for (const size_t left : {kLimit, kMiB, kMiB / 2}) {
    for (const bool is_known : {false, true}) {
      INFO(left << " bytes, " << (is_known ? "taken before the query begins" : "taken while it runs"));
      Query query(2, kLimit);
      std::vector<Row> expected;
      std::vector<SpilledRun> runs = WriteRuns(query, schema, test, 60, random, expected);
      if (!is_known) CHECK(query.context.MemoryBytes() == kLimit);
      MemoryReservation others(query.services.memory);
      others.Resize(kLimit - left);
      SpilledMerge merge(query.context, schema, std::move(runs), UINT64_MAX, 2, nullptr);
      CHECK((merge.merge_count() > 1) == (left < kLimit));
      CHECK(MergeAll(query, schema, merge) == expected);
    }
  }
}

TEST_CASE("Merged chunks have all rows in order, and give up their place", "[execution][spill]") {
  Random random(316);
  for (const size_t runs : {size_t{1}, size_t{7}}) {
    const SortCase test = MakeCase(random, 5000, 100);
    const SortSchema schema = SchemaOf(test);
    Query query(2, 16 * kMiB);
    std::vector<Row> expected, rows;
    {
      MergedChunks merged(query.context, schema, WriteRuns(query, schema, test, runs, random, expected),
                          nullptr);
      DataChunk chunk(schema.types);
      while (merged.Next(chunk)) Take(chunk, rows);
      CHECK(chunk.size() == 0);
      CHECK_FALSE(merged.Next(chunk));
    }
    CHECK(rows == expected);
    CHECK(query.temporary_storage.used_bytes() == 0);
    CHECK(query.services.memory.used_bytes() == 0);
  }
}

TEST_CASE("A run keeps what was spilled from it", "[execution][spill]") {
  Random random(317);
  const SortCase test = MakeCase(random, 5000, 100);
  const SortSchema schema = SchemaOf(test);
  Query query(2, 16 * kMiB);
  std::vector<SpilledRun> runs;
  {
    SortRun run(schema, query.context.functions, &query.services.memory);
    run.Spill(query.context);
    CHECK_FALSE(run.has_spilled());  // There were no rows.
    for (size_t begin = 0; begin < test.rows.size(); begin += 1000) {
      DataChunk chunk = MakeChunk(random, schema.types, Part(test.rows, begin, begin + 1000));
      run.Append(chunk);
      if (begin % 2000 == 0) run.Spill(query.context);
    }
    CHECK(run.spilled_count() == 3);
    CHECK(run.row_count() == 0);
    run.MoveSpilledTo(runs);
    CHECK_FALSE(run.has_spilled());
  }
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].row_count() == 1000);
  CHECK(runs[1].row_count() == 2000);
  MergedChunks merged(query.context, schema, std::move(runs), nullptr);
  DataChunk chunk(schema.types);
  std::vector<Row> rows;
  while (merged.Next(chunk)) Take(chunk, rows);
  CHECK(rows == SortedRows(test));
}

TEST_CASE("Merges of no rows", "[execution][spill]") {
  Random random(315);
  const SortCase test{{{TypeId::kInteger}}, {TypeId::kInteger}, {}};
  const SortSchema schema = SchemaOf(test);
  Query query(2, 16 * kMiB);
  std::vector<Row> expected;
  SpilledMerge merge(query.context, schema, WriteRuns(query, schema, test, 3, random, expected), UINT64_MAX,
                     2, nullptr);
  merge.Skip(5);
  CHECK(MergeAll(query, schema, merge).empty());
}

}  // namespace scaup
