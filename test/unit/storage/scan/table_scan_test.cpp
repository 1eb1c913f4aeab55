// Scans with filters against row-by-row filtering, by one thread and by several.
#include "storage/scan/table_scan.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "../../effort.hpp"
#include "../filter_reference.hpp"
#include "../table_fixture.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

using namespace test;

TEST_CASE("Filtered scans give the rows that pass", "[storage]") {
  Random random(81);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar, TypeId::kDouble,
                                          TypeId::kHugeInt, TypeId::kVarchar, TypeId::kInterval};
  std::vector<Row> rows = RandomRows(random, types, 40000, 10, 30);
  // Stretches of order, so that zone maps have something to skip; a text column with a dictionary and one
  // without.
  for (size_t i = 0; i < rows.size(); i++) {
    rows[i][0] = i % 1000 == 7 ? Value(TypeId::kInteger) : Value::Integer(static_cast<int32_t>(i / 64));
    rows[i][4] = Value::Varchar("text number " + std::to_string(i % 7000));
  }
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(types, memory);
  for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 1500}, {1500, 39000}, {39000, 40000}}) {
    const auto writer = transactions.Begin();
    Insert(random, *table, *writer, {rows.begin() + begin, rows.begin() + end}, memory);
    transactions.Commit(*writer);
  }
  const auto reader = transactions.Begin();
  size_t skipped = 0;
  for (size_t round = 0; round < test::Effort(120); round++) {
    std::vector<ScanFilter> filters;
    for (size_t i = 0; i < Below(random, 4); i++) {
      const size_t column = Below(random, types.size());
      const Value constant = column == 0 ? Value::Integer(static_cast<int32_t>(Below(random, 700)))
                             : column == 4
                                 ? Value::Varchar("text number " + std::to_string(Below(random, 7500)))
                                 : RandomValue(random, types[column], 0, 30);
      filters.push_back({column, static_cast<ScanFilter::Op>(Below(random, 8)), constant});
    }
    std::vector<size_t> columns;
    for (size_t i = 0; i < types.size(); i++) {
      if (Chance(random, 50)) columns.push_back(i);
    }
    std::vector<LogicalType> output_types;
    for (const size_t column : columns) output_types.push_back(types[column]);
    TableScan scan(table->UnloggedView(*reader), types, {columns, filters}, KernelsOf(BestKernelLevel()),
                   1 + Below(random, 128));
    const size_t thread_count = 1 + round % 3;
    std::vector<std::vector<std::pair<uint64_t, Row>>> parts(thread_count);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < thread_count; t++) {
      threads.emplace_back([&, t] {
        TableScan::Position position;
        DataChunk chunk(output_types);
        while (true) {
          chunk.Release();
          if (!scan.Next(position, chunk)) break;
          for (Row& row : RowsOf(chunk)) parts[t].emplace_back(chunk.batch_index, std::move(row));
        }
        if (scan.Next(position, chunk)) parts[t].emplace_back(0, Row{Value::Varchar("a row after the end")});
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(scan.morsels().Progress() == 1);
    // In the table's order once sorted by batch.
    std::vector<std::pair<uint64_t, Row>> all;
    for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    size_t next = 0;
    for (const Row& row : rows) {
      bool passes = true;
      for (const ScanFilter& filter : filters) passes = passes && Passes(row[filter.column], filter);
      if (!passes) continue;
      Row wanted;
      for (const size_t column : columns) wanted.push_back(row[column]);
      REQUIRE(next < all.size());
      REQUIRE(TextOf(all[next++].second) == TextOf(wanted));
    }
    REQUIRE(next == all.size());
    skipped += scan.counters().blocks_skipped;
  }
  CHECK(skipped > test::Effort(100));
  transactions.Rollback(*reader);
}

TEST_CASE("Scans leave out rows that pass none of several filters, and skip blocks without others",
          "[storage]") {
  Random random(82);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kVarchar};
  std::vector<Row> rows;
  for (int32_t i = 0; i < 40000; i++)
    rows.push_back({Value::Integer(i), i % 3 == 0 ? Value(TypeId::kVarchar) : Value::Varchar("few")});
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(types, memory);
  const auto writer = transactions.Begin();
  Insert(random, *table, *writer, rows, memory);
  transactions.Commit(*writer);
  const auto reader = transactions.Begin();
  using Op = ScanFilter::Op;
  const auto count_rows = [&](std::vector<std::vector<ScanFilter>> alternatives, uint64_t& skipped) {
    TableScan scan(table->UnloggedView(*reader), types,
                   {.columns = {1, 0}, .predicate = {.alternatives = std::move(alternatives)}},
                   KernelsOf(BestKernelLevel()), 128);
    TableScan::Position position;
    DataChunk chunk({types[1], types[0]});
    size_t count = 0;
    while (scan.Next(position, chunk)) {
      count += chunk.size();
      chunk.Release();
    }
    skipped = scan.counters().blocks_skipped;
    return count;
  };
  const ScanFilter first{0, Op::kLess, Value::Integer(10)}, last{0, Op::kGreater, Value::Integer(39989)};
  const ScanFilter missing{1, Op::kIsNull, {}}, present{1, Op::kIsNotNull, {}},
      all{0, Op::kGreater, Value::Integer(-1)};
  uint64_t skipped = 0;
  CHECK(count_rows({{first, last}}, skipped) == 20);
  CHECK(skipped == 38);
  CHECK(count_rows({{first, last}, {missing, last}}, skipped) == 14);
  CHECK(count_rows({{first, all}}, skipped) == 40000);
  CHECK(skipped == 0);
  CHECK(count_rows({{first, missing}}, skipped) == 13340);
  // Where most rows pass, the others may come, too: who asked tests them again.
  CHECK(count_rows({{present, first}}, skipped) >= 26670);
  transactions.Rollback(*reader);
}

