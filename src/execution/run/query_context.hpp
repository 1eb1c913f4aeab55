// The query context: transaction, services, settings, cancellation, progress and profile of a running query.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/memory/memory_grants.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/function_context.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "storage/table/table_read.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class Catalog;
class DatabaseViews;
class KeyChanges;
class RowChanges;
class SharedRows;
class Table;

/// Maps each shared subplan of a query to its materialized rows. Thread-safe.
class SharedRowsDirectory {
 public:
  /// Sets the rows of `share`. Borrowed: the states of the scans that read them are destroyed before the
  /// rows.
  void Set(size_t share, SharedRows* rows);
  SharedRows* Find(size_t share) const;

 private:
  mutable Mutex mutex_;
  std::map<size_t, SharedRows*> rows_ SCAUP_GUARDED_BY(mutex_);
};

/// The progress of the scans of one query. Thread-safe.
class QueryProgress {
 public:
  /// Adds a scan. `progress` returns 0 to 1 and must stay callable until Clear.
  void AddScan(double weight, std::function<double()> progress);
  void Clear();
  /// Returns the weighted mean of all scans, or a negative number if there is no scan.
  double Current() const;

 private:
  /// The progress of one scan.
  struct Scan {
    double weight;
    std::function<double()> progress;
  };
  mutable Mutex mutex_;
  std::vector<Scan> scans_ SCAUP_GUARDED_BY(mutex_);
};

/// The reads of tables by scans within a recursion. Thread-safe.
class RepeatedReads {
 public:
  /// Stores the read of a scan, which is identified by its operator.
  void Set(const void* scan, TableRead read);
  TableRead Find(const void* scan) const;

 private:
  mutable Mutex mutex_;
  std::map<const void*, TableRead> reads_ SCAUP_GUARDED_BY(mutex_);
};

/// Borrowed by all operators of a query; outlives their states. Its members are safe to use from every task.
struct QueryContext {
  FunctionContext functions;
  Transaction& transaction;
  Catalog& catalog;
  QueryProgress& progress;
  /// Shares out the memory limit among the operators that can spill to `temporary_storage`.
  MemoryGrants& grants;
  TemporaryStorage& temporary_storage;
  /// The number of rows that INSERT, COPY and similar statements changed.
  std::atomic<uint64_t> rows_changed{0};
  SharedRowsDirectory shared_rows;
  RepeatedReads repeated_reads;
  /// Above 0 while states are made for a subplan that a recursion will run again.
  std::atomic<size_t> recursions{0};
  /// Above 0 while a recursion runs a subplan again. Scans then skip what they reported in the first run.
  std::atomic<size_t> repetitions{0};
  /// Returns what `read` reads for a scan, identified by its operator. A subplan that a recursion runs again
  /// reads the same as the first time, whatever the statement has written since, and does not log it again.
  TableRead ReadTable(const void* scan, const std::function<TableRead()>& read);
  /// Returns whether a recursion runs a subplan again.
  bool is_repeated() const { return repetitions.load(std::memory_order_relaxed) != 0; }
  /// Set by EXPLAIN ANALYZE: operators measure their time.
  bool profiling = false;
  /// Writes that the parts of a statement defer until all parts have read; null if they write at once.
  /// Used only by the thread that prepares the plan.
  std::vector<std::function<void()>>* writes_put_off = nullptr;
  /// Writes now, or once all parts of the statement have read.
  void Write(std::function<void()> write) {
    if (writes_put_off == nullptr) return write();
    writes_put_off->push_back(std::move(write));
  }
  /// Changes of keys that writes record for the foreign key checks; null if there is nothing to check.
  KeyChanges* key_changes = nullptr;
  /// Changes of rows that writes record for AFTER triggers; null if none fire.
  RowChanges* row_changes = nullptr;
  /// The databases that the statement may name; null if there is only that of `catalog`.
  const DatabaseViews* databases = nullptr;
  /// A database with the statement's part of the transaction in it.
  struct Database {
    Catalog& catalog;
    Transaction& transaction;
  };
  /// Returns the database of that name; "" means the session's.
  Database DatabaseNamed(const std::string& name) const;
  /// Returns the database of a table.
  Database DatabaseOf(const Table& table) const;

  /// Cache of MemoryBytes(); 0 until the first call.
  mutable std::atomic<size_t> memory_bytes{0};

  MemoryTracker& memory() const { return functions.memory; }
  /// See Settings::force_partitions.
  bool forces_partitions() const { return settings().force_partitions != ForcedPartitions::kNone; }
  bool forces_spilling() const { return settings().force_partitions == ForcedPartitions::kSpilled; }
  /// The part of the memory limit that operators can count on: all that tables did not occupy at the first
  /// call. The value then stays the same, whatever other queries or settings change in the meantime.
  size_t MemoryBytes() const;
  /// Whether operators hold more than `percent` percent of MemoryBytes().
  bool OperatorsHoldMoreThan(size_t percent) const {
    return grants.held_bytes() / percent > MemoryBytes() / 100;
  }
  /// The share of MemoryBytes() that each thread can count on when all threads work on this query. It
  /// determines the number of partitions.
  size_t MemoryShareBytes() const { return MemoryBytes() / settings().threads; }
  /// MemoryShareBytes() for a task within a grant, which may be a small one beside others. It determines the
  /// size of pieces, of which all open ones take a small part.
  size_t TaskShareBytes(const MemoryGrant& grant) const {
    return std::min(MemoryShareBytes(), 2 * grant.task_bytes());
  }
  TaskScheduler& scheduler() const { return functions.scheduler; }
  const Settings& settings() const { return functions.settings; }
};

}  // namespace scaup
