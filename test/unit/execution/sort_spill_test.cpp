// Sorting more than fits in memory: the same rows in the same order, nothing left behind, clean errors.
#include <catch2/catch.hpp>

#include "execution/sort/sort_operators.hpp"
#include "execution_fixture.hpp"
#include "sort_case.hpp"

namespace scaup {

using namespace test;

namespace {

SortOperator MakeSort(PhysicalOperatorPtr source, const SortCase& test,
                      uint64_t limit = SortOperator::kNoLimit, uint64_t offset = 0) {
  std::vector<ExpressionPtr> keys;
  for (size_t i = 0; i < test.orders.size(); i++) keys.push_back(Reference(test.orders[i].type, i));
  return SortOperator(std::move(source), std::move(keys), test.orders, limit, offset);
}

/// Prepares a plan and pulls it by one thread, without collecting the result in the query's memory.
std::vector<Row> Pull(QueryContext& context, const PhysicalOperator& plan) {
  const auto shared = plan.MakeShared(context);
  plan.Prepare(context, *shared);
  const auto local = plan.MakeLocal(context, *shared);
  DataChunk chunk(plan.types());
  std::vector<Row> rows;
  uint64_t next_batch = 0;
  while (true) {
    plan.Next(context, *shared, *local, chunk);
    if (chunk.size() == 0) return rows;
    CHECK(chunk.batch_index >= next_batch);
    next_batch = chunk.batch_index;
    for (size_t i = 0; i < chunk.size(); i++) {
      rows.emplace_back();
      for (Vector& column : chunk.columns()) rows.back().push_back(column.GetValue(i));
    }
  }
}

constexpr size_t kMiB = size_t{1} << 20;
// Sanitizers make these tests some twenty times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kRounds = 1;
const std::vector<size_t> kThreads = {2};
#else
constexpr size_t kRounds = 4;
const std::vector<size_t> kThreads = {1, 2};
#endif

}  // namespace

TEST_CASE("A sort that spills gives what a sort in memory gives", "[execution][spill]") {
  Random random(211);
  for (size_t round = 0; round < kRounds; round++) {
    const SortCase test = MakeCase(random, 25'000, round % 2 == 0 ? 50 : 1'000'000);
    auto expected = SortedRows(test);
    const uint64_t limit = round % 3 == 1 ? 9'000 : SortOperator::kNoLimit;
    const uint64_t offset = round % 3 == 2 ? 6'000 : round % 3 == 1 ? 2'500 : 0;
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
    if (expected.size() > limit) expected.resize(limit);
    for (const size_t threads : kThreads) {
      Query query(threads, 5 * kMiB / 2);
      const SortOperator sort =
          MakeSort(Rows(test.types, test.rows, 1 + Below(random, 1024), round), test, limit, offset);
      const auto result = Pull(query.context, sort);
      CHECK(query.temporary_storage.file_bytes() != 0);  // It did spill.
      CHECK(query.temporary_storage.used_bytes() == 0);
      CHECK(query.services.memory.used_bytes() == 0);
      REQUIRE(result.size() == expected.size());
      size_t wrong = 0;
      for (size_t i = 0; i < result.size(); i++) {
        // By one thread the sort is stable; by several, rows with equal keys may change places.
        for (size_t j = 0; j < (threads == 1 ? test.types.size() : test.orders.size()); j++)
          wrong += !(result[i][j] == expected[i][j]);
      }
      CHECK(wrong == 0);
      if (limit == SortOperator::kNoLimit && offset == 0)
        CHECK(SortedTexts(result) == SortedTexts(test.rows));
    }
  }
}

TEST_CASE("Rows wider than a block of a sorted run", "[execution][spill]") {
  SortCase test;
  test.orders = {{TypeId::kVarchar}};
  test.types = {TypeId::kVarchar, TypeId::kBigInt};
  for (int64_t i = 0; i < 40; i++) {
    test.rows.push_back(
        {Value::Varchar(std::string(300'000, 'x') + std::to_string(i * 7919 % 1000)), Value::BigInt(i)});
  }
  Query query(1, 8 * kMiB);
  const SortOperator sort = MakeSort(Rows(test.types, test.rows, 1), test);
  CHECK(Pull(query.context, sort) == SortedRows(test));  // 12 MB of rows, and as much of keys.
}

TEST_CASE("A sort that spills ends with the error of who stops it, and leaves nothing",
          "[execution][spill]") {
  Random random(212);
  const SortCase test = MakeCase(random, 25'000, 1'000);
  for (const size_t threads : kThreads) {
    Query query(threads, 5 * kMiB / 2);
    {
      auto source = Rows(test.types, test.rows);
      source->on_chunk = [&](size_t row_count) {
        if (row_count > 23'000) query.services.interrupted = true;
      };
      const SortOperator sort = MakeSort(std::move(source), test);
      try {
        Pull(query.context, sort);
        FAIL("was not interrupted");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kInterrupted);
      }
    }
    CHECK(query.temporary_storage.file_bytes() != 0);
    CHECK(query.temporary_storage.used_bytes() == 0);
    CHECK(query.services.memory.used_bytes() == 0);
    query.services.interrupted = false;

    query.temporary_storage.SetMaxBytes(256 << 10);
    try {
      Pull(query.context, MakeSort(Rows(test.types, test.rows), test));
      FAIL("went past the limit of the temporary file");
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == "53400");
    }
    CHECK(query.temporary_storage.used_bytes() == 0);
    CHECK(query.services.memory.used_bytes() == 0);
  }
}

}  // namespace scaup
