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
#include "transaction/transaction.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// Shared by the handles and sessions of one database; the last one closes it. Thread-safe.
class DatabaseInstance {
 public:
  /// `files`: where the database lies; null: in the operating system's files.
  DatabaseInstance(const std::string& path, const Config& config,
                   std::shared_ptr<FileSystem> files = nullptr);
  /// Makes a checkpoint of a database in a file, so that nothing but the file is left.
  ~DatabaseInstance();

  /// Which process opened it: children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  /// A copy, for a statement that begins.
  Settings settings() const;
  /// Throws Error(kUsage) for an unknown name (42704) or a bad value (22023).
  void Set(const std::string& name, const std::string& value);
  /// Back to what a new database begins with.
  void Reset(const std::string& name);
  /// Brings the file up to date with what is committed, and empties the log. Nothing to do in memory.
  void Checkpoint();
  /// Gives back the space of what no transaction sees any more. Nothing to do in memory.
  void Vacuum();

  MemoryTracker& memory() { return *memory_; }
  /// For what may outlive the database.
  const std::shared_ptr<MemoryTracker>& shared_memory() const { return memory_; }
  MemoryArbiter& arbiter() { return arbiter_; }
  /// Returns the storage to which a statement that begins now spills. Its file is created by the first write.
  /// After SET temp_directory, later statements get another storage.
  std::shared_ptr<TemporaryStorage> temporary_storage();
  FileSystem& files() { return *files_; }
  /// Throws Error(kUsage, 22023) for what names no time zone.
  std::shared_ptr<const TimeZone> RequireTimeZone(const std::string& name) const;
  TaskScheduler& scheduler() { return scheduler_; }
  TransactionManager& transactions() { return transactions_; }
  Catalog& catalog() { return catalog_; }
  TableSuccession& table_succession() { return table_succession_; }
  /// Null for a database in memory.
  DatabaseStorage* storage() { return storage_.get(); }
  /// After a commit: a checkpoint, if the log has grown long, and work for idle time.
  void CheckpointIfDue() noexcept;
  /// Throws the error of a statement that failed again, and says what keeps the memory, where that is changes
  /// that no checkpoint could write to the file.
  void ExplainOutOfMemory(const Error& error) const;
  /// Keeps the documents of collections as the settings want it. Nothing to do in memory.
  void Materialize(const std::vector<std::shared_ptr<Table>>& collections,
                   const std::function<void()>& check_interrupt);
  /// Does one step of what idle time does, whatever the settings say of idle time. False: nothing to do.
  bool MaterializeStep() { return materializer_ && materializer_->Step(); }
  Activity& activity() { return activity_; }

 private:
  void Apply(const Settings& settings);
  std::shared_ptr<TemporaryStorage> MakeTemporaryStorage(const Settings& settings) const;

  const ProcessOrigin origin_;
  Mutex change_mutex_;  // Held by Set and Reset, so that none overwrites another's change.
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
  std::unique_ptr<DocumentMaterializer> materializer_;  // Null in memory, and of a file for reading alone.
};

}  // namespace scaup
