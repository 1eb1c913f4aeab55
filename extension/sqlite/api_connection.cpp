// The interface: opening and closing, errors, limits, hooks.
#include <sys/stat.h>

#include <cstring>
#include <memory>

#include "statement.hpp"

#define SCAUP_SQLITE_API extern "C" __attribute__((visibility("default")))

using scaup::sqlite::Collation;
using scaup::sqlite::Enter;
using scaup::sqlite::Location;
using scaup::sqlite::SharedDatabase;
using scaup::sqlite::SqliteError;

namespace {

/// The message of sqlite3_errmsg() while code of the program runs in a statement, whose connection is not
/// free.
constexpr char kInFunction[] = "a function of the program must not use the connection that calls it";

int CloseConnection(sqlite3* db, bool waits_for_users) {
  if (db == nullptr) return SQLITE_OK;
  if (db->function_state.running > 0) return SQLITE_LOCKED;
  if (db->users > 0 && !waits_for_users)
    return db->Fail(SQLITE_BUSY, "unable to close due to unfinalized statements or unfinished backups");
  db->is_closed = true;
  scaup::sqlite::ReleaseConnection(db);
  return SQLITE_OK;
}

}  // namespace

SCAUP_SQLITE_API const char* sqlite3_libversion(void) { return SQLITE_VERSION; }
SCAUP_SQLITE_API int sqlite3_libversion_number(void) { return SQLITE_VERSION_NUMBER; }
SCAUP_SQLITE_API const char* sqlite3_sourceid(void) { return "Scaup"; }
SCAUP_SQLITE_API int sqlite3_threadsafe(void) { return 1; }
SCAUP_SQLITE_API int sqlite3_initialize(void) { return SQLITE_OK; }
SCAUP_SQLITE_API int sqlite3_shutdown(void) { return SQLITE_OK; }
SCAUP_SQLITE_API int sqlite3_enable_shared_cache(int) { return SQLITE_OK; }

SCAUP_SQLITE_API int sqlite3_open_v2(const char* name, sqlite3** out, int flags, const char*) {
  if (out == nullptr) return SQLITE_MISUSE;
  *out = nullptr;
  SqliteError failure(SQLITE_NOMEM, "out of memory");
  try {
    const Location location = Location::Read(name, flags);
    *out = new sqlite3(location, SharedDatabase::Open(location));
    return SQLITE_OK;
  } catch (const SqliteError& error) {
    failure = error;
  } catch (const scaup::Error& error) {
    failure = scaup::sqlite::TranslateOpenError(error);
  } catch (const std::exception&) {
    return SQLITE_NOMEM;
  }
  try {
    // A connection without the file, which can tell the error and be closed.
    *out = new sqlite3(Location(), SharedDatabase::Open(Location()));
    return (*out)->Fail(failure);
  } catch (const std::exception&) {
    return failure.code();
  }
}

