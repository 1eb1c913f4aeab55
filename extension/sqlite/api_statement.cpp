// The interface: statements, their parameters and their rows.
#include <cstring>
#include <limits>
#include <utility>

#include "statement.hpp"

#define SCAUP_SQLITE_API extern "C" __attribute__((visibility("default")))

using scaup::sqlite::Enter;
using scaup::sqlite::FirstStatement;
using scaup::sqlite::SqliteValue;

namespace {

using Destructor = void (*)(void*);

/// Calls the program's destructor for what it has given, as every way out of a function must.
class GivenBytes {
 public:
  GivenBytes(const void* bytes, Destructor destroy) : bytes_(bytes), destroy_(destroy) {}
  ~GivenBytes() {
    if (bytes_ != nullptr && destroy_ != SQLITE_STATIC && destroy_ != SQLITE_TRANSIENT)
      destroy_(const_cast<void*>(bytes_));
  }
  GivenBytes(const GivenBytes&) = delete;
  GivenBytes& operator=(const GivenBytes&) = delete;

 private:
  const void* bytes_;
  Destructor destroy_;
};

int Bind(sqlite3_stmt* statement, int parameter, SqliteValue value) {
  if (statement == nullptr) return SQLITE_MISUSE;
  return Enter(&statement->db, [&] {
    if (statement->is_running) return statement->db.Fail(SQLITE_MISUSE, "bad parameter or other API misuse");
    if (parameter < 1 || static_cast<size_t>(parameter) > statement->bindings.size())
      return statement->db.Fail(SQLITE_RANGE, "column index out of range");
    statement->bindings[static_cast<size_t>(parameter) - 1] = std::move(value);
    return statement->db.Succeed();
  });
}

int BindBytes(sqlite3_stmt* statement, int parameter, const void* bytes, int64_t size, Destructor destroy,
              bool is_text) {
  const GivenBytes given(bytes, destroy);
  if (bytes == nullptr) return Bind(statement, parameter, SqliteValue());
  const auto* const text = static_cast<const char*>(bytes);
  const size_t length = size < 0 ? std::strlen(text) : static_cast<size_t>(size);
  if (statement != nullptr && length > static_cast<size_t>(statement->db.limits[SQLITE_LIMIT_LENGTH]))
    return statement->db.Fail(SQLITE_TOOBIG, "string or blob too big");
  try {
    std::string copy(text, length);
    return Bind(statement, parameter,
                is_text ? SqliteValue::MakeText(std::move(copy)) : SqliteValue::MakeBlob(std::move(copy)));
  } catch (const std::exception&) {
    return SQLITE_NOMEM;
  }
}

/// Returns a value of the current row; NULL, with an error, if reading it fails.
const SqliteValue& ColumnValue(sqlite3_stmt* statement, int column) {
  static const SqliteValue& null = *new SqliteValue;
  const SqliteValue* value = &null;
  if (statement == nullptr) return null;
  Enter(&statement->db, [&] {
    value = &statement->ValueAt(column);
    return SQLITE_OK;
  });
  return *value;
}

const char* ColumnBytes(sqlite3_stmt* statement, int column) {
  const SqliteValue& value = ColumnValue(statement, column);
  if (value.is_null()) return nullptr;
  // Made once, as the address stays valid until the next row.
  std::optional<std::string>& text = statement->value_texts[static_cast<size_t>(column)];
  try {
    if (!text) text = value.AsBytes();
  } catch (const std::exception&) {
    statement->db.Fail(SQLITE_NOMEM, "out of memory");
    return nullptr;
  }
  return text->c_str();
}

}  // namespace

SCAUP_SQLITE_API int sqlite3_prepare_v2(sqlite3* db, const char* sql, int size, sqlite3_stmt** out,
                                        const char** tail) {
  if (out != nullptr) *out = nullptr;
  if (sql == nullptr || out == nullptr) return SQLITE_MISUSE;
  if (tail != nullptr) *tail = sql;
  return Enter(db, [&] {
    const size_t length = size < 0 ? std::strlen(sql) : strnlen(sql, static_cast<size_t>(size));
    if (length > static_cast<size_t>(db->limits[SQLITE_LIMIT_SQL_LENGTH]))
      return db->Fail(SQLITE_TOOBIG, "statement too long");
    const FirstStatement first = scaup::sqlite::ReadStatement(std::string_view(sql, length));
    if (tail != nullptr) *tail = sql + first.end;
    if (!first.tokens.empty()) {
      try {
        *out = new sqlite3_stmt(*db, std::string(sql, first.end));
      } catch (...) {
        if (tail != nullptr) *tail = sql + length;
        throw;
      }
    }
    return db->Succeed();
  });
}

SCAUP_SQLITE_API int sqlite3_prepare_v3(sqlite3* db, const char* sql, int size, unsigned, sqlite3_stmt** out,
                                        const char** tail) {
  return sqlite3_prepare_v2(db, sql, size, out, tail);
}

