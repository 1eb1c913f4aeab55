// A database in a file: opening, recovery, the log of commits, checkpoints.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "catalog/catalog.hpp"
#include "common/lock/mutex.hpp"
#include "common/settings.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/scan/table_sample.hpp"
#include "storage/wal/write_ahead_log.hpp"

namespace scaup {

/// Owned by the database. Append is called by one thread at a time; Checkpoint, Vacuum and Close by any.
class DatabaseStorage final : public CommitLog {
 public:
  /// Opens the file, or makes it, as settings.access_mode says. Throws what DatabaseFile::Open does.
  DatabaseStorage(FileSystem& files, const std::string& path, const Settings& settings,
                  MemoryTracker& memory);
  ~DatabaseStorage() override;

  const std::shared_ptr<BlockStore>& store() const { return store_; }
  bool read_only() const { return store_->file().read_only(); }
  /// Never waits.
  uint64_t log_size_bytes() const { return log_size_bytes_.load(); }

  /// Fills an empty catalog with what the checkpoint and the log say; then commits go to the log.
  void Load(Catalog& catalog, TransactionManager& transactions, const Settings& settings);

  void Append(std::span<const std::span<const std::byte>> payloads) override;
  void SetSynchronous(SynchronousMode mode) { synchronous_.store(mode); }

  /// Writes all that the log says to the file, and begins a new log. Commits wait meanwhile, readers do not.
  void Checkpoint(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// A checkpoint that moves what lies at the end of the file, or in blocks that are mostly empty, and gives
  /// back the space.
  void Vacuum(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// A checkpoint, if the log is longer than settings.checkpoint_threshold_bytes, or suits the file, or if
  /// what only the log has takes much of the memory. The commit that brought it there has succeeded, so that
  /// errors are kept to themselves: the log goes on, and a later commit tries again. See automatic_error.
  void CheckpointIfDue(Catalog& catalog, TransactionManager& transactions, const Settings& settings) noexcept;
  /// Leaves a single file, if it can; what cannot be written now is in the log.
  void Close(Catalog& catalog, TransactionManager& transactions, const Settings& settings) noexcept;
  /// Why the last checkpoint that was made by itself failed; "" where one has succeeded since.
  std::string automatic_error() const;

 private:
  /// With the mutex of checkpoints; while it waits, the user may interrupt.
  std::unique_lock<std::timed_mutex> BeginCheckpoint();
  /// Whether changes that only the log has take much memory, and enough was logged since this was last tried.
  bool IsMemoryShort() const;
  /// Whether what cannot be given back takes a good part of the memory.
  bool KeepsMuchMemory() const;
  void SetAutomaticError(const char* message) noexcept;
  uint64_t CheckpointThreshold(const Settings& settings) const;
  void LoadCheckpoint(Catalog& catalog, TransactionManager& transactions);
  void ReplayFrames(class LogReader& reader, Catalog& catalog, TransactionManager& transactions,
                    const Settings& settings);
  void Replay(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Removes what a process left that was killed while it began a log; not if this only reads.
  void RemoveLeftover(const std::string& path);
  /// `moved`: blocks whose row groups and parts of indexes are written anew. `keep_log_as`: the old log is
  /// renamed, not removed.
  void WriteCheckpoint(Catalog& catalog, TransactionManager& transactions, const Settings& settings,
                       const std::set<uint64_t>& moved, const std::string& keep_log_as = "");
  /// Writes rows and indexes that are in memory to free blocks, as a checkpoint does, but leaves the durable
  /// one and the log as they are: for memory, while the log is replayed.
  void WriteRowsOnly(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// The blocks of row groups at the end of the file that there is room for before it, and those that are
  /// mostly empty, if fewer would do.
  std::set<uint64_t> FindBlocksToMove(Catalog& catalog, TransactionManager& transactions);
  /// After a checkpoint.
  void ForgetLog(const std::string& keep_as);
  bool HasChanges() const;
  /// Whether ANALYZE has picked rows that the file does not have.
  bool HasNewSamples(const Catalog& catalog, TransactionManager& transactions) const;
  std::string log_path() const { return store_->file().path() + ".wal"; }

  FileSystem& files_;
  std::shared_ptr<BlockStore> store_;
  std::atomic<SynchronousMode> synchronous_{SynchronousMode::kFull};
  // Held during a checkpoint. Not a Mutex: waiting for it can be interrupted.
  std::timed_mutex checkpoint_mutex_;
  mutable Mutex log_mutex_;
  // The log's, or 0: who asks after a commit must not wait for the sync of the next one.
  std::atomic<uint64_t> log_size_bytes_{0};
  std::atomic<uint64_t> due_size_bytes_{
      0};  // After a checkpoint failed: not again before the log is as long.
  // After one for want of memory failed: not again before the log is as long.
  std::atomic<uint64_t> memory_due_size_bytes_{0};
  mutable Mutex error_mutex_;
  std::string automatic_error_ SCAUP_GUARDED_BY(error_mutex_);
  // Null until the first commit after a checkpoint.
  std::unique_ptr<WriteAheadLog> log_ SCAUP_GUARDED_BY(log_mutex_);

  /// The directory that the last checkpoint wrote of a table: while its rows are the same, it is not written
  /// again.
  struct StoredDirectory {
    std::shared_ptr<const TableSnapshot> snapshot;
    std::shared_ptr<const TableSample> sample;
    Extents extents;
  };
  std::map<uint64_t, StoredDirectory> directories_;  // By table id.
};

}  // namespace scaup
