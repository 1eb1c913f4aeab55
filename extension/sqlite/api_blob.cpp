// The interface: handles that read and write one blob in place.
#include <algorithm>
#include <cstring>

#include "statement.hpp"

#define SCAUP_SQLITE_API extern "C" __attribute__((visibility("default")))

using scaup::sqlite::Enter;
using scaup::sqlite::QuoteName;
using scaup::sqlite::SchemaColumn;
using scaup::sqlite::SchemaTable;
using scaup::sqlite::SqliteError;
using scaup::sqlite::SqliteValue;
using scaup::sqlite::Storage;
using scaup::sqlite::Transaction;

/// A blob or text of one row. Keeps its connection.
struct sqlite3_blob {
  explicit sqlite3_blob(sqlite3& connection) : db(connection) { db.users++; }
  ~sqlite3_blob() { db.users--; }
  sqlite3_blob(const sqlite3_blob&) = delete;
  sqlite3_blob& operator=(const sqlite3_blob&) = delete;

  /// Reads the value. Throws SqliteError if there is none.
  void Load();
  /// Throws SQLITE_ABORT if the row has changed since the handle was opened.
  void CheckUnchanged();
  void Store();
  SqliteValue ReadRow();

  sqlite3& db;
  std::string table;  ///< as the engine's SQL writes it
  std::string column;
  std::string rowid_column;
  bool is_dynamic = false;
  bool is_writable = false;
  bool is_expired = false;
  int64_t rowid = 0;
  SqliteValue value;
};

SqliteValue sqlite3_blob::ReadRow() {
  scaup::QueryResult result;
  db.transaction.Run(Transaction::Mode::kRead, [&] {
    const scaup::Value id = scaup::Value::BigInt(rowid);
    result = db.engine.Query(
        "SELECT " + QuoteName(column) + " FROM " + table + " WHERE " + QuoteName(rowid_column) + " = $1",
        {&id, 1});
  });
  if (result.row_count() == 0) throw SqliteError(SQLITE_ERROR, "no such rowid: " + std::to_string(rowid));
  return SqliteValue::FromEngine(result, 0, 0);
}

void sqlite3_blob::Load() {
  is_expired = true;
  value = ReadRow();
  if (!value.is_blob() && !value.is_text())
    throw SqliteError(SQLITE_ERROR, std::string("cannot open value of type ") + value.TypeName());
  is_expired = false;
}

void sqlite3_blob::CheckUnchanged() {
  if (!is_expired) {
    try {
      is_expired = !(ReadRow() == value);
    } catch (const SqliteError&) {
      is_expired = true;
    } catch (const scaup::Error&) {
      is_expired = true;
    }
  }
  if (is_expired) throw SqliteError(SQLITE_ABORT, "query aborted");
}

void sqlite3_blob::Store() {
  db.transaction.Run(Transaction::Mode::kWrite, [&] {
    const scaup::Value values[] = {value.ToEngine(), scaup::Value::BigInt(rowid)};
    const std::string stored = is_dynamic ? "\"sqlite_dynamic\"(\"sqlite_any\"($1))" : "$1";
    db.engine.Query("UPDATE " + table + " SET " + QuoteName(column) + " = " + stored + " WHERE " +
                        QuoteName(rowid_column) + " = $2",
                    values);
  });
}

namespace {

/// Runs the body, and checks the range that the program gives.
template <typename Body>
int UseBlob(sqlite3_blob* blob, int size, int offset, const Body& body) {
  if (blob == nullptr) return SQLITE_MISUSE;
  return Enter(&blob->db, [&] {
    const auto bytes = static_cast<int64_t>(blob->value.AsBytes().size());
    if (size < 0 || offset < 0 || int64_t{offset} + size > bytes)
      return blob->db.Fail(SQLITE_ERROR, "SQL logic error");
    blob->CheckUnchanged();
    body();
    return blob->db.Succeed();
  });
}

}  // namespace

SCAUP_SQLITE_API int sqlite3_blob_open(sqlite3* db, const char* schema, const char* table_name,
                                       const char* column_name, sqlite3_int64 rowid, int flags,
                                       sqlite3_blob** out) {
  if (out == nullptr || table_name == nullptr || column_name == nullptr) return SQLITE_MISUSE;
  *out = nullptr;
  return Enter(db, [&] {
    const std::string schema_name = schema == nullptr ? "main" : scaup::sqlite::ToLower(schema);
    const SchemaTable* const table =
        schema_name == "main" || schema_name == "temp"
            ? db->LoadedSchema().Find(schema_name, scaup::sqlite::ToLower(table_name))
            : nullptr;
    if (table == nullptr) throw SqliteError(SQLITE_ERROR, "no such table: " + schema_name + "." + table_name);
    if (table->is_view) throw SqliteError(SQLITE_ERROR, std::string("cannot open view: ") + table_name);
    if (table->rowid_column.empty())
      throw SqliteError(SQLITE_ERROR, std::string("cannot open table without rowid: ") + table_name);
    const SchemaColumn* const column = table->Find(scaup::sqlite::ToLower(column_name));
    if (column == nullptr)
      throw SqliteError(SQLITE_ERROR, std::string("no such column: \"") + column_name + "\"");
    if (flags != 0 && db->is_read_only)
      throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
    auto blob = std::make_unique<sqlite3_blob>(*db);
    blob->table = table->QuotedName();
    blob->column = column->name;
    blob->rowid_column = table->rowid_column;
    blob->is_dynamic = column->storage == Storage::kDynamic;
    blob->is_writable = flags != 0;
    blob->rowid = rowid;
    blob->Load();
    *out = blob.release();
    return db->Succeed();
  });
}

SCAUP_SQLITE_API int sqlite3_blob_reopen(sqlite3_blob* blob, sqlite3_int64 rowid) {
  if (blob == nullptr) return SQLITE_MISUSE;
  return Enter(&blob->db, [&] {
    blob->rowid = rowid;
    blob->Load();
    return blob->db.Succeed();
  });
}

SCAUP_SQLITE_API int sqlite3_blob_close(sqlite3_blob* blob) {
  if (blob == nullptr) return SQLITE_OK;
  sqlite3* const db = &blob->db;
  {
    const std::lock_guard<std::recursive_mutex> lock(db->mutex);
    delete blob;
  }
  scaup::sqlite::ReleaseConnection(db);
  return SQLITE_OK;
}

SCAUP_SQLITE_API int sqlite3_blob_bytes(sqlite3_blob* blob) {
  return blob == nullptr || blob->is_expired ? 0 : static_cast<int>(blob->value.AsBytes().size());
}

SCAUP_SQLITE_API int sqlite3_blob_read(sqlite3_blob* blob, void* out, int size, int offset) {
  return UseBlob(blob, size, offset,
                 [&] { std::memcpy(out, blob->value.AsBytes().data() + offset, static_cast<size_t>(size)); });
}

SCAUP_SQLITE_API int sqlite3_blob_write(sqlite3_blob* blob, const void* bytes, int size, int offset) {
  return UseBlob(blob, size, offset, [&] {
    if (!blob->is_writable) throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
    std::string changed = blob->value.AsBytes();
    changed.replace(static_cast<size_t>(offset), static_cast<size_t>(size), static_cast<const char*>(bytes),
                    static_cast<size_t>(size));
    const SqliteValue before = blob->value;
    blob->value = blob->value.is_text() ? SqliteValue::MakeText(std::move(changed))
                                        : SqliteValue::MakeBlob(std::move(changed));
    try {
      blob->Store();
    } catch (...) {
      blob->value = before;
      throw;
    }
  });
}