SCAUP_SQLITE_API int sqlite3_prepare(sqlite3* db, const char* sql, int size, sqlite3_stmt** out,
                                     const char** tail) {
  return sqlite3_prepare_v2(db, sql, size, out, tail);
}

SCAUP_SQLITE_API int sqlite3_step(sqlite3_stmt* statement) {
  if (statement == nullptr) return SQLITE_MISUSE;
  const int code = Enter(&statement->db, [&] {
    const int answer = statement->Step();
    statement->db.Succeed();
    return answer;
  });
  statement->last_code = code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
  if (statement->last_code != SQLITE_OK && code != SQLITE_LOCKED) statement->Reset();
  return code & 0xff;
}

SCAUP_SQLITE_API int sqlite3_reset(sqlite3_stmt* statement) {
  if (statement == nullptr) return SQLITE_OK;
  const int code = std::exchange(statement->last_code, SQLITE_OK);
  Enter(&statement->db, [&] {
    statement->Reset();
    return SQLITE_OK;
  });
  return code & 0xff;
}

SCAUP_SQLITE_API int sqlite3_finalize(sqlite3_stmt* statement) {
  if (statement == nullptr) return SQLITE_OK;
  sqlite3* const db = &statement->db;
  const int code = statement->last_code;
  {
    const std::lock_guard<std::recursive_mutex> lock(db->mutex);
    delete statement;
  }
  scaup::sqlite::ReleaseConnection(db);
  return code & 0xff;
}

SCAUP_SQLITE_API int sqlite3_exec(sqlite3* db, const char* sql, int (*callback)(void*, int, char**, char**),
                                  void* data, char** message) {
  if (message != nullptr) *message = nullptr;
  int code = SQLITE_OK;
  const char* rest = sql == nullptr ? "" : sql;
  while (code == SQLITE_OK && *rest != '\0') {
    sqlite3_stmt* statement = nullptr;
    code = sqlite3_prepare_v2(db, rest, -1, &statement, &rest);
    if (code != SQLITE_OK || statement == nullptr) continue;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      if (callback == nullptr) continue;
      std::vector<char*> values;
      std::vector<char*> names;
      for (size_t i = 0; i < statement->columns.size(); i++) {
        values.push_back(const_cast<char*>(ColumnBytes(statement, static_cast<int>(i))));
        names.push_back(const_cast<char*>(statement->columns[i].name.c_str()));
      }
      if (callback(data, static_cast<int>(values.size()), values.data(), names.data()) != 0) {
        db->Fail(SQLITE_ABORT, "query aborted");
        code = SQLITE_ABORT;
        break;
      }
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE) code = SQLITE_OK;
  }
  if (code != SQLITE_OK && message != nullptr && db != nullptr) *message = strdup(sqlite3_errmsg(db));
  return code & 0xff;
}

SCAUP_SQLITE_API sqlite3* sqlite3_db_handle(sqlite3_stmt* statement) {
  return statement == nullptr ? nullptr : &statement->db;
}
SCAUP_SQLITE_API const char* sqlite3_sql(sqlite3_stmt* statement) {
  return statement == nullptr ? nullptr : statement->sql.c_str();
}
SCAUP_SQLITE_API int sqlite3_stmt_readonly(sqlite3_stmt* statement) {
  return statement == nullptr || statement->body->is_readonly() ? 1 : 0;
}
SCAUP_SQLITE_API int sqlite3_stmt_busy(sqlite3_stmt* statement) {
  return statement != nullptr && statement->is_running ? 1 : 0;
}
SCAUP_SQLITE_API int sqlite3_stmt_isexplain(sqlite3_stmt* statement) {
  return statement != nullptr && statement->tokens[0].Is("EXPLAIN") ? 1 : 0;
}

SCAUP_SQLITE_API sqlite3_stmt* sqlite3_next_stmt(sqlite3* db, sqlite3_stmt* statement) {
  if (db == nullptr) return nullptr;
  const auto next = statement == nullptr ? db->statements.begin() : db->statements.upper_bound(statement);
  return next == db->statements.end() ? nullptr : *next;
}

SCAUP_SQLITE_API char* sqlite3_expanded_sql(sqlite3_stmt* statement) {
  if (statement == nullptr) return nullptr;
  try {
    const std::string expanded = statement->ExpandedSql();
    if (expanded.size() > static_cast<size_t>(statement->db.limits[SQLITE_LIMIT_LENGTH])) return nullptr;
    return strdup(expanded.c_str());
  } catch (const std::exception&) {
    return nullptr;
  }
}

