// Error: the only exception type that Scaup throws across its public interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "scaup/export.hpp"

namespace scaup {

/// The kind of an error. The numbers are part of the public interface and never change.
enum class ErrorKind : uint8_t {
  kSyntax = 1,         ///< The text is not SQL.
  kBinder = 2,         ///< Names or types do not fit: unknown column, ambiguous name, wrong argument type.
  kCatalog = 3,        ///< A table, schema or other catalog entry is missing, or exists already.
  kConversion = 4,     ///< A value cannot be converted to the wanted type.
  kOutOfRange = 5,     ///< Arithmetic overflow, division by zero, a value outside its type's range.
  kConstraint = 6,     ///< NOT NULL, CHECK, UNIQUE, ... refused a row.
  kTransaction = 7,    ///< Serialization failure, or a statement in an aborted transaction.
  kIo = 8,             ///< A file could not be opened, read or written, or contains malformed data.
  kOutOfMemory = 9,    ///< The memory limit is reached; only the statement failed.
  kInterrupted = 10,   ///< Connection::Interrupt was called.
  kUsage = 11,         ///< The API was called in a way that its contract forbids.
  kNotSupported = 12,  ///< Valid SQL that Scaup does not execute.
  kInternal = 13,      ///< A check inside Scaup failed: a bug. Only the statement ended.
};

/// An error with its SQLSTATE and, if it is about a place in SQL text, the position in that text. Thrown by
/// every public function that can fail. Copyable; const access from any thread.
class SCAUP_API Error : public std::runtime_error {
 public:
  /// `sqlstate` has five characters, and is copied. `position` is a byte offset into the SQL text that was
  /// executed.
  Error(ErrorKind kind, const char* sqlstate, const std::string& message,
        std::optional<size_t> position = std::nullopt);

  ErrorKind kind() const noexcept { return kind_; }
  /// Returns five characters and a terminating zero, valid as long as this Error.
  const char* sqlstate() const noexcept { return sqlstate_; }
  /// Returns the message alone, without kind or position.
  std::string message() const { return what(); }
  /// Returns a byte offset into the SQL text that was executed; nullopt if none is known.
  std::optional<size_t> position() const noexcept { return position_; }
  /// Sets the position if none is known yet. Used by code that knows the expression that failed.
  void SetPositionIfUnknown(std::optional<size_t> position) {
    if (!position_) position_ = position;
  }

 private:
  ErrorKind kind_;
  char sqlstate_[6];
  std::optional<size_t> position_;
};

/// Returns a stable lower-case name such as "syntax" or "out of memory". The string is static.
SCAUP_API const char* ErrorKindName(ErrorKind kind) noexcept;

}  // namespace scaup
