// DatabaseFollower: reading beside a writer in another process, one checkpoint after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "catalog/catalog.hpp"
#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "main/database/log_replay.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/wal/write_ahead_log.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

/// Keeps the catalog of a database that is open read-only as its files are, which another process may write.
/// Owned by the DatabaseStorage; borrows everything. Thread-safe.
class DatabaseFollower {
 public:
  /// The database that it works on.
  struct Place {
    FileSystem& files;
    BlockStore& store;
    std::string log_path;
    Catalog& catalog;
    TransactionManager& transactions;
  };
  /// `load_checkpoint` puts the checkpoint of the file's header() in the place of what the catalog has.
  DatabaseFollower(Place place, std::function<void()> load_checkpoint)
      : place_(std::move(place)), load_checkpoint_(std::move(load_checkpoint)) {}

  /// Brings the catalog to what has been committed by now. Transactions that run see no change. Throws
  /// Error(kIo) if the files cannot be read; the next call tries again.
  void Follow();

 private:
  /// Returns false if it must be called again, as there is a newer checkpoint.
  bool TryFollow() SCAUP_REQUIRES_LOCK(mutex_);
  /// Opens the log of the checkpoint that is read, if there is one.
  void OpenLog() SCAUP_REQUIRES_LOCK(mutex_);
  bool HasWriter() { return place_.store.file().reader()->HasWriter(); }

  const Place place_;
  const std::function<void()> load_checkpoint_;
  Mutex mutex_;
  // Whether the catalog is of the checkpoint of the file's header().
  bool is_loaded_ SCAUP_GUARDED_BY(mutex_) = false;
  std::unique_ptr<LogReader> log_ SCAUP_GUARDED_BY(mutex_);  // null while the checkpoint has none
  std::unique_ptr<LogReplay> replay_ SCAUP_GUARDED_BY(mutex_);
};

/// Returns whether a log continues the checkpoint of the file's header(); false if it is stale. Throws
/// Error(kIo, XX001) if it is that of another database or a newer checkpoint.
bool ContinuesCheckpoint(const LogIdentity& identity, const std::string& log_path, const DatabaseFile& file);

}  // namespace scaup
