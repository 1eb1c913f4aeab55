// SqliteError: an error as SQLite's interface reports it, and how errors of the engine become one.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "scaup/error.hpp"

namespace scaup::sqlite {

/// An error with SQLite's extended code. Thrown within this library alone; its functions return the code.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// Returns the extended code, such as SQLITE_CONSTRAINT_UNIQUE; its low byte is the primary code.
  int code() const { return code_; }

 private:
  int code_;
};

/// SQLSTATE of errors of the program's functions, which carry SQLite's code as a number before the message.
inline constexpr char kFunctionFailed[] = "38S01";
/// SQLSTATE of a value of any kind that is not of the kind that an expression needs.
inline constexpr char kWrongKind[] = "38S02";

/// Makes the engine's error that carries this one through a statement.
Error MakeFunctionError(int code, const std::string& message);

/// Returns SQLite's error for an error of the engine in a statement that writes `table`, "" if it writes
/// none.
SqliteError TranslateError(const Error& error, std::string_view table);
/// Returns SQLite's error for one that came from opening a file.
SqliteError TranslateOpenError(const Error& error);

/// Returns SQLite's general message for a code. The text is static.
const char* MessageOfCode(int code);

}  // namespace scaup::sqlite