TEST_CASE("A scan that finds nothing hands control back between morsels", "[storage]") {
  Random random(82);
  MemoryTracker memory(size_t{1} << 30);
  const std::vector<LogicalType> types = {TypeId::kVarchar};
  std::vector<Row> rows;
  for (size_t i = 0; i < 20000; i++) rows.push_back({Value::Varchar("common prefix " + std::to_string(i))});
  TransactionManager transactions;
  const auto table = std::make_shared<Table>(types, memory);
  const auto writer = transactions.Begin();
  Insert(random, *table, *writer, rows, memory);
  transactions.Commit(*writer);
  const auto reader = transactions.Begin();
  TableScan scan(table->UnloggedView(*reader), types,
                 {{0}, {{{0, ScanFilter::Op::kEqual, Value::Varchar("common prefix no")}}}},
                 KernelsOf(BestKernelLevel()), 4);
  TableScan::Position position;
  DataChunk chunk(types);
  size_t calls = 0;
  while (scan.Next(position, chunk)) {
    CHECK(chunk.size() == 0);
    calls++;
  }
  CHECK(calls == scan.morsels().count());
  transactions.Rollback(*reader);
}

TEST_CASE("What a scan hands out outlives the table", "[storage]") {
  Random random(83);
  MemoryTracker memory(size_t{1} << 30);
  DataChunk kept({TypeId::kVarchar, TypeId::kInteger});
  {
    TransactionManager transactions;
    auto table = std::make_shared<Table>(kept.types(), memory);
    const auto writer = transactions.Begin();
    std::vector<Row> rows(100,
                          {Value::Varchar("a text that lies in the row group's heap"), Value::Integer(5)});
    Insert(random, *table, *writer, rows, memory);
    transactions.Commit(*writer);
    const auto reader = transactions.Begin();
    TableScan scan(table->UnloggedView(*reader), table->types(), {{0, 1}, {}}, KernelsOf(BestKernelLevel()),
                   16);
    TableScan::Position position;
    REQUIRE(scan.Next(position, kept));
    transactions.Rollback(*reader);
  }
  CHECK(kept.column(0).GetValue(99).GetString() == "a text that lies in the row group's heap");
  CHECK(kept.column(1).GetValue(99).GetInteger() == 5);
}

}  // namespace scaup
