// TableSampler: the random sample of a table's rows that estimates read, renewed as rows change.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "common/lock/mutex.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class Table;
struct TableSample;

/// Rows that estimates may inspect. A value type that shares the rows.
struct SampledView {
  TableView view;
  bool is_whole;  ///< all rows of the table rather than a sample
};

/// The sample of one table. Thread-safe. Owned by the table.
class TableSampler {
 public:
  explicit TableSampler(const Table& table) : table_(table) {}

  /// Returns randomly picked rows for estimates; null if there is no sample, as in small tables.
  std::shared_ptr<const TableSample> Sample() const;
  /// Returns the rows that estimates may inspect: all that `transaction` sees if they are few, else the
  /// sample.
  std::optional<SampledView> View(const Transaction& transaction) const;
  /// Returns about how many rows `transaction` sees, for estimates and listings. Does not log a read.
  uint64_t EstimateRowCount(const Transaction& transaction) const;
  /// Picks a sample of what `transaction` sees. Throws Error(kIo) and Error(kOutOfMemory).
  void Analyze(const Transaction& transaction);
  /// Picks a sample of the committed rows if at least one row in `share` has changed since the last one. If
  /// that fails, the old sample stays. Not for a transaction that replays the log.
  void Refresh(TransactionManager& transactions, uint64_t share) noexcept;
  /// Notes that a commit has updated or deleted rows.
  void NoteChanges(uint64_t row_count) noexcept { changes_.fetch_add(row_count, std::memory_order_relaxed); }
  /// Sets a sample from a checkpoint.
  void Set(std::shared_ptr<const TableSample> sample) noexcept;
  /// Replaces a sample by the same rows in another storage form, unless there is a newer sample.
  void Replace(const TableSample& replaced, std::shared_ptr<const TableSample> sample) noexcept;

 private:
  enum class Need : uint8_t { kNone, kNewRows, kWhole };
  Need NeedOf(uint64_t share) const noexcept;

  const Table& table_;  // owns this
  mutable Mutex mutex_;
  std::shared_ptr<const TableSample> sample_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<uint64_t> changes_{0};       // rows changed since a whole sample was picked
  std::atomic<uint64_t> sample_count_{0};  // seeds the next sample, so that it has other rows
  std::atomic<RowNumber> not_before_{0};   // after a failure, no sample before there are such rows
  std::atomic<bool> is_sampling_{false};   // a thread is in Refresh
};

}  // namespace scaup
