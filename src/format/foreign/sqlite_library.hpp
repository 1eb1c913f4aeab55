// The part of SQLite's C interface that reads files, from the system's library.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace scaup {

/// Functions of libsqlite3; handles are opaque. Immutable; thread-safe.
struct SqliteLibrary {
  // Names and results as in SQLite's documentation.
  int (*open_v2)(const char* path, void** database, int flags, const char* vfs);
  int (*close_v2)(void* database);
  int (*prepare_v2)(void* database, const char* sql, int bytes, void** statement, const char** tail);
  int (*step)(void* statement);
  int (*finalize)(void* statement);
  int (*column_count)(void* statement);
  const char* (*column_name)(void* statement, int column);
  const char* (*column_decltype)(void* statement, int column);
  int (*column_type)(void* statement, int column);
  int64_t (*column_int64)(void* statement, int column);
  double (*column_double)(void* statement, int column);
  const unsigned char* (*column_text)(void* statement, int column);
  const void* (*column_blob)(void* statement, int column);
  int (*column_bytes)(void* statement, int column);
  const char* (*errmsg)(void* database);
  int (*busy_timeout)(void* database, int milliseconds);
  void (*progress_handler)(void* database, int steps, int (*check)(void*), void* context);

  static constexpr int kOk = 0, kRow = 100, kDone = 101;
  enum Type { kInteger = 1, kFloat = 2, kText = 3, kBlob = 4, kNull = 5 };

  /// The system's library. Throws Error(kNotSupported) if there is none.
  static const SqliteLibrary& Get();
};

/// A file that is read, and a statement over it. One thread at a time.
class SqliteStatement {
 public:
  /// Throws Error(kIo) for a file that is none of SQLite, or for SQL that it refuses.
  SqliteStatement(const std::string& path, const std::string& sql);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  /// Lets `check` end a long step, by a result that is not 0.
  void SetCheck(int (*check)(void*), void* context);
  /// Goes on to the next row; false at the end. Throws Error(kIo) for a damaged file, Error(kInterrupted) if
  /// the check ended it.
  bool Step();
  void* handle() const { return statement_; }

 private:
  [[noreturn]] void Throw(int status);
  void Close();

  const SqliteLibrary& library_;
  const std::string path_;
  void* database_ = nullptr;
  void* statement_ = nullptr;
};

}  // namespace scaup
