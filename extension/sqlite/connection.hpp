// sqlite3: a connection, with what the program has told it.
#pragma once

#include <sqlite3.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "error.hpp"
#include "function.hpp"
#include "schema.hpp"
#include "shared_database.hpp"
#include "transaction.hpp"
#include "writer.hpp"

namespace scaup::sqlite {

/// Functions of the program that a connection calls. A value type.
struct Hooks {
  int (*busy)(void*, int) = nullptr;
  void* busy_data = nullptr;
  int busy_timeout_ms = 0;
  int (*authorize)(void*, int, const char*, const char*, const char*, const char*) = nullptr;
  void* authorize_data = nullptr;
  int (*progress)(void*) = nullptr;
  void* progress_data = nullptr;
  unsigned trace_mask = 0;
  int (*trace)(unsigned, void*, void*, void*) = nullptr;
  void* trace_data = nullptr;
};

/// A collation of the program. Calls the program's destructor at its end.
struct Collation {
  Collation() = default;
  Collation(const Collation&) = delete;
  Collation& operator=(const Collation&) = delete;
  ~Collation() {
    if (destroy != nullptr) destroy(data);
  }
  int (*compare)(void*, int, const void*, int, const void*) = nullptr;
  void* data = nullptr;
  void (*destroy)(void*) = nullptr;
};

inline constexpr int kLimitCount = SQLITE_LIMIT_WORKER_THREADS + 1;

}  // namespace scaup::sqlite

/// A connection. Its functions take the mutex, so any thread may use it. Statements, blob handles and backups
/// keep it: after sqlite3_close_v2() it lives until the last of them is gone.
struct sqlite3 {
  sqlite3(const scaup::sqlite::Location& location, std::shared_ptr<scaup::sqlite::SharedDatabase> opened);
  sqlite3(const sqlite3&) = delete;
  sqlite3& operator=(const sqlite3&) = delete;

  /// Sets the error that sqlite3_errmsg() tells, and returns its code.
  int Fail(int code, const std::string& message);
  int Fail(const scaup::sqlite::SqliteError& error) { return Fail(error.code(), error.what()); }
  int Succeed();
  /// Returns the tables, read anew if they may have changed.
  const scaup::sqlite::Schema& LoadedSchema();
  /// Makes this and all other connections read their tables anew.
  void SchemaChanged() { shared->schema_version++; }
  /// Asks the program whether an action is allowed. Throws SqliteError if not.
  void Authorize(int action, const std::string& first, const std::string& second);
  /// Calls the progress handler. Throws SqliteError if it says to stop.
  void ReportProgress() const;
  /// Makes the state of a translation of a statement of this connection.
  scaup::sqlite::TranslationState NewTranslation();

  std::recursive_mutex mutex;
  scaup::sqlite::FunctionState function_state;
  const std::shared_ptr<scaup::sqlite::SharedDatabase> shared;
  scaup::Connection engine;
  scaup::sqlite::Hooks hooks;
  scaup::sqlite::Transaction transaction;
  scaup::sqlite::FunctionRegistry functions;
  std::map<std::string, std::shared_ptr<scaup::sqlite::Collation>> collations;
  std::set<std::string> collation_names;
  std::array<int, scaup::sqlite::kLimitCount> limits;
  const std::string path;
  const bool is_read_only;
  bool is_closed = false;  ///< lives on for its statements alone
  size_t users = 0;        ///< statements, blob handles and backups
  int error_code = SQLITE_OK;
  std::string error_message;
  std::set<sqlite3_stmt*> statements;

 private:
  scaup::sqlite::Schema schema_;
  uint64_t schema_version_ = 0;
  uint64_t schema_rollbacks_ = 0;
};

namespace scaup::sqlite {

/// Runs the body of a function of the interface: with the connection's mutex, and with exceptions as error
/// codes. Code of the program that a statement calls must not use its connection, which waits for it.
template <typename Body>
int Enter(sqlite3* db, const Body& body) {
  if (db == nullptr) return SQLITE_MISUSE;
  if (db->function_state.running > 0) return SQLITE_LOCKED;
  const std::lock_guard<std::recursive_mutex> lock(db->mutex);
  try {
    return body();
  } catch (const SqliteError& error) {
    return db->Fail(error);
  } catch (const Error& error) {
    return db->Fail(TranslateError(error, ""));
  } catch (const std::bad_alloc&) {
    return db->Fail(SQLITE_NOMEM, "out of memory");
  } catch (const std::exception& error) {
    return db->Fail(SQLITE_INTERNAL, error.what());
  }
}

/// Deletes a closed connection that nothing uses any more.
void ReleaseConnection(sqlite3* db);

}  // namespace scaup::sqlite
