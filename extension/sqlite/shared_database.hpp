// SharedDatabase: one open database, which all connections of the process to the same file share.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "scaup/scaup.hpp"

namespace scaup::sqlite {

/// The place of a database, and how it is opened.
struct Location {
  std::string path;  ///< "" for a database in memory
  bool is_read_only = false;
  bool may_create = true;
  bool is_shared_memory = false;  ///< all connections to this name share the database in memory

  /// Reads a file's name, or, with SQLITE_OPEN_URI, a URI such as file:a.db?mode=ro. Throws SqliteError.
  static Location Read(const char* name, int flags);
};

/// An open database. Owned by its connections. Thread-safe.
class SharedDatabase {
 public:
  /// Returns the database that is open already, or opens it. Throws SqliteError.
  static std::shared_ptr<SharedDatabase> Open(const Location& location);

  const Database& database() const { return database_; }

  /// Makes `owner` the only connection that may write, or waits until the other one is done. `keeps_waiting`
  /// is asked with the number of times that it was asked before, and waits itself; the lock is held by nobody
  /// meanwhile. Returns false once it says no.
  bool LockForWriting(const void* owner, const std::function<bool(int)>& keeps_waiting);
  /// Lets others write, if `owner` may.
  void Unlock(const void* owner);

  /// Counts changes of the schema, so that connections know when theirs is old.
  std::atomic<uint64_t> schema_version = 1;
  /// Returns the largest row id of a table, if it is known. Asked by the connection that may write.
  std::optional<int64_t> FindLastRowid(const std::string& table);
  void SetLastRowid(const std::string& table, int64_t rowid);
  /// Forgets the largest row id of a table, or of all.
  void ForgetLastRowid(const std::string& table);
  void ForgetLastRowids();

 private:
  explicit SharedDatabase(Database database) : database_(std::move(database)) {}

  const Database database_;
  std::mutex mutex_;
  const void* owner_ = nullptr;                 ///< guarded by mutex_
  std::map<std::string, int64_t> last_rowids_;  ///< guarded by mutex_
};

}  // namespace scaup::sqlite
