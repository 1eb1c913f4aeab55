// Finds SQLite's code and message for errors of the engine by their SQLSTATE.
#include "error.hpp"

#include <sqlite3.h>

#include <cstdlib>

namespace scaup::sqlite {

namespace {

/// Returns what stands in the first pair of these characters.
std::string Between(std::string_view text, char open, char close) {
  const size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const size_t end = text.find(close, begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(text.substr(begin + 1, end - begin - 1));
}

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string SyntaxMessage(const std::string& message) {
  if (message == "syntax error at end of input") return "incomplete input";
  if (StartsWith(message, "syntax error at or near ")) return "near " + message.substr(24) + ": syntax error";
  return message;
}

/// Returns "t.a, t.b" for the columns that the message names as "Key (a, b)=(...)".
std::string KeyColumns(std::string_view message, std::string_view table) {
  const size_t key = message.find("Key (");
  if (key == std::string_view::npos) return std::string(table);
  std::string columns = Between(message.substr(key), '(', ')');
  std::string qualified;
  size_t begin = 0;
  while (begin < columns.size()) {
    size_t end = columns.find(", ", begin);
    if (end == std::string::npos) end = columns.size();
    if (!qualified.empty()) qualified += ", ";
    qualified += std::string(table) + "." + columns.substr(begin, end - begin);
    begin = end + 2;
  }
  return qualified;
}

SqliteError ConstraintError(std::string_view state, const std::string& message, std::string_view table) {
  if (state == "23505") {
    const bool is_primary = message.find("_pkey\"") != std::string::npos;
    return {is_primary ? SQLITE_CONSTRAINT_PRIMARYKEY : SQLITE_CONSTRAINT_UNIQUE,
            "UNIQUE constraint failed: " + KeyColumns(message, table)};
  }
  if (state == "23502") {
    return {SQLITE_CONSTRAINT_NOTNULL,
            "NOT NULL constraint failed: " + std::string(table) + "." + Between(message, '"', '"')};
  }
  if (state == "23514")
    return {SQLITE_CONSTRAINT_CHECK, "CHECK constraint failed: " + Between(message, '"', '"')};
  if (state == "23503") return {SQLITE_CONSTRAINT_FOREIGNKEY, "FOREIGN KEY constraint failed"};
  return {SQLITE_CONSTRAINT, message};
}

SqliteError NameError(std::string_view state, const std::string& message) {
  const std::string name = Between(message, '"', '"');
  if (state == "42P01" && !name.empty()) return {SQLITE_ERROR, "no such table: " + name};
  if (state == "42703" && !name.empty()) return {SQLITE_ERROR, "no such column: " + name};
  if (state == "42P07" && !name.empty()) return {SQLITE_ERROR, "table " + name + " already exists"};
  if (state == "42702" && !name.empty()) return {SQLITE_ERROR, "ambiguous column name: " + name};
  if (state == "42883" && StartsWith(message, "function ") && message.find("there is:") == std::string::npos)
    return {SQLITE_ERROR, "no such function: " + message.substr(9, message.find('(') - 9)};
  return {SQLITE_ERROR, message};
}

}  // namespace

Error MakeFunctionError(int code, const std::string& message) {
  return Error(ErrorKind::kIo, kFunctionFailed, std::to_string(code) + ":" + message);
}

SqliteError TranslateError(const Error& error, std::string_view table) {
  const std::string_view state = error.sqlstate();
  const std::string message = error.message();
  if (state == kFunctionFailed) {
    const size_t colon = message.find(':');
    return {std::atoi(message.c_str()), message.substr(colon + 1)};
  }
  if (state == kWrongKind) return {SQLITE_MISMATCH, message};
  if (state == "40001") return {SQLITE_BUSY_SNAPSHOT, "database is locked"};
  if (state == "25006") return {SQLITE_READONLY, "attempt to write a readonly database"};
  switch (error.kind()) {
    case ErrorKind::kSyntax: return {SQLITE_ERROR, SyntaxMessage(message)};
    case ErrorKind::kBinder:
    case ErrorKind::kCatalog: return NameError(state, message);
    case ErrorKind::kConversion:
      if (!table.empty()) return {SQLITE_MISMATCH, "datatype mismatch: " + message};
      return {SQLITE_ERROR, message};
    case ErrorKind::kConstraint: return ConstraintError(state, message, table);
    case ErrorKind::kIo:
      if (state == "XX001") return {SQLITE_CORRUPT, message};
      return {state == "53100" ? SQLITE_FULL : SQLITE_IOERR, message};
    case ErrorKind::kOutOfMemory: return {SQLITE_NOMEM, message};
    case ErrorKind::kInterrupted: return {SQLITE_INTERRUPT, "interrupted"};
    case ErrorKind::kInternal: return {SQLITE_INTERNAL, message};
    case ErrorKind::kOutOfRange:
    case ErrorKind::kTransaction:
    case ErrorKind::kUsage:
    case ErrorKind::kNotSupported: return {SQLITE_ERROR, message};
  }
  return {SQLITE_ERROR, message};
}

SqliteError TranslateOpenError(const Error& error) {
  const std::string_view state = error.sqlstate();
  if (state == "55006") return {SQLITE_BUSY, "database is locked"};
  if (state == "XX001") return {SQLITE_NOTADB, "file is not a database"};
  if (error.kind() == ErrorKind::kOutOfMemory) return {SQLITE_NOMEM, "out of memory"};
  if (error.kind() == ErrorKind::kNotSupported) return {SQLITE_NOTADB, error.message()};
  return {SQLITE_CANTOPEN, "unable to open database file"};
}

const char* MessageOfCode(int code) {
  switch (code & 0xff) {
    case SQLITE_OK: return "not an error";
    case SQLITE_ERROR: return "SQL logic error";
    case SQLITE_PERM: return "access permission denied";
    case SQLITE_ABORT: return "query aborted";
    case SQLITE_BUSY: return "database is locked";
    case SQLITE_LOCKED: return "database table is locked";
    case SQLITE_NOMEM: return "out of memory";
    case SQLITE_READONLY: return "attempt to write a readonly database";
    case SQLITE_INTERRUPT: return "interrupted";
    case SQLITE_IOERR: return "disk I/O error";
    case SQLITE_CORRUPT: return "database disk image is malformed";
    case SQLITE_NOTFOUND: return "unknown operation";
    case SQLITE_FULL: return "database or disk is full";
    case SQLITE_CANTOPEN: return "unable to open database file";
    case SQLITE_SCHEMA: return "database schema has changed";
    case SQLITE_TOOBIG: return "string or blob too big";
    case SQLITE_CONSTRAINT: return "constraint failed";
    case SQLITE_MISMATCH: return "datatype mismatch";
    case SQLITE_MISUSE: return "bad parameter or other API misuse";
    case SQLITE_AUTH: return "authorization denied";
    case SQLITE_RANGE: return "column index out of range";
    case SQLITE_NOTADB: return "file is not a database";
    case SQLITE_ROW: return "another row available";
    case SQLITE_DONE: return "no more rows available";
    default: return "unknown error";
  }
}

}  // namespace scaup::sqlite
