// Distinct rows: the first row of each key comes once, from memory, from spilled keys, round after round.
#include "execution/rows/distinct_rows.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "execution_fixture.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kKeys = {TypeId::kVarchar, TypeId::kBigInt};
const std::vector<LogicalType> kOthers = {TypeId::kBigInt};

/// A key that comes up again, now and then NULL, with texts of up to `text_bytes` bytes.
Row RandomKey(Random& random, size_t key_count, size_t text_bytes) {
  const size_t key = Below(random, key_count);
  if (key == 0) return {Value(LogicalType(TypeId::kVarchar)), Value(LogicalType(TypeId::kBigInt))};
  const std::string text = std::to_string(key) + std::string(key * 7 % text_bytes, 'x');
  return {Value::Varchar(text), Value::BigInt(static_cast<int64_t>(key % 10))};
}

/// Feeds rounds of rows, and compares the new ones of each round with those that a set finds.
void CheckRounds(QueryContext& context, Random& random, size_t rounds, size_t round_rows, size_t key_count,
                 size_t text_bytes, MemoryUse& use) {
  DistinctRows distinct(context, kKeys, kOthers, &use);
  std::set<std::string> seen;
  for (size_t round = 0; round < rounds; round++) {
    std::multiset<std::string> expected, given;
    const auto note = [&](DataChunk& rows, size_t first, size_t row) {
      given.insert(TextOf({rows.column(first).GetValue(row), rows.column(first + 1).GetValue(row),
                           rows.column(first + 2).GetValue(row)}));
    };
    for (size_t done = 0; done < round_rows;) {
      const size_t count = std::min(round_rows - done, 1 + Below(random, kVectorSize));
      std::vector<Row> keys, others, all;
      for (size_t i = 0; i < count; i++) {
        keys.push_back(RandomKey(random, key_count, text_bytes));
        others.push_back({Value::BigInt(static_cast<int64_t>(round * round_rows + done + i))});
        all.push_back({keys[i][0], keys[i][1], others[i][0]});
        if (seen.insert(TextOf(keys[i])).second) expected.insert(TextOf(all[i]));
      }
      DataChunk key_chunk = MakeChunk(random, kKeys, keys), other_chunk = MakeChunk(random, kOthers, others);
      DataChunk chunk = MakeChunk(random, {kKeys[0], kKeys[1], kOthers[0]}, all);
      sel_t rows[kVectorSize];
      const size_t new_count = distinct.SelectNew(key_chunk, other_chunk, rows);
      REQUIRE(std::is_sorted(rows, rows + new_count));
      for (size_t i = 0; i < new_count; i++) note(chunk, 0, rows[i]);
      done += count;
    }
    DataChunk deferred({kKeys[0], kKeys[1], kOthers[0]});
    while (distinct.NextDeferred(deferred)) {
      REQUIRE(deferred.size() != 0);
      for (size_t row = 0; row < deferred.size(); row++) note(deferred, 0, row);
    }
    REQUIRE(given == expected);
  }
}

}  // namespace

TEST_CASE("Rows are new once, whether their keys are in memory or spilled", "[execution]") {
  Random random(11);
  MemoryUse use;
  SECTION("in memory") {
    Query query(2);
    CheckRounds(query.context, random, 5, 20'000, 30'000, 100, use);
    REQUIRE(use.spilled_bytes() == 0);
  }
  SECTION("in little memory") {
    Query query(2, size_t{1} << 20);
    CheckRounds(query.context, random, 6, 20'000, 60'000, 100, use);
    REQUIRE(use.spilled_bytes() != 0);
    REQUIRE(query.services.memory.used_bytes() <= size_t{1} << 20);
  }
  SECTION("with long keys in little memory") {
    Query query(1, size_t{2} << 20);
    CheckRounds(query.context, random, 3, 3'000, 2'000, 3000, use);
    REQUIRE(use.spilled_bytes() != 0);
  }
  SECTION("many rounds of few rows") {
    Query query(1, size_t{1} << 20);
    CheckRounds(query.context, random, 200, 300, 50'000, 200, use);
    REQUIRE(use.spilled_bytes() != 0);
  }
  SECTION("with every chunk spilled") {
    Query query(1);
    query.services.settings.force_partitions = ForcedPartitions::kSpilled;
    CheckRounds(query.context, random, 10, 2'000, 3'000, 50, use);
    REQUIRE(use.spilled_bytes() != 0);
  }
}

TEST_CASE("Memory of distinct rows returns to the database", "[execution]") {
  Random random(12);
  Query query(1, size_t{1} << 20);
  const size_t before = query.services.memory.used_bytes();
  MemoryUse use;
  CheckRounds(query.context, random, 2, 20'000, 60'000, 100, use);
  REQUIRE(query.services.memory.used_bytes() == before);
  REQUIRE(query.temporary_storage.used_bytes() == 0);
}

}  // namespace scaup
