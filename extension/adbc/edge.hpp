// The edge of the driver: every exception becomes a status and an AdbcError, and every missing handle an
// exception.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adbc.h"
#include "scaup/error.hpp"

namespace scaup::adbc {

/// An error whose status does not follow from its kind. Thrown within the driver.
class StatusError : public Error {
 public:
  StatusError(AdbcStatusCode status, ErrorKind kind, const char* sqlstate, const std::string& message,
              std::optional<size_t> position = std::nullopt)
      : Error(kind, sqlstate, message, position), status_(status) {}
  AdbcStatusCode status() const { return status_; }

 private:
  AdbcStatusCode status_;
};

// Functions that throw StatusError with the status in their name.
[[noreturn]] void ThrowInvalidArgument(const std::string& message);
[[noreturn]] void ThrowInvalidState(const std::string& message);
[[noreturn]] void ThrowNotImplemented(const std::string& message);
[[noreturn]] void ThrowNotFound(const std::string& message);

/// The description of an error for the caller. A value type.
struct ErrorRecord {
  AdbcStatusCode status = ADBC_STATUS_OK;
  ErrorKind kind = ErrorKind::kInternal;
  std::string sqlstate;  ///< five characters
  std::string message;
  std::vector<std::pair<std::string, std::string>> details;  ///< keys and values
};

/// Describes the exception that is being handled. Rethrows the one that ends a cancelled thread. REQUIRES:
/// called in a handler.
ErrorRecord DescribeException();
/// Returns the status of an error of the library.
AdbcStatusCode StatusOf(const Error& error);

/// Initializes `out`, unless it is null. Callers that know version 1.0 get the number of the error's kind as
/// vendor code, callers that know 1.1 the details.
void FillError(const ErrorRecord& record, AdbcError* out) noexcept;
int DetailCountOf(const AdbcError* error) noexcept;
AdbcErrorDetail DetailOf(const AdbcError* error, int index) noexcept;

/// Runs `body` for a function of the interface. Only this function catches exceptions.
template <typename Body>
AdbcStatusCode Guard(AdbcError* error, Body&& body) {
  try {
    body();
    return ADBC_STATUS_OK;
  } catch (...) {
    const ErrorRecord record = DescribeException();
    FillError(record, error);
    return record.status;
  }
}

/// Runs statements that the driver has made. Their errors have no position, which would be one in a text that
/// the program has not seen.
template <typename Body>
auto WithoutPosition(Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw StatusError(StatusOf(error), error.kind(), error.sqlstate(), error.message());
  }
}

/// Returns what a pointer points to. Throws StatusError, which calls it `name`, if it is null.
template <typename Type>
Type& Require(Type* pointer, const char* name) {
  if (pointer == nullptr) ThrowInvalidArgument(std::string(name) + " is NULL");
  return *pointer;
}

}  // namespace scaup::adbc