SCAUP_SQLITE_API int sqlite3_bind_parameter_count(sqlite3_stmt* statement) {
  return statement == nullptr ? 0 : static_cast<int>(statement->bindings.size());
}
SCAUP_SQLITE_API const char* sqlite3_bind_parameter_name(sqlite3_stmt* statement, int parameter) {
  if (statement == nullptr || parameter < 1 || static_cast<size_t>(parameter) > statement->bindings.size())
    return nullptr;
  const std::string& name = statement->parameters.name(static_cast<size_t>(parameter));
  return name.empty() ? nullptr : name.c_str();
}
SCAUP_SQLITE_API int sqlite3_bind_parameter_index(sqlite3_stmt* statement, const char* name) {
  return statement == nullptr || name == nullptr ? 0 : static_cast<int>(statement->parameters.Find(name));
}
SCAUP_SQLITE_API int sqlite3_clear_bindings(sqlite3_stmt* statement) {
  if (statement == nullptr) return SQLITE_MISUSE;
  for (SqliteValue& value : statement->bindings) value = SqliteValue();
  return SQLITE_OK;
}
SCAUP_SQLITE_API int sqlite3_bind_null(sqlite3_stmt* statement, int parameter) {
  return Bind(statement, parameter, SqliteValue());
}
SCAUP_SQLITE_API int sqlite3_bind_int(sqlite3_stmt* statement, int parameter, int value) {
  return Bind(statement, parameter, SqliteValue(int64_t{value}));
}
SCAUP_SQLITE_API int sqlite3_bind_int64(sqlite3_stmt* statement, int parameter, sqlite3_int64 value) {
  return Bind(statement, parameter, SqliteValue(static_cast<int64_t>(value)));
}
SCAUP_SQLITE_API int sqlite3_bind_double(sqlite3_stmt* statement, int parameter, double value) {
  return Bind(statement, parameter, SqliteValue(value));
}
SCAUP_SQLITE_API int sqlite3_bind_text(sqlite3_stmt* statement, int parameter, const char* text, int size,
                                       void (*destroy)(void*)) {
  return BindBytes(statement, parameter, text, size, destroy, true);
}
SCAUP_SQLITE_API int sqlite3_bind_blob(sqlite3_stmt* statement, int parameter, const void* bytes, int size,
                                       void (*destroy)(void*)) {
  return BindBytes(statement, parameter, bytes, size < 0 ? 0 : size, destroy, false);
}
SCAUP_SQLITE_API int sqlite3_bind_blob64(sqlite3_stmt* statement, int parameter, const void* bytes,
                                         sqlite3_uint64 size, void (*destroy)(void*)) {
  return BindBytes(statement, parameter, bytes, static_cast<int64_t>(size), destroy, false);
}
SCAUP_SQLITE_API int sqlite3_bind_zeroblob(sqlite3_stmt* statement, int parameter, int size) {
  return Bind(statement, parameter,
              SqliteValue::MakeBlob(std::string(size < 0 ? 0 : static_cast<size_t>(size), '\0')));
}

SCAUP_SQLITE_API int sqlite3_column_count(sqlite3_stmt* statement) {
  return statement == nullptr ? 0 : static_cast<int>(statement->columns.size());
}
SCAUP_SQLITE_API int sqlite3_data_count(sqlite3_stmt* statement) {
  return statement == nullptr || !statement->has_row ? 0 : static_cast<int>(statement->columns.size());
}
SCAUP_SQLITE_API const char* sqlite3_column_name(sqlite3_stmt* statement, int column) {
  if (statement == nullptr || column < 0 || static_cast<size_t>(column) >= statement->columns.size())
    return nullptr;
  return statement->columns[static_cast<size_t>(column)].name.c_str();
}
SCAUP_SQLITE_API const char* sqlite3_column_decltype(sqlite3_stmt* statement, int column) {
  if (statement == nullptr || column < 0 || static_cast<size_t>(column) >= statement->columns.size())
    return nullptr;
  const std::string& type = statement->columns[static_cast<size_t>(column)].declared_type;
  return type.empty() ? nullptr : type.c_str();
}
SCAUP_SQLITE_API int sqlite3_column_type(sqlite3_stmt* statement, int column) {
  return ColumnValue(statement, column).TypeCode();
}
SCAUP_SQLITE_API int sqlite3_column_int(sqlite3_stmt* statement, int column) {
  return static_cast<int>(ColumnValue(statement, column).AsInteger());
}
SCAUP_SQLITE_API sqlite3_int64 sqlite3_column_int64(sqlite3_stmt* statement, int column) {
  return ColumnValue(statement, column).AsInteger();
}
SCAUP_SQLITE_API double sqlite3_column_double(sqlite3_stmt* statement, int column) {
  return ColumnValue(statement, column).AsReal();
}
SCAUP_SQLITE_API const unsigned char* sqlite3_column_text(sqlite3_stmt* statement, int column) {
  return reinterpret_cast<const unsigned char*>(ColumnBytes(statement, column));
}
SCAUP_SQLITE_API const void* sqlite3_column_blob(sqlite3_stmt* statement, int column) {
  const char* const bytes = ColumnBytes(statement, column);
  // An empty blob has no address in SQLite either.
  return bytes == nullptr || statement->value_texts[static_cast<size_t>(column)]->empty() ? nullptr : bytes;
}
SCAUP_SQLITE_API int sqlite3_column_bytes(sqlite3_stmt* statement, int column) {
  return ColumnBytes(statement, column) == nullptr
             ? 0
             : static_cast<int>(statement->value_texts[static_cast<size_t>(column)]->size());
}
