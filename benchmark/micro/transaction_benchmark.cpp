// Transactions over one table in memory: commits with and without validation, and scans of a table of which
// some rows were updated in place.
#include <benchmark/benchmark.h>

#include "storage/scan/table_scan.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table_read_predicate.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {
namespace {

constexpr size_t kRows = 1'000'000;
const std::vector<LogicalType> kTypes = {TypeId::kBigInt, TypeId::kBigInt};

/// Rows of a number and a value, which is 0.
struct Store {
  explicit Store(size_t row_count) {
    const auto transaction = transactions.Begin();
    RowGroupBuilder builder(kTypes, memory);
    for (size_t first = 0; first < row_count; first += kVectorSize) {
      const size_t count = std::min(kVectorSize, row_count - first);
      DataChunk chunk(kTypes);
      chunk.ResetForWriting();
      for (size_t i = 0; i < count; i++) {
        chunk.column(0).MutableData<int64_t>()[i] = static_cast<int64_t>(first + i);
        chunk.column(1).MutableData<int64_t>()[i] = 0;
      }
      chunk.SetSize(count);
      builder.Append(chunk);
    }
    builder.Finish();
    table->Insert({*transaction, "t"}, builder.TakeFinished(), builder.statistics(), {});
    transactions.Commit(*transaction);
  }

  void Update(Transaction& transaction, std::span<const RowNumber> rows, int64_t value) {
    DataChunk values({kTypes[1]});
    values.ResetForWriting();
    for (size_t i = 0; i < rows.size(); i++) values.column(0).MutableData<int64_t>()[i] = value;
    values.SetSize(rows.size());
    const std::vector<size_t> columns = {1};
    table->Update({transaction, "t"}, rows, columns, values);
  }

  MemoryTracker memory{size_t{1} << 32};
  TransactionManager transactions;
  std::shared_ptr<Table> table = std::make_shared<Table>(kTypes, memory, 1);
};

/// Transactions at a time, each of which reads a row by its number, or a hundred, and updates one; then they
/// commit.
void Commits(benchmark::State& state) {
  constexpr size_t kConcurrent = 8;
  const bool validates = state.range(0) != 0;
  const int64_t range = state.range(1);
  Store store(100'000);
  store.transactions.SetValidation(validates);
  int64_t next = 0;
  for (auto _ : state) {
    std::vector<std::shared_ptr<Transaction>> open;
    for (size_t i = 0; i < kConcurrent; i++) {
      auto& transaction = *open.emplace_back(store.transactions.Begin());
      const auto row = static_cast<RowNumber>(next = (next + 7919) % 99'000);
      const int64_t first = static_cast<int64_t>(row) - static_cast<int64_t>(row) % range;
      std::vector<ScanFilter> filters = {{0, ScanFilter::Op::kGreaterEqual, Value::BigInt(first)},
                                         {0, ScanFilter::Op::kLess, Value::BigInt(first + range)}};
      transaction.LogRead(std::make_unique<TableReadPredicate>(store.table, "t", store.table->types(),
                                                               std::vector<size_t>{0, 1},
                                                               ScanPredicate{std::move(filters)}));
      store.Update(transaction, {&row, 1}, next);
    }
    for (const auto& transaction : open) store.transactions.Commit(*transaction);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kConcurrent));
}
BENCHMARK(Commits)->ArgNames({"validates", "rows read"})->ArgsProduct({{0, 1}, {1, 100}});

/// Sums a column, of which one row in so many was updated (0: none) and not folded.
void ScanUpdated(benchmark::State& state) {
  const auto one_in = static_cast<size_t>(state.range(0));
  Store store(kRows);
  // Of a table that is never folded: who reads it keeps what was.
  const auto keeper = store.transactions.Begin();
  for (size_t first = 0; one_in != 0 && first < kRows; first += kVectorSize * one_in) {
    std::vector<RowNumber> rows;
    for (RowNumber row = first; row < kRows && rows.size() < kVectorSize; row += one_in) rows.push_back(row);
    const auto transaction = store.transactions.Begin();
    store.Update(*transaction, rows, 1);
    store.transactions.Commit(*transaction);
  }
  store.transactions.Rollback(*keeper);
  for (auto _ : state) {
    const ReadTransaction reader(store.transactions);
    TableScan scan(store.table->UnloggedView(*reader), kTypes, {{1}, {}}, KernelsOf(BestKernelLevel()), 16);
    TableScan::Position position;
    DataChunk chunk({kTypes[1]});
    int64_t sum = 0;
    for (; scan.Next(position, chunk); chunk.Release()) {
      const auto view = chunk.column(0).ViewAs<int64_t>(chunk.size());
      for (size_t i = 0; i < chunk.size(); i++) sum += view[i];
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kRows));
}
BENCHMARK(ScanUpdated)->ArgName("one in")->Arg(0)->Arg(10000)->Arg(1000)->Arg(100)->Arg(10);

}  // namespace
}  // namespace scaup
