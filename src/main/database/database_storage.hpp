// A database in a file: opening, recovery, the log of commits, checkpoints.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "catalog/catalog.hpp"
#include "common/lock/mutex.hpp"
#include "common/settings/settings.hpp"
#include "main/database/checkpoint_turn.hpp"
#include "main/database/database_follower.hpp"
#include "main/database/database_log.hpp"
#include "main/database/loaded_tables.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/scan/table_sample.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

/// The file of a database: opening, recovery, commits and checkpoints. Owned by the DatabaseInstance; shares
/// the block store with the tables. Thread-safe once it is loaded.
class DatabaseStorage {
 public:
  /// Opens or creates the file, as settings.access_mode says. Throws what DatabaseFile::Open throws.
  DatabaseStorage(FileSystem& files, const std::string& path, const Settings& settings,
                  MemoryTracker& memory);
  ~DatabaseStorage();

  const std::shared_ptr<BlockStore>& store() const { return store_; }
  bool read_only() const { return store_->file().read_only(); }
  DatabaseLog& log() { return log_; }

  /// Fills an empty catalog from the checkpoint and the log. Later commits go to the log.
  void Load(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Brings the catalog of a database that is open read-only to what has been committed by now; see
  /// DatabaseFollower. Called before each transaction begins. Does nothing if the log was salvaged.
  void Follow() {
    if (follower_) follower_->Follow();
  }

  /// Writes a checkpoint, after which the log is empty. Commits wait meanwhile, readers do not. If it throws,
  /// the last checkpoint and the log are as they were.
  void Checkpoint(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Writes checkpoints that move blocks from the end of the file, and from blocks that are mostly empty, and
  /// returns the space to the file system.
  void Vacuum(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Writes a checkpoint if the log is longer than settings.checkpoint_threshold_bytes, or, if that is
  /// 'auto', long in proportion to the file, or if changes that only the log has take much of the memory.
  /// Called after a commit, which has succeeded; so errors are only noted (automatic_error), and a later
  /// commit tries again.
  void CheckpointIfDue(Catalog& catalog, TransactionManager& transactions, const Settings& settings) noexcept;
  /// Writes a last checkpoint, so that a single file is left. If that fails, the log stays and has
  /// everything.
  void Close(Catalog& catalog, TransactionManager& transactions, const Settings& settings) noexcept;
  /// Returns why the last automatic checkpoint failed; "" if one has succeeded since.
  std::string automatic_error() const;

 private:
  /// Returns whether changes that only the log has take much memory, and enough was logged since the last
  /// attempt.
  bool IsMemoryShort() const;
  /// Returns whether memory that no cache could free is more than a quarter of the limit.
  bool KeepsMuchMemory() const;
  void SetAutomaticError(const char* message) noexcept;
  uint64_t CheckpointThreshold(const Settings& settings) const;
  void LoadCheckpoint(Catalog& catalog, TransactionManager& transactions);
  void ReplayFrames(class LogReader& reader, Catalog& catalog, TransactionManager& transactions,
                    const Settings& settings);
  void Replay(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Writes a checkpoint. Row groups and index parts in the blocks `moved` are written to other blocks. The
  /// old log is renamed to `keep_log_as`; if that is empty, it is removed.
  void WriteCheckpoint(Catalog& catalog, TransactionManager& transactions, const Settings& settings,
                       const std::set<uint64_t>& moved, const std::string& keep_log_as = "");
  /// Writes rows and indexes from memory to free blocks, so that replaying a log needs little memory. The
  /// durable checkpoint and the log stay as they are, so nothing depends on these blocks after a crash.
  void WriteRowsOnly(Catalog& catalog, TransactionManager& transactions, const Settings& settings);
  /// Returns the blocks to vacate: those at the end of the file for which there are free blocks before it,
  /// and mostly empty ones, if fewer would do.
  std::set<uint64_t> FindBlocksToMove(Catalog& catalog, TransactionManager& transactions);
  /// Ends the log, whose commits the checkpoint has; see DatabaseLog::End. Cuts off free space of the file.
  void EndLog(const std::string& keep_as);
  /// Returns whether ANALYZE has picked samples that the file does not have.
  bool HasNewSamples(const Catalog& catalog, TransactionManager& transactions) const;

  FileSystem& files_;
  std::shared_ptr<BlockStore> store_;
  DatabaseLog log_;
  CheckpointTurns checkpoint_turns_;
  std::atomic<uint64_t> due_size_bytes_{
      0};  // after a checkpoint failed: the log's length at which the next attempt is due
  // After a checkpoint for lack of memory failed: the length of the log that the next attempt counts from.
  std::atomic<uint64_t> memory_due_size_bytes_{0};
  mutable Mutex error_mutex_;
  std::string automatic_error_ SCAUP_GUARDED_BY(error_mutex_);

  /// The directory of a table in the last checkpoint. It is not written again as long as the table's snapshot
  /// and sample are the same.
  struct StoredDirectory {
    std::shared_ptr<const TableSnapshot> snapshot;
    std::shared_ptr<const TableSample> sample;
    Extents extents;
  };
  std::map<uint64_t, StoredDirectory> directories_;  // by table id; of the thread that has the turn

  LoadedTables loaded_tables_;  // of a database that is open read-only; used by LoadCheckpoint

  std::unique_ptr<DatabaseFollower> follower_;  // of a database that is open read-only; set by Load
};

}  // namespace scaup
