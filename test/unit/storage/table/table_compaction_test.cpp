// Tables in memory: what was changed in place goes into new row groups, and its memory is given back.
#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <thread>

#include "../table_fixture.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {
namespace {

const std::vector<LogicalType> kTypes = {TypeId::kBigInt, TypeId::kBigInt, TypeId::kVarchar};

class CompactionFixture {
 public:
  void Insert(int64_t begin, int64_t end) {
    const auto transaction = transactions.Begin();
    test::InsertNumbered(*table, *transaction, begin, end, [](DataChunk& chunk, size_t i, int64_t id) {
      chunk.column(0).SetValue(i, Value::BigInt(id));
      chunk.column(1).SetValue(i, Value::BigInt(0));
      chunk.column(2).SetValue(i, Value::Varchar(TextOf(id, 0)));
    });
    transactions.Commit(*transaction);
  }

  /// Sets the second column, and with `texts` the third, of up to 1024 rows from `first` on, in steps.
  void Update(RowNumber first, size_t count, size_t step, int64_t value, bool texts = false) {
    const auto transaction = transactions.Begin();
    std::vector<RowNumber> rows;
    DataChunk chunk(texts ? std::vector<LogicalType>{kTypes[1], kTypes[2]}
                          : std::vector<LogicalType>{kTypes[1]});
    chunk.ResetForWriting();
    for (size_t i = 0; i < count; i++) {
      rows.push_back(first + i * step);
      chunk.column(0).SetValue(i, Value::BigInt(value));
      if (texts) chunk.column(1).SetValue(i, Value::Varchar(TextOf(static_cast<int64_t>(rows[i]), value)));
    }
    chunk.SetSize(count);
    const std::vector<size_t> columns = texts ? std::vector<size_t>{1, 2} : std::vector<size_t>{1};
    table->Update({*transaction, "t"}, rows, columns, chunk);
    transactions.Commit(*transaction);
  }

  void Delete(RowNumber begin, RowNumber end, size_t step = 1) {
    const auto transaction = transactions.Begin();
    std::vector<RowNumber> rows;
    for (RowNumber row = begin; row < end; row += step) rows.push_back(row);
    table->Delete({*transaction, "t"}, rows);
    transactions.Commit(*transaction);
  }

  /// By id, the second column; checks the third.
  std::map<int64_t, int64_t> Read(const Transaction& transaction) const {
    TableScan scan(table->UnloggedView(transaction), kTypes, {{0, 1, 2}, {}}, KernelsOf(BestKernelLevel()),
                   16);
    TableScan::Position position;
    DataChunk chunk(kTypes);
    std::map<int64_t, int64_t> rows;
    for (; scan.Next(position, chunk); chunk.Release()) {
      for (size_t row = 0; row < chunk.size(); row++) {
        const auto id = static_cast<int64_t>(chunk.column(0).GetValue(row).GetInteger());
        REQUIRE(rows.emplace(id, static_cast<int64_t>(chunk.column(1).GetValue(row).GetInteger())).second);
      }
    }
    return rows;
  }
  std::map<int64_t, int64_t> ReadNow() {
    const ReadTransaction reader(transactions);
    return Read(*reader);
  }

  size_t OverlayRows() const {
    size_t count = 0;
    std::vector<uint32_t> columns;
    for (const auto& [row, block] : table->versions()->Blocks()) {
      const MutexLock lock(block->mutex);
      count += block->OverlayZone(1) == nullptr ? 0 : 1;
    }
    return count;
  }

  static std::string TextOf(int64_t id, int64_t value) {
    return "the text of row " + std::to_string(id) + " as it is at " + std::to_string(value);
  }

