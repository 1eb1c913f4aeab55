// Finds libsqlite3, and runs statements.
#include "format/foreign/sqlite_library.hpp"

#include <fmt/format.h>

#include "common/dynamic_library.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr int kOpenReadOnly = 1, kOpenFullMutex = 0x10000;
constexpr int kInterrupted = 9, kBusy = 5, kLocked = 6;
constexpr int kBusyMillis = 5000;
constexpr int kStepsBetweenChecks = 10000;

bool FindSqlite(const DynamicLibrary& from, SqliteLibrary& to) {
  return from.Find("sqlite3_open_v2", to.open_v2) && from.Find("sqlite3_close_v2", to.close_v2) &&
         from.Find("sqlite3_prepare_v2", to.prepare_v2) && from.Find("sqlite3_step", to.step) &&
         from.Find("sqlite3_finalize", to.finalize) && from.Find("sqlite3_column_count", to.column_count) &&
         from.Find("sqlite3_column_name", to.column_name) &&
         from.Find("sqlite3_column_decltype", to.column_decltype) &&
         from.Find("sqlite3_column_type", to.column_type) &&
         from.Find("sqlite3_column_int64", to.column_int64) &&
         from.Find("sqlite3_column_double", to.column_double) &&
         from.Find("sqlite3_column_text", to.column_text) &&
         from.Find("sqlite3_column_blob", to.column_blob) &&
         from.Find("sqlite3_column_bytes", to.column_bytes) && from.Find("sqlite3_errmsg", to.errmsg) &&
         from.Find("sqlite3_busy_timeout", to.busy_timeout) &&
         from.Find("sqlite3_progress_handler", to.progress_handler);
}

}  // namespace

const SqliteLibrary& SqliteLibrary::Get() {
  return FunctionsOf({"libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"}, FindSqlite,
                     "this system has no libsqlite3.so.0, which reads files of SQLite: install libsqlite3-0");
}

SqliteStatement::SqliteStatement(const std::string& path, const std::string& sql)
    : library_(SqliteLibrary::Get()), path_(path) {
  int status = library_.open_v2(path.c_str(), &database_, kOpenReadOnly | kOpenFullMutex, nullptr);
  if (status == SqliteLibrary::kOk) {
    library_.busy_timeout(database_, kBusyMillis);
    status = library_.prepare_v2(database_, sql.c_str(), static_cast<int>(sql.size()), &statement_, nullptr);
  }
  if (status != SqliteLibrary::kOk) {
    try {
      Throw(status);
    } catch (...) {
      Close();
      throw;
    }
  }
}

SqliteStatement::~SqliteStatement() { Close(); }

void SqliteStatement::Close() {
  library_.finalize(statement_);  // nothing for null
  library_.close_v2(database_);
}

void SqliteStatement::SetCheck(int (*check)(void*), void* context) {
  library_.progress_handler(database_, kStepsBetweenChecks, check, context);
}

bool SqliteStatement::Step() {
  const int status = library_.step(statement_);
  if (status == SqliteLibrary::kRow) return true;
  if (status != SqliteLibrary::kDone) Throw(status);
  return false;
}

void SqliteStatement::Throw(int status) {
  const std::string message = database_ == nullptr ? "out of memory" : library_.errmsg(database_);
  if ((status & 0xFF) == kInterrupted)
    ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled, "the query was interrupted");
  const bool is_busy = (status & 0xFF) == kBusy || (status & 0xFF) == kLocked;
  ThrowError(ErrorKind::kIo, is_busy ? sqlstate::kObjectInUse : sqlstate::kIoError,
             fmt::format("could not read \"{}\" by SQLite: {}", path_, message));
}

}  // namespace scaup
