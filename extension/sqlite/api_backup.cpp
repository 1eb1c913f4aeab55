// The interface: backups, and databases as bytes.
#include <cstdlib>
#include <cstring>

#include "connection.hpp"
#include "database_copy.hpp"

#define SCAUP_SQLITE_API extern "C" __attribute__((visibility("default")))

using scaup::sqlite::Enter;
using scaup::sqlite::SqliteError;

/// A backup. Keeps both connections. All is copied by the last step; pages are counted for those who ask, one
/// for each table.
struct sqlite3_backup {
  sqlite3* target = nullptr;
  sqlite3* source = nullptr;
  int page_count = 0;
  int remaining = 0;
  int64_t source_changes = 0;
  bool is_done = false;
  int code = SQLITE_OK;
};

namespace {

int CountPages(sqlite3& db) { return static_cast<int>(db.LoadedSchema().tables().size()) + 1; }

/// Begins again if the source has changed.
void CountAgain(sqlite3_backup& backup) {
  const int64_t changes = backup.source->function_state.total_changes;
  if (backup.page_count != 0 && changes == backup.source_changes) return;
  backup.source_changes = changes;
  backup.page_count = backup.remaining = CountPages(*backup.source);
}

void Copy(sqlite3_backup& backup) {
  if (backup.target->transaction.is_open()) throw SqliteError(SQLITE_ERROR, "destination database is in use");
  if (backup.target->is_read_only) throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
  scaup::sqlite::CopyDatabase(backup.source->engine, backup.target->engine);
  backup.target->SchemaChanged();
  backup.target->shared->ForgetLastRowids();
}

}  // namespace

SCAUP_SQLITE_API sqlite3_backup* sqlite3_backup_init(sqlite3* target, const char* target_name,
                                                     sqlite3* source, const char* source_name) {
  sqlite3_backup* made = nullptr;
  Enter(target, [&] {
    if (source == nullptr || source == target)
      return target->Fail(SQLITE_ERROR, "source and destination must be distinct");
    for (const char* const name : {target_name, source_name}) {
      if (name == nullptr || scaup::sqlite::ToLower(name) != "main")
        return target->Fail(SQLITE_ERROR, std::string("unknown database ") + (name == nullptr ? "" : name));
    }
    if (target->transaction.is_open()) return target->Fail(SQLITE_ERROR, "destination database is in use");
    made = new sqlite3_backup;
    made->target = target;
    made->source = source;
    target->users++;
    source->users++;
    return target->Succeed();
  });
  return made;
}

SCAUP_SQLITE_API int sqlite3_backup_step(sqlite3_backup* backup, int pages) {
  if (backup == nullptr) return SQLITE_MISUSE;
  if (backup->is_done) return SQLITE_DONE;
  backup->code = Enter(backup->target, [&] {
    const std::lock_guard<std::recursive_mutex> lock(backup->source->mutex);
    CountAgain(*backup);
    if (pages >= 0 && pages < backup->remaining) {
      backup->remaining -= pages;
      return SQLITE_OK;
    }
    Copy(*backup);
    backup->remaining = 0;
    backup->is_done = true;
    return SQLITE_DONE;
  });
  return backup->code & 0xff;
}

SCAUP_SQLITE_API int sqlite3_backup_finish(sqlite3_backup* backup) {
  if (backup == nullptr) return SQLITE_OK;
  const int code = backup->code == SQLITE_DONE ? SQLITE_OK : backup->code;
  sqlite3* const target = backup->target;
  sqlite3* const source = backup->source;
  delete backup;
  target->users--;
  source->users--;
  target->error_code = code;
  scaup::sqlite::ReleaseConnection(target);
  scaup::sqlite::ReleaseConnection(source);
  return code & 0xff;
}

SCAUP_SQLITE_API int sqlite3_backup_remaining(sqlite3_backup* backup) {
  return backup == nullptr ? 0 : backup->remaining;
}
SCAUP_SQLITE_API int sqlite3_backup_pagecount(sqlite3_backup* backup) {
  return backup == nullptr ? 0 : backup->page_count;
}

SCAUP_SQLITE_API unsigned char* sqlite3_serialize(sqlite3* db, const char* schema, sqlite3_int64* size,
                                                  unsigned flags) {
  unsigned char* bytes = nullptr;
  if (size != nullptr) *size = -1;
  // There is no copy in memory already that could be given without making one.
  if ((flags & SQLITE_SERIALIZE_NOCOPY) != 0) return nullptr;
  Enter(db, [&] {
    if (schema != nullptr && scaup::sqlite::ToLower(schema) != "main")
      return db->Fail(SQLITE_ERROR, std::string("unknown database ") + schema);
    const std::string file = scaup::sqlite::SerializeDatabase(db->engine);
    bytes = static_cast<unsigned char*>(std::malloc(std::max<size_t>(file.size(), 1)));
    if (bytes == nullptr) return db->Fail(SQLITE_NOMEM, "out of memory");
    std::memcpy(bytes, file.data(), file.size());
    if (size != nullptr) *size = static_cast<sqlite3_int64>(file.size());
    return db->Succeed();
  });
  return bytes;
}

SCAUP_SQLITE_API int sqlite3_deserialize(sqlite3* db, const char* schema, unsigned char* bytes,
                                         sqlite3_int64 size, sqlite3_int64, unsigned flags) {
  const int code = Enter(db, [&] {
    if (schema != nullptr && scaup::sqlite::ToLower(schema) != "main")
      return db->Fail(SQLITE_ERROR, std::string("unknown database ") + schema);
    if (db->transaction.is_open()) return db->Fail(SQLITE_ERROR, "a transaction is open");
    try {
      scaup::sqlite::DeserializeDatabase({reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)},
                                         db->engine);
    } catch (const scaup::Error& error) {
      return db->Fail(scaup::sqlite::TranslateOpenError(error));
    }
    db->SchemaChanged();
    db->shared->ForgetLastRowids();
    return db->Succeed();
  });
  if ((flags & SQLITE_DESERIALIZE_FREEONCLOSE) != 0) std::free(bytes);
  return code & 0xff;
}
