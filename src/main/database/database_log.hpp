// The log of commits beside a database file, from its first commit to the checkpoint that has all of them.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "common/settings/settings.hpp"
#include "storage/file/database_file.hpp"
#include "storage/wal/write_ahead_log.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

/// The log of one database file. There is a file of it only from the first commit after a checkpoint to the
/// next checkpoint. Owned by the DatabaseStorage; refers to its file. Append is called by one thread at a
/// time, the rest by any.
class DatabaseLog final : public CommitLog {
 public:
  DatabaseLog(FileSystem& files, DatabaseFile& file, SynchronousMode mode)
      : files_(files), file_(file), synchronous_(mode) {}

  std::string path() const { return file_.path() + ".wal"; }
  void SetSynchronous(SynchronousMode mode) { synchronous_.store(mode); }
  /// Writes commits, and creates the log with the first of them. Throws Error(kUsage, 25006) for a database
  /// that is open read-only.
  void Append(std::span<const std::span<const std::byte>> payloads) override;
  /// Returns the length of the log; 0 if there is none. Never waits.
  uint64_t size_bytes() const { return size_bytes_.load(); }
  /// Returns whether it has commits that the last checkpoint lacks.
  bool HasCommits() const;
  /// Continues a log whose commits recovery has replayed. No thread may be committing.
  void Continue(std::unique_ptr<WriteAheadLog> log);
  /// Ends the log, whose commits the checkpoint has. Renames it to `keep_as`; if that is empty, removes it.
  /// Returns false if the file could not be removed. It is then stale, which its checkpoint number tells.
  bool End(const std::string& keep_as);
  /// Removes a file that nothing needs; does nothing in a read-only database, and if that fails.
  void RemoveLeftover(const std::string& path);

 private:
  FileSystem& files_;
  DatabaseFile& file_;
  std::atomic<SynchronousMode> synchronous_;
  // Atomic, so that asking after a commit does not wait for the sync of the next one.
  std::atomic<uint64_t> size_bytes_{0};
  mutable Mutex mutex_;
  // Null until the first commit after a checkpoint.
  std::unique_ptr<WriteAheadLog> log_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
