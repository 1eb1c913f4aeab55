// Samples of tables: which rows they have, and when another one is picked.
#include "storage/scan/table_sample.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <set>
#include <thread>

#include "../table_fixture.hpp"
#include "scaup/error.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_sampler.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {
namespace {

const std::vector<LogicalType> kTypes = {TypeId::kBigInt, TypeId::kVarchar};

class SampleFixture {
 public:
  void Insert(int64_t begin, int64_t end) {
    const auto transaction = transactions.Begin();
    InsertInto(*transaction, begin, end);
    transactions.Commit(*transaction);
  }

  void InsertInto(Transaction& transaction, int64_t begin, int64_t end) {
    test::InsertNumbered(*table, transaction, begin, end, [&](DataChunk& chunk, size_t i, int64_t id) {
      chunk.column(0).SetValue(i, Value::BigInt(id));
      chunk.column(1).SetValue(i, Value::Varchar(TextOf(id)));
    });
  }

  void Delete(RowNumber begin, RowNumber end) {
    const auto transaction = transactions.Begin();
    std::vector<RowNumber> rows;
    for (RowNumber row = begin; row < end; row++) rows.push_back(row);
    table->Delete({*transaction, "t"}, rows);
    transactions.Commit(*transaction);
  }

  void Analyze() {
    const ReadTransaction transaction(transactions);
    table->sampler().Analyze(*transaction);
  }

  /// The first column of the sample, whose rows are checked to be whole. Empty if there is none.
  std::multiset<int64_t> Ids() const {
    const auto sample = table->sampler().Sample();
    std::multiset<int64_t> ids;
    if (!sample) return ids;
    TableScan scan(TableView::Of(sample->snapshot), kTypes, {{0, 1}, {}}, KernelsOf(BestKernelLevel()), 16);
    TableScan::Position position;
    DataChunk chunk(kTypes);
    while (scan.Next(position, chunk)) {
      for (size_t row = 0; row < chunk.size(); row++) {
        const int64_t id = static_cast<int64_t>(chunk.column(0).GetValue(row).GetInteger());
        if (chunk.column(1).GetValue(row).GetString() != TextOf(id)) FAIL("row " << id << " is torn");
        ids.insert(id);
      }
      chunk.Release();
    }
    return ids;
  }

  std::string TextOf(int64_t id) const { return std::string(text_length, 'x') + std::to_string(id); }

  size_t text_length = 12;
  MemoryTracker memory{size_t{1} << 30};
  TransactionManager transactions;
  std::shared_ptr<Table> table = std::make_shared<Table>(kTypes, memory);
};

size_t CountBetween(const std::multiset<int64_t>& ids, int64_t begin, int64_t end) {
  return static_cast<size_t>(std::distance(ids.lower_bound(begin), ids.lower_bound(end)));
}

}  // namespace

TEST_CASE("a table with few rows has no sample, and is read whole", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, kSampleRows);
  fixture.Analyze();
  CHECK(!fixture.table->sampler().Sample());
  const ReadTransaction reader(fixture.transactions);
  const auto rows = fixture.table->sampler().View(*reader);
  REQUIRE(rows);
  CHECK(rows->is_whole);
  CHECK(rows->view.row_count() == kSampleRows);
}

