// What operators need to run in tests: a query context, sources of given rows, and all rows of a plan.
#pragma once

#include "../expression/expression_maker.hpp"
#include "../vector/random_values.hpp"
#include "../vector/test_services.hpp"
#include "catalog/catalog.hpp"
#include "execution/rows/materialized_result.hpp"
#include "execution/run/physical_operator.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

/// A database's services and one running statement.
struct Query {
  explicit Query(size_t threads = 1, size_t memory_limit = size_t{1} << 32)
      : services(threads, memory_limit) {}
  ~Query() { transactions.Rollback(*transaction); }
  Services services;
  TransactionManager transactions;
  Catalog catalog{transactions};
  std::shared_ptr<Transaction> transaction = transactions.Begin();
  QueryProgress progress;
  MemoryGrants grants{services.memory};
  TemporaryStorage temporary_storage{*services.files, "/tmp", 0};
  QueryContext context{services.context, *transaction, catalog, progress, grants, temporary_storage};
};

/// Given rows in chunks of random sizes and forms; each chunk goes to whichever thread asks first. Its memory
/// is overwritten as soon as the thread asks again, unless somebody holds it: as operators may rely on no
/// more.
class RowSource final : public PhysicalOperator {
 public:
  RowSource(std::vector<LogicalType> types, const std::vector<Row>& rows, size_t max_chunk, uint64_t seed)
      : PhysicalOperator("Rows", std::move(types)), rows_(rows), max_chunk_(max_chunk), seed_(seed) {}
  struct Shared final : SharedState {
    std::mutex mutex;
    size_t next = 0;
    uint64_t batch = 0;
  };
  std::unique_ptr<SharedState> MakeShared(QueryContext&) const override { return std::make_unique<Shared>(); }
  std::unique_ptr<LocalState> MakeLocal(QueryContext&, SharedState&) const override {
    return std::make_unique<LocalState>();
  }
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 16; }
  /// Called with the number of rows given out so far.
  std::function<void(size_t)> on_chunk;
  /// Rows given out, for tests of early stops.
  mutable std::atomic<size_t> produced{0};

 protected:
  void Produce(QueryContext&, SharedState& shared_state, LocalState&, DataChunk& output) const override {
    auto& shared = static_cast<Shared&>(shared_state);
    size_t begin, count;
    {
      std::lock_guard lock(shared.mutex);
      begin = shared.next;
      count = std::min(max_chunk_, rows_.size() - begin);
      shared.next += count;
      output.batch_index = shared.batch++;
    }
    if (count == 0) return;
    Random random(seed_ + begin);
    const uint64_t batch = output.batch_index;
    DataChunk chunk = MakeChunk(random, types(),
                                {rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                                 rows_.begin() + static_cast<std::ptrdiff_t>(begin + count)});
    for (size_t i = 0; i < types().size(); i++) output.column(i) = std::move(chunk.column(i));
    output.SetSize(count);
    output.batch_index = batch;
    produced += count;
    if (on_chunk) on_chunk(produced);
  }

 private:
  const std::vector<Row>& rows_;
  size_t max_chunk_;
  uint64_t seed_;
};

inline std::unique_ptr<RowSource> Rows(const std::vector<LogicalType>& types, const std::vector<Row>& rows,
                                       size_t max_chunk = 1024, uint64_t seed = 1) {
  return std::make_unique<RowSource>(types, rows, max_chunk, seed);
}

inline std::vector<Row> RowsOf(const std::vector<LogicalType>& types, MaterializedResult& result) {
  std::vector<Row> rows(result.row_count);
  for (size_t column = 0; column < types.size(); column++) {
    MaterializedColumn& source = result.columns[column];
    for (size_t row = 0; row < result.row_count; row++) {
      if (source.has_nulls && source.nulls.data()[row] != std::byte{0}) {
        rows[row].emplace_back(types[column]);
        continue;
      }
      Vector vector(types[column]);
      vector.ReferenceFlat(source.values.data(), nullptr, nullptr);
      rows[row].push_back(vector.GetValue(row));
    }
  }
  return rows;
}

/// Prepares the plan, runs it with the context's threads, and gives its rows.
inline std::vector<Row> RunPlan(QueryContext& context, const PhysicalOperator& plan) {
  const auto shared = plan.MakeShared(context);
  plan.Prepare(context, *shared);
  MaterializedResult result = CollectResult(context, plan, *shared);
  return RowsOf(plan.types(), result);
}

}  // namespace scaup::test