  MemoryTracker memory{size_t{1} << 30};
  TransactionManager transactions;
  std::shared_ptr<Table> table = std::make_shared<Table>(kTypes, memory);
};

constexpr size_t kRows = kRowsPerRowGroup + 30'000;  // Two row groups.

TEST_CASE("memory of rows that are updated over and over stays flat", "[storage][table][folding]") {
  CompactionFixture fixture;
  fixture.Insert(0, kRows);
  const size_t inserted = fixture.memory.used_bytes();
  const bool texts = GENERATE(false, true);
  size_t most = 0;
  for (int64_t round = 1; round <= 3; round++) {
    for (size_t first = 0; first < 150; first++) fixture.Update(first, kVectorSize, 150, round, texts);
    most = std::max(most, fixture.memory.used_bytes());
  }
  // Each round changes every row; the overlays alone would take far more than a quarter.
  REQUIRE(fixture.memory.used_bytes() < inserted + inserted / 4);
  REQUIRE(most < inserted + inserted / 2);
  const auto rows = fixture.ReadNow();
  REQUIRE(rows.size() == kRows);
  for (const auto& [id, value] : rows) {
    if (value != (id < 150 * 1024 ? 3 : 0)) FAIL("row " << id << " has " << value);
  }
}

TEST_CASE("a reader keeps what it sees, and memory is given back after it", "[storage][table][folding]") {
  CompactionFixture fixture;
  fixture.Insert(0, kRows);
  const auto reader = fixture.transactions.Begin();
  for (size_t first = 0; first < 100; first++) fixture.Update(first, kVectorSize, 100, 1);
  REQUIRE(fixture.OverlayRows() != 0);
  for (const auto& [id, value] : fixture.Read(*reader)) REQUIRE(value == 0);
  fixture.transactions.Rollback(*reader);
  // The next to commit tidies up.
  for (size_t i = 0; i < 4; i++) fixture.Update(kRows - 5000, kVectorSize, 1, 2);
  for (const auto& [row, block] : fixture.table->versions()->Blocks()) {
    const MutexLock lock(block->mutex);
    REQUIRE_FALSE(block->has_records());
    if (row < kRows - 10'000) REQUIRE(block->OverlayZone(1) == nullptr);
  }
  const auto rows = fixture.ReadNow();
  for (const auto& [id, value] : rows) {
    const bool twice = id >= int64_t{kRows} - 5000 && id < int64_t{kRows} - 5000 + 1024;
    if (value != (twice ? 2 : id < 102'400 ? 1 : 0)) FAIL("row " << id << " has " << value);
  }
}

TEST_CASE("deleted rows give their memory back, block by block", "[storage][table][folding]") {
  CompactionFixture fixture;
  fixture.Insert(0, kRows);
  const size_t inserted = fixture.memory.used_bytes();
  fixture.Update(90 * kVectorSize, 500, 2, 7, true);
  // A queue: rows go at the front.
  fixture.Delete(0, 80 * kVectorSize);
  REQUIRE(fixture.memory.used_bytes() < inserted * 2 / 3);
  REQUIRE(fixture.table->snapshots().Newest()->row_count == kRows - 80 * kVectorSize);
  REQUIRE(fixture.table->snapshots().Newest()->deleted_count == 0);
  auto rows = fixture.ReadNow();
  REQUIRE(rows.size() == kRows - 80 * kVectorSize);
  REQUIRE(rows.begin()->first == 80 * kVectorSize);
  REQUIRE(rows[90 * kVectorSize + 2] == 7);
  REQUIRE(rows[90 * kVectorSize + 3] == 0);
  // Single rows among others stay where they are, and are still gone.
  fixture.Delete(80 * kVectorSize, kRows, 2);
  REQUIRE(fixture.ReadNow().size() == (kRows - 80 * kVectorSize) / 2);
  fixture.Delete(80 * kVectorSize + 1, kRows, 2);
  REQUIRE(fixture.ReadNow().empty());
  REQUIRE(fixture.memory.used_bytes() < inserted / 20);
  REQUIRE(fixture.table->snapshots().Newest()->row_groups.empty());
  REQUIRE(fixture.table->versions()->Blocks().size() == 1);  // That which new rows may belong to.
  // Numbers go on.
  fixture.Insert(0, 10);
  REQUIRE(fixture.table->snapshots().Newest()->first_rows.front() == kRows);
  REQUIRE(fixture.ReadNow().size() == 10);
}

TEST_CASE("row groups are compacted while rows are added and changed", "[storage][table][folding]") {
  CompactionFixture fixture;
  constexpr size_t kFirst = 5000;
  fixture.Insert(0, kFirst);
  std::atomic<bool> stop{false};
  std::thread inserter([&] {
    for (int64_t i = 0; i < 400; i++) fixture.Insert(kFirst + i * 3, kFirst + i * 3 + 3);
    stop = true;
  });
  int64_t round = 0;
  while (!stop || round < 50) {
    round++;
    fixture.Update(0, kVectorSize, 4, round);
    fixture.Update(1, kVectorSize, 4, round, true);
  }
  inserter.join();
  const auto rows = fixture.ReadNow();
  REQUIRE(rows.size() == kFirst + 1200);
  for (const auto& [id, value] : rows) {
    if (value != (id < 4096 && id % 4 < 2 ? round : 0)) FAIL("row " << id << " has " << value);
  }
}

}  // namespace
}  // namespace scaup