TEST_CASE("a sample has different rows from all over the table", "[sample]") {
  const int64_t row_count = GENERATE(5'000, 70'000, 300'000);
  SampleFixture fixture;
  fixture.Insert(0, row_count);
  const auto ids = fixture.Ids();
  CHECK(ids.size() > kSampleRows * 9 / 10);
  CHECK(ids.size() <= kSampleRows);
  CHECK(std::set<int64_t>(ids.begin(), ids.end()).size() == ids.size());
  CHECK(*ids.rbegin() < row_count);
  for (int64_t part = 0; part < 10; part++) {
    const size_t found = CountBetween(ids, row_count * part / 10, row_count * (part + 1) / 10);
    CHECK(found > ids.size() / 10 - ids.size() / 50);
    CHECK(found < ids.size() / 10 + ids.size() / 50);
  }
  CHECK(fixture.table->sampler().Sample()->row_count == static_cast<uint64_t>(row_count));
  const ReadTransaction reader(fixture.transactions);
  CHECK(!fixture.table->sampler().View(*reader)->is_whole);
}

TEST_CASE("each sample has other rows", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, 100'000);
  const auto first = fixture.Ids();
  fixture.Analyze();
  CHECK(first != fixture.Ids());
}

TEST_CASE("new rows get the share of a sample that is theirs", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, 100'000);
  const auto first = fixture.table->sampler().Sample();
  fixture.Insert(100'000, 110'000);
  CHECK(fixture.table->sampler().Sample() == first);
  fixture.Insert(110'000, 200'000);
  const auto ids = fixture.Ids();
  CHECK(fixture.table->sampler().Sample() != first);
  CHECK(fixture.table->sampler().Sample()->row_count == 200'000);
  CHECK(CountBetween(ids, 0, 100'000) == kSampleRows / 2);
  CHECK(CountBetween(ids, 100'000, 200'000) > kSampleRows * 9 / 20);
  CHECK(CountBetween(ids, 100'000, 200'000) <= kSampleRows / 2);
}

TEST_CASE("deleted rows are not picked, and many of them ask for another sample", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, 100'000);
  fixture.Delete(0, 60'000);
  CHECK(CountBetween(fixture.Ids(), 0, 60'000) == 0);
  CHECK(CountBetween(fixture.Ids(), 60'000, 100'000) > kSampleRows / 4);
}

TEST_CASE("ANALYZE sees what its transaction has inserted", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, 10'000);
  const auto transaction = fixture.transactions.Begin();
  fixture.InsertInto(*transaction, 10'000, 40'000);
  fixture.table->sampler().Analyze(*transaction);
  CHECK(CountBetween(fixture.Ids(), 10'000, 40'000) > kSampleRows / 2);
  fixture.transactions.Rollback(*transaction);
}

TEST_CASE("a sample of long strings has fewer rows, still from all over the table", "[sample]") {
  SampleFixture fixture;
  fixture.text_length = 20'000;
  fixture.Insert(0, 6'000);
  const auto ids = fixture.Ids();
  CHECK(ids.size() > 100);
  CHECK(ids.size() < 1'500);
  CHECK(CountBetween(ids, 0, 3'000) > ids.size() / 3);
  CHECK(CountBetween(ids, 3'000, 6'000) > ids.size() / 3);
}

TEST_CASE("where there is no memory for a sample there is none, and commits succeed", "[sample]") {
  SampleFixture fixture;
  fixture.text_length = 100;
  fixture.Insert(0, 4'000);
  fixture.memory.SetLimit(fixture.memory.used_bytes() + 400'000);
  fixture.Insert(4'000, 5'000);
  CHECK(!fixture.table->sampler().Sample());
  CHECK_THROWS_AS(fixture.Analyze(), Error);
  fixture.memory.SetLimit(size_t{1} << 30);
  fixture.Analyze();
  CHECK(fixture.table->sampler().Sample());
}

TEST_CASE("samples are picked while others insert, delete and read", "[sample]") {
  SampleFixture fixture;
  fixture.Insert(0, 20'000);
  std::atomic<bool> is_done{false};
  std::thread reader([&] {
    while (!is_done) {
      fixture.Analyze();
      CHECK(fixture.Ids().size() <= kSampleRows);
    }
  });
  for (int64_t i = 0; i < 20; i++) {
    fixture.Insert(20'000 + i * 10'000, 30'000 + i * 10'000);
    fixture.Delete(static_cast<RowNumber>(i) * 10'000, static_cast<RowNumber>(i) * 10'000 + 5'000);
  }
  is_done = true;
  reader.join();
  CHECK(!fixture.Ids().empty());
}

}  // namespace scaup
