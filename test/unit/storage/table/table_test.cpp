// Tables: what a transaction sees, joining of small inserts, rollback, many threads at once.
#include "storage/table/table.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "../../effort.hpp"
#include "../table_fixture.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kVarchar};

std::vector<Row> Numbered(size_t begin, size_t count) {
  std::vector<Row> rows;
  for (size_t i = begin; i < begin + count; i++) {
    rows.push_back({Value::Integer(static_cast<int32_t>(i)),
                    Value::Varchar("the text of row number " + std::to_string(i % 100))});
  }
  return rows;
}

}  // namespace

TEST_CASE("A transaction sees what was committed before it began", "[storage]") {
  Random random(61);
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(kTypes, memory);
  const auto before = transactions.Begin();
  const auto writer = transactions.Begin();
  Insert(random, *table, *writer, Numbered(0, 10), memory);
  Insert(random, *table, *writer, Numbered(10, 5), memory);
  const auto meanwhile = transactions.Begin();
  CHECK(table->snapshots().SeenBy(*writer)->row_count == 0);
  transactions.Commit(*writer);
  const auto after = transactions.Begin();
  CHECK(ReadTable(*table, *before).empty());
  CHECK(ReadTable(*table, *meanwhile).empty());
  CHECK(SortedTexts(ReadTable(*table, *after)) == SortedTexts(Numbered(0, 15)));
  CHECK(table->snapshots().SeenBy(*after)->row_count == 15);
  CHECK(table->snapshots().SeenBy(*after)->statistics[0].row_count == 15);
  for (const auto& transaction : {before, meanwhile, after}) transactions.Rollback(*transaction);
}

TEST_CASE("Rolled back rows vanish, with their memory", "[storage]") {
  Random random(62);
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(kTypes, memory);
  const auto writer = transactions.Begin();
  Insert(random, *table, *writer, Numbered(0, 5000), memory);
  CHECK(memory.used_bytes() > 0);
  transactions.Rollback(*writer);
  CHECK(memory.used_bytes() == 0);
  const auto reader = transactions.Begin();
  CHECK(ReadTable(*table, *reader).empty());
  CHECK(table->snapshots().SeenBy(*reader)->statistics[0].row_count == 0);
  transactions.Rollback(*reader);
}

TEST_CASE("Small inserts are joined, in order, and old snapshots stay as they were", "[storage]") {
  Random random(63);
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(kTypes, memory);
  std::vector<Row> expected;
  std::vector<std::pair<std::shared_ptr<const TableSnapshot>, size_t>> snapshots;
  std::vector<size_t> counts = {1, 1, 1022, 1, 2000, 3, 1000, 5};
  if (test::kSlowness == 1) counts.insert(counts.end(), {60000, 5, 70000, 1000, 66000, 1});
  for (const size_t count : counts) {
    const auto rows = Numbered(expected.size(), count);
    const auto writer = transactions.Begin();
    Insert(random, *table, *writer, rows, memory);
    transactions.Commit(*writer);
    expected.insert(expected.end(), rows.begin(), rows.end());
    const auto reader = transactions.Begin();
    snapshots.emplace_back(table->snapshots().SeenBy(*reader), expected.size());
    transactions.Rollback(*reader);
  }
  CHECK(snapshots.back().first->row_groups.size() <= 4);
  for (const auto& [snapshot, count] : snapshots) {
    REQUIRE(snapshot->row_count == count);
    TableScan scan(TableView::Of(snapshot), kTypes, {{0, 1}, {}}, KernelsOf(BestKernelLevel()), 16);
    const auto rows = Drain(scan, kTypes);
    REQUIRE(rows.size() == count);
    for (size_t i = 0; i < count; i += 1 + i / 50) REQUIRE(TextOf(rows[i]) == TextOf(expected[i]));
  }
}

TEST_CASE("Snapshots that nobody can see any more are freed", "[storage]") {
  Random random(64);
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(kTypes, memory);
  const auto insert = [&] {
    const auto writer = transactions.Begin();
    Insert(random, *table, *writer, Numbered(0, 10), memory);
    transactions.Commit(*writer);
  };
  insert();
  const auto reader = transactions.Begin();
  const std::weak_ptr<const TableSnapshot> old = table->snapshots().SeenBy(*reader);
  for (size_t i = 0; i < 5; i++) insert();
  CHECK(ReadTable(*table, *reader).size() == 10);
  CHECK_FALSE(old.expired());
  transactions.Commit(*reader);  // Nothing else is inserted: the end of the reader alone frees it.
  CHECK(old.expired());
}

TEST_CASE("Writers and readers in many threads see whole commits", "[storage]") {
  MemoryTracker memory(size_t{1} << 30);
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(kTypes, memory);
  constexpr size_t kWriters = 3, kCommits = 60, kRowsEach = 37;
  std::atomic<bool> done{false};
  std::atomic<size_t> wrong{0};
  std::vector<std::thread> threads;
  for (size_t w = 0; w < kWriters; w++) {
    threads.emplace_back([&, w] {
      Random random(70 + w);
      for (size_t i = 0; i < kCommits; i++) {
        const auto writer = transactions.Begin();
        Insert(random, *table, *writer, Numbered(0, kRowsEach), memory);
        if (i % 5 == 4) {
          transactions.Rollback(*writer);
        } else {
          transactions.Commit(*writer);
        }
      }
    });
  }
  for (size_t r = 0; r < 2; r++) {
    threads.emplace_back([&] {
      size_t last = 0;
      while (!done.load()) {
        const auto reader = transactions.Begin();
        const size_t first_count = ReadTable(*table, *reader).size();
        const size_t second_count = ReadTable(*table, *reader).size();
        wrong += first_count % kRowsEach != 0 || first_count != second_count || first_count < last;
        last = first_count;
        transactions.Rollback(*reader);
      }
    });
  }
  for (size_t i = 0; i < kWriters; i++) threads[i].join();
  done = true;
  for (size_t i = kWriters; i < threads.size(); i++) threads[i].join();
  CHECK(wrong == 0);
  const auto reader = transactions.Begin();
  CHECK(ReadTable(*table, *reader).size() == kWriters * kCommits * 4 / 5 * kRowsEach);
  transactions.Rollback(*reader);
}

}  // namespace scaup
