// What a running query may use: transaction, services, settings, cancellation, progress, profile.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/memory/memory_arbiter.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/function_context.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class KeyChanges;
class KeyLookupPredicate;
class SharedRows;

/// Where the scans of a query find the rows that they share. Thread-safe.
class SharedRowsDirectory {
 public:
  /// From now on `rows` are those of `share`. Borrowed: the states of the scans end before the rows do.
  void Set(size_t share, SharedRows* rows);
  SharedRows* Find(size_t share) const;

 private:
  mutable std::mutex mutex_;
  std::map<size_t, SharedRows*> rows_;
};

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

/// The views that the scans of a query read: a part of the plan that runs again reads the same as the first
/// time, whatever the statement has written since. Thread-safe.
class ScanViews {
 public:
  /// Takes a view for the scan (an operator), to be read again.
  TableView Keep(const void* scan, TableView view);
  /// The one that was kept.
  TableView KeptFor(const void* scan) const;
  /// Where the scan notes what it reads, if that is not known before: the transaction's; null if it is not
  /// asked for.
  void KeepRead(const void* scan, KeyLookupPredicate* read);
  KeyLookupPredicate* ReadKeptFor(const void* scan) const;

 private:
  mutable std::mutex mutex_;
  std::map<const void*, TableView> views_;
  std::map<const void*, KeyLookupPredicate*> reads_;
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
  SharedRowsDirectory shared_rows;
  ScanViews scan_views;
  /// Above 0 while states are made for a part of the plan that a recursion will run again.
  std::atomic<size_t> recursions{0};
  /// Above 0 while a recursion runs a part of the plan again: what scans tell of themselves was told before.
  std::atomic<size_t> repetitions{0};
  /// EXPLAIN ANALYZE: operators measure their time.
  bool profiling = false;
  /// Where the parts of a statement put off what they write, until all of them have read; null: they write at
  /// once. Of the thread that prepares the plan alone.
  std::vector<std::function<void()>>* writes_put_off = nullptr;
  /// Writes now, or once all parts of the statement have read.
  void Write(std::function<void()> write) {
    if (writes_put_off == nullptr) return write();
    writes_put_off->push_back(std::move(write));
  }
  /// Where writes note what they do to foreign keys; null: nobody asks.
  KeyChanges* key_changes = nullptr;
  /// See MemoryBytes; 0 until the first one asks.
  mutable std::atomic<size_t> memory_bytes{0};

  MemoryTracker& memory() const { return functions.memory; }
  /// See Settings::force_partitions.
  bool forces_partitions() const { return settings().force_partitions != ForcedPartitions::kNone; }
  bool forces_spilling() const { return settings().force_partitions == ForcedPartitions::kSpilled; }
  /// The part of the memory limit that operators can count on: all but what tables held when it was first
  /// asked for. It stays the same from then on, whatever others set or do meanwhile.
  size_t MemoryBytes() const;
  /// Whether operators hold more than so many percent of that.
  bool OperatorsHoldMoreThan(size_t percent) const {
    return arbiter.granted_bytes() / percent > MemoryBytes() / 100;
  }
  /// The part of it that each thread can count on where all work on this query. The number of partitions
  /// depends on it.
  size_t MemoryShareBytes() const { return MemoryBytes() / settings().threads; }
  TaskScheduler& scheduler() const { return functions.scheduler; }
  const Settings& settings() const { return functions.settings; }
};

}  // namespace scaup
