// The open database behind Database handles: catalog, transactions, threads, memory, settings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_arbiter.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/process_origin.hpp"
#include "common/settings.hpp"
#include "common/task_scheduler.hpp"
#include "main/database/activity.hpp"
#include "main/database/database_storage.hpp"
#include "main/database/document_materializer.hpp"
#include "main/database/table_succession.hpp"
#include "scaup/database.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "transaction/transaction_manager.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// An open database: what all its sessions share. Owned jointly by Database handles and sessions; the last
/// one closes it. Thread-safe. Results do not refer to it, only to its memory account.
class DatabaseInstance {
 public:
  /// Opens a database, or creates it. `files` is the file system; null means the operating system's. Throws
  /// Error(kUsage) for bad settings and what DatabaseStorage throws.
  DatabaseInstance(const std::string& path, const Config& config,
                   std::shared_ptr<FileSystem> files = nullptr);
  /// Writes a last checkpoint of a database in a file, so that no log is left beside it.
  ~DatabaseInstance();

  /// Returns the process that opened it. Children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  /// Returns a copy of the settings. A statement copies them when it begins, so that they do not change
  /// meanwhile.
  Settings settings() const;
  /// Changes a setting. Throws Error(kUsage) for an unknown name (42704), a bad value (22023), and a setting
  /// that counts only when a database is opened (55P02).
  void Set(const std::string& name, const std::string& value);
  /// Returns a setting to its default. Throws as Set does.
  void Reset(const std::string& name);
  /// Writes everything that is committed to the file and empties the log. Does nothing in memory.
  void Checkpoint();
  /// Frees the space in the file that no transaction needs any more. Does nothing in memory.
  void Vacuum();

  MemoryTracker& memory() { return *memory_; }
  /// Returns the memory account for objects that may outlive the database, such as results.
  const std::shared_ptr<MemoryTracker>& shared_memory() const { return memory_; }
  MemoryArbiter& arbiter() { return arbiter_; }
  /// Returns the storage to which a statement that begins now spills. Its file is created by the first write.
  /// After SET temp_directory, later statements get another storage.
  std::shared_ptr<TemporaryStorage> temporary_storage();
  FileSystem& files() { return *files_; }
  /// Returns a time zone by its name. Throws Error(kUsage, 22023) if there is none of that name.
  std::shared_ptr<const TimeZone> RequireTimeZone(const std::string& name) const;
  TaskScheduler& scheduler() { return scheduler_; }
  TransactionManager& transactions() { return transactions_; }
  Catalog& catalog() { return catalog_; }
  TableSuccession& table_succession() { return table_succession_; }
  /// Returns the file; null for a database in memory.
  DatabaseStorage* storage() { return storage_.get(); }
  /// Called after a commit: writes a checkpoint if one is due, and wakes the materializer.
  void CheckpointIfDue() noexcept;
  /// Called with the error of a failed statement. Returns unless it is for lack of memory and the last
  /// automatic checkpoint failed; then changes since that checkpoint may hold the memory, and this throws the
  /// same error with that reason added.
  void ExplainOutOfMemory(const Error& error) const;
  /// Rewrites the documents of collections as the settings demand, then writes a checkpoint. Does nothing in
  /// memory. `check_interrupt` may throw.
  void Materialize(const std::vector<std::shared_ptr<Table>>& collections,
                   const std::function<void()>& check_interrupt);
  /// Does one step of the materializer, even if the settings forbid work in idle time. Returns false if there
  /// is nothing to do.
  bool MaterializeStep() { return materializer_ && materializer_->Step(); }
  Activity& activity() { return activity_; }

 private:
  void Apply(const Settings& settings);
  std::shared_ptr<TemporaryStorage> MakeTemporaryStorage(const Settings& settings) const;

  const ProcessOrigin origin_;
  Mutex change_mutex_;  // Held by Set and Reset, so that no change is lost.
  mutable Mutex settings_mutex_;
  TimeZoneLibrary time_zones_;
  Settings settings_ SCAUP_GUARDED_BY(settings_mutex_);
  std::shared_ptr<MemoryTracker> memory_;
  MemoryArbiter arbiter_{*memory_, {}, 4};
  const std::string path_;
  std::shared_ptr<FileSystem> files_;
  std::shared_ptr<TemporaryStorage> temporary_storage_ SCAUP_GUARDED_BY(settings_mutex_);
  TaskScheduler scheduler_;
  TransactionManager transactions_;
  std::unique_ptr<DatabaseStorage> storage_;
  Catalog catalog_;
  TableSuccession table_succession_;
  Activity activity_;
  std::unique_ptr<DocumentMaterializer> materializer_;  // null in memory and for a read-only database
};

}  // namespace scaup
