// What a running query may use: transaction, services, settings, cancellation, progress, profile.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/memory_arbiter.hpp"
#include "common/memory_tracker.hpp"
#include "common/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/function_context.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class KeyChanges;

/// How far the scans of one query are. Thread-safe.
class QueryProgress {
 public:
  /// `progress` returns 0 to 1 and stays callable until Clear.
  void AddScan(double weight, std::function<double()> progress);
  void Clear();
  /// The weighted mean of all scans; negative when there is none.
  double Current() const;

 private:
  struct Scan {
    double weight;
    std::function<double()> progress;
  };
  mutable std::mutex mutex_;
  std::vector<Scan> scans_;
};

/// Borrowed by all operators of a query; outlives their states. The members are safe to use from every task.
struct QueryContext {
  FunctionContext functions;
  Transaction& transaction;
  Catalog& catalog;
  QueryProgress& progress;
  /// Shares the memory among what can spill to `temporary_storage`.
  MemoryArbiter& arbiter;
  TemporaryStorage& temporary_storage;
  /// Rows that INSERT, COPY and the like changed.
  std::atomic<uint64_t> rows_changed{0};
  /// EXPLAIN ANALYZE: operators measure their time.
  bool profiling = false;
  /// Where writes note what they do to foreign keys; null: nobody asks.
  KeyChanges* key_changes = nullptr;

  MemoryTracker& memory() const { return functions.memory; }
  TaskScheduler& scheduler() const { return functions.scheduler; }
  const Settings& settings() const { return functions.settings; }
};

}  // namespace scaup
