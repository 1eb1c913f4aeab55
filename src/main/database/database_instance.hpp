// The open database behind Database handles: catalog, transactions, threads, memory, settings.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/file/file_system.hpp"
#include "common/memory/memory_grants.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/process_origin.hpp"
#include "common/task_scheduler.hpp"
#include "main/database/activity.hpp"
#include "main/database/attached_databases.hpp"
#include "main/database/database_settings.hpp"
#include "main/database/database_storage.hpp"
#include "main/database/document_materializer.hpp"
#include "main/database/program_hosts.hpp"
#include "main/database/table_succession.hpp"
#include "scaup/database.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

/// A transaction in a database and those that are attached to it. Holds the latter open.
struct DatabaseTransaction {
  std::shared_ptr<const AttachedList> attached;  ///< null if there are none
  std::shared_ptr<Transaction> transaction;
  uint64_t catalog_version = 0;  ///< that it sees, without its own changes
};

class DatabaseInstance;
/// Returns the database that a transaction has changed: `main`, in which it was begun, or one that is
/// attached.
DatabaseInstance& ChangedBy(DatabaseInstance& main, const DatabaseTransaction& begun);
/// Returns the database of that name among `main` and those that are attached to it; `main` for "".
DatabaseInstance& InstanceNamed(DatabaseInstance& main, const DatabaseTransaction& begun,
                                const std::string& name);
/// Returns the version of the catalogs of a database and of all that are attached; see Catalog::version.
uint64_t CatalogVersion(DatabaseInstance& main);
/// Returns whether a transaction has changed the catalog of one of its databases.
bool HasCatalogChanges(DatabaseInstance& main, const DatabaseTransaction& begun);

/// An open database: what all its sessions share. Owned jointly by Database handles and sessions; the last
/// one closes it. Thread-safe. Results do not refer to it, only to its memory account.
class DatabaseInstance {
 public:
  /// Opens a database, or creates it. `files` is the file system; null means the operating system's. Throws
  /// Error(kUsage) for bad settings and what DatabaseStorage throws.
  DatabaseInstance(const std::string& path, const Config& config,
                   std::shared_ptr<FileSystem> files = nullptr);
  /// Opens a database that is attached to `host`. It shares the memory, with its limit, and the files of
  /// `host`, which must outlive it, and has its settings as they are now.
  DatabaseInstance(DatabaseInstance& host, const std::string& name, const std::string& path, bool read_only);
  /// Writes a last checkpoint of a database in a file, so that no log is left beside it.
  ~DatabaseInstance();

  /// Begins a transaction in this database and in all that are attached to it.
  DatabaseTransaction Begin();
  AttachedDatabases& attached() { return attached_; }

  /// Returns the process that opened it. Children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  /// Writes everything that is committed to the file and empties the log. Does nothing in memory.
  void Checkpoint();
  /// Frees the space in the file that no transaction needs any more. Does nothing in memory.
  void Vacuum();

  DatabaseSettings& settings() { return settings_; }
  MemoryTracker& memory() { return *memory_; }
  /// Returns the memory account for objects that may outlive the database, such as results.
  const std::shared_ptr<MemoryTracker>& shared_memory() const { return memory_; }
  MemoryGrants& grants() { return grants_; }
  FileSystem& files() { return *files_; }
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
  ProgramHosts& hosts() { return hosts_; }

 private:
  // With the settings of the configuration, which the first members need.
  DatabaseInstance(const Settings& settings, const std::string& path, std::shared_ptr<FileSystem> files,
                   std::shared_ptr<MemoryTracker> memory = nullptr);

  const ProcessOrigin origin_;
  std::shared_ptr<MemoryTracker> memory_;
  MemoryGrants grants_{*memory_};
  std::shared_ptr<FileSystem> files_;
  TaskScheduler scheduler_;
  TransactionManager transactions_;
  std::unique_ptr<DatabaseStorage> storage_;
  DatabaseSettings settings_;
  Catalog catalog_;
  TableSuccession table_succession_;
  Activity activity_;
  ProgramHosts hosts_;
  std::unique_ptr<DocumentMaterializer> materializer_;  // null in memory and for a read-only database
  AttachedDatabases attached_;                          // They use the memory and the files of this.
};

}  // namespace scaup