SCAUP_SQLITE_API int sqlite3_open(const char* name, sqlite3** out) {
  return sqlite3_open_v2(name, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
}

SCAUP_SQLITE_API int sqlite3_close(sqlite3* db) { return CloseConnection(db, false); }
SCAUP_SQLITE_API int sqlite3_close_v2(sqlite3* db) { return CloseConnection(db, true); }

SCAUP_SQLITE_API int sqlite3_errcode(sqlite3* db) {
  if (db == nullptr) return SQLITE_NOMEM;
  return db->function_state.running > 0 ? SQLITE_LOCKED : db->error_code & 0xff;
}
SCAUP_SQLITE_API int sqlite3_extended_errcode(sqlite3* db) {
  if (db == nullptr) return SQLITE_NOMEM;
  return db->function_state.running > 0 ? SQLITE_LOCKED : db->error_code;
}
SCAUP_SQLITE_API const char* sqlite3_errmsg(sqlite3* db) {
  if (db == nullptr) return "out of memory";
  if (db->function_state.running > 0) return kInFunction;
  return db->error_message.empty() ? scaup::sqlite::MessageOfCode(db->error_code) : db->error_message.c_str();
}
SCAUP_SQLITE_API const char* sqlite3_errstr(int code) { return scaup::sqlite::MessageOfCode(code); }
SCAUP_SQLITE_API int sqlite3_extended_result_codes(sqlite3*, int) { return SQLITE_OK; }

SCAUP_SQLITE_API int sqlite3_get_autocommit(sqlite3* db) {
  return db == nullptr || !db->transaction.is_open() ? 1 : 0;
}
SCAUP_SQLITE_API int sqlite3_changes(sqlite3* db) {
  return db == nullptr ? 0 : static_cast<int>(db->function_state.changes);
}
SCAUP_SQLITE_API sqlite3_int64 sqlite3_changes64(sqlite3* db) {
  return db == nullptr ? 0 : db->function_state.changes.load();
}
SCAUP_SQLITE_API int sqlite3_total_changes(sqlite3* db) {
  return db == nullptr ? 0 : static_cast<int>(db->function_state.total_changes);
}
SCAUP_SQLITE_API sqlite3_int64 sqlite3_total_changes64(sqlite3* db) {
  return db == nullptr ? 0 : db->function_state.total_changes.load();
}
SCAUP_SQLITE_API sqlite3_int64 sqlite3_last_insert_rowid(sqlite3* db) {
  return db == nullptr ? 0 : db->function_state.last_rowid.load();
}
SCAUP_SQLITE_API void sqlite3_set_last_insert_rowid(sqlite3* db, sqlite3_int64 rowid) {
  if (db != nullptr) db->function_state.last_rowid = rowid;
}

SCAUP_SQLITE_API void sqlite3_interrupt(sqlite3* db) {
  if (db != nullptr) db->engine.Interrupt();
}

SCAUP_SQLITE_API int sqlite3_limit(sqlite3* db, int category, int value) {
  if (db == nullptr || category < 0 || category >= scaup::sqlite::kLimitCount) return -1;
  int& limit = db->limits[static_cast<size_t>(category)];
  const int before = limit;
  if (value >= 0) limit = value;
  return before;
}

SCAUP_SQLITE_API int sqlite3_busy_timeout(sqlite3* db, int milliseconds) {
  return Enter(db, [&] {
    db->hooks.busy = nullptr;
    db->hooks.busy_timeout_ms = milliseconds;
    return SQLITE_OK;
  });
}

SCAUP_SQLITE_API int sqlite3_busy_handler(sqlite3* db, int (*busy)(void*, int), void* data) {
  return Enter(db, [&] {
    db->hooks.busy = busy;
    db->hooks.busy_data = data;
    db->hooks.busy_timeout_ms = 0;
    return SQLITE_OK;
  });
}

SCAUP_SQLITE_API int sqlite3_set_authorizer(sqlite3* db,
                                            int (*authorize)(void*, int, const char*, const char*,
                                                             const char*, const char*),
                                            void* data) {
  return Enter(db, [&] {
    db->hooks.authorize = authorize;
    db->hooks.authorize_data = data;
    // Statements that are prepared already are asked about again.
    db->SchemaChanged();
    return SQLITE_OK;
  });
}

SCAUP_SQLITE_API void sqlite3_progress_handler(sqlite3* db, int steps, int (*progress)(void*), void* data) {
  Enter(db, [&] {
    db->hooks.progress = steps > 0 ? progress : nullptr;
    db->hooks.progress_data = data;
    return SQLITE_OK;
  });
}

SCAUP_SQLITE_API int sqlite3_trace_v2(sqlite3* db, unsigned mask, int (*trace)(unsigned, void*, void*, void*),
                                      void* data) {
  return Enter(db, [&] {
    db->hooks.trace_mask = trace == nullptr ? 0 : mask;
    db->hooks.trace = trace;
    db->hooks.trace_data = data;
    return SQLITE_OK;
  });
}

SCAUP_SQLITE_API int sqlite3_db_config(sqlite3*, int, ...) { return SQLITE_ERROR; }

SCAUP_SQLITE_API int sqlite3_enable_load_extension(sqlite3*, int) { return SQLITE_OK; }
SCAUP_SQLITE_API int sqlite3_load_extension(sqlite3* db, const char*, const char*, char** message) {
  if (message != nullptr) *message = strdup("extensions of SQLite cannot be loaded");
  return Enter(db, [&] { return db->Fail(SQLITE_ERROR, "extensions of SQLite cannot be loaded"); });
}

SCAUP_SQLITE_API int sqlite3_create_collation_v2(sqlite3* db, const char* name, int, void* data,
                                                 int (*compare)(void*, int, const void*, int, const void*),
                                                 void (*destroy)(void*)) {
  return Enter(db, [&] {
    const std::string upper = scaup::sqlite::ToUpper(name);
    if (compare == nullptr) {
      db->collations.erase(upper);
      db->collation_names.erase(upper);
    } else {
      const auto collation = std::make_shared<Collation>();
      collation->compare = compare;
      collation->data = data;
      collation->destroy = destroy;
      db->collations[upper] = collation;
      db->collation_names.insert(upper);
    }
    db->SchemaChanged();
    return db->Succeed();
  });
}

SCAUP_SQLITE_API int sqlite3_create_collation(sqlite3* db, const char* name, int encoding, void* data,
                                              int (*compare)(void*, int, const void*, int, const void*)) {
  return sqlite3_create_collation_v2(db, name, encoding, data, compare, nullptr);
}

SCAUP_SQLITE_API int sqlite3_complete(const char* sql) {
  return scaup::sqlite::EndsWithStatement(sql) ? 1 : 0;
}

SCAUP_SQLITE_API int sqlite3_stricmp(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return a == b ? 0 : a == nullptr ? -1 : 1;
  return scaup::sqlite::ToLower(a).compare(scaup::sqlite::ToLower(b));
}

SCAUP_SQLITE_API int sqlite3_sleep(int milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, nullptr);
  return milliseconds;
}

SCAUP_SQLITE_API void* sqlite3_malloc64(sqlite3_uint64 size) { return std::malloc(size); }
SCAUP_SQLITE_API void* sqlite3_malloc(int size) {
  return size <= 0 ? nullptr : std::malloc(static_cast<size_t>(size));
}
SCAUP_SQLITE_API void sqlite3_free(void* memory) { std::free(memory); }
SCAUP_SQLITE_API const char* sqlite3_db_filename(sqlite3* db, const char*) {
  return db == nullptr ? nullptr : db->path.c_str();
}
