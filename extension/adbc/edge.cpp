// Errors of the driver: made of exceptions, and read by the program.
#include "edge.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace scaup::adbc {

namespace {

bool IsOneOf(std::string_view sqlstate, std::initializer_list<std::string_view> states) {
  return std::find(states.begin(), states.end(), sqlstate) != states.end();
}

/// Returns the status of an error about names.
AdbcStatusCode StatusOfName(std::string_view sqlstate) {
  // A relation, a schema, another object.
  if (IsOneOf(sqlstate, {"42P01", "3F000", "42704"})) return ADBC_STATUS_NOT_FOUND;
  // A relation, a schema, another object, a function.
  if (IsOneOf(sqlstate, {"42P07", "42P06", "42710", "42723"})) return ADBC_STATUS_ALREADY_EXISTS;
  return ADBC_STATUS_INVALID_ARGUMENT;
}

/// The error for which there is no memory either.
constexpr const char* kNoMemoryMessage = "the system has no memory left";

/// The memory of an error, which its release function frees.
struct HeldError {
  std::string message;
  std::vector<std::pair<std::string, std::string>> details;
};

void ReleaseStatic(AdbcError* error) {
  error->message = nullptr;
  error->release = nullptr;
}

void ReleaseHeld(AdbcError* error) {
  delete static_cast<HeldError*>(error->private_data);
  error->message = nullptr;
  error->private_data = nullptr;
  error->release = nullptr;
}

void ReleaseMessage(AdbcError* error) {
  delete[] error->message;
  error->message = nullptr;
  error->release = nullptr;
}

/// Like DescribeException, but throws bad_alloc if there is no memory for the description.
ErrorRecord DescribeWithMemory() {
  try {
    throw;
  } catch (const Error& error) {
    ErrorRecord record{StatusOf(error), error.kind(), error.sqlstate(), error.message(), {}};
    record.details.emplace_back("scaup.kind", ErrorKindName(error.kind()));
    if (error.position()) record.details.emplace_back("scaup.position", std::to_string(*error.position()));
    return record;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {ADBC_STATUS_INTERNAL, ErrorKind::kInternal, "XX000", error.what(), {}};
  } catch (const abi::__forced_unwind&) {
    throw;  // pthread_cancel: to stop it here would end the process
  } catch (...) {
    return {ADBC_STATUS_INTERNAL, ErrorKind::kInternal, "XX000", "an exception of an unknown type", {}};
  }
}

}  // namespace

void ThrowInvalidArgument(const std::string& message) {
  throw StatusError(ADBC_STATUS_INVALID_ARGUMENT, ErrorKind::kUsage, "22023", message);
}
void ThrowInvalidState(const std::string& message) {
  throw StatusError(ADBC_STATUS_INVALID_STATE, ErrorKind::kUsage, "55000", message);
}
void ThrowNotImplemented(const std::string& message) {
  throw StatusError(ADBC_STATUS_NOT_IMPLEMENTED, ErrorKind::kNotSupported, "0A000", message);
}
void ThrowNotFound(const std::string& message) {
  throw StatusError(ADBC_STATUS_NOT_FOUND, ErrorKind::kCatalog, "42704", message);
}

AdbcStatusCode StatusOf(const Error& error) {
  if (const auto* own = dynamic_cast<const StatusError*>(&error)) return own->status();
  const std::string_view sqlstate = error.sqlstate();
  switch (error.kind()) {
    case ErrorKind::kSyntax: return ADBC_STATUS_INVALID_ARGUMENT;
    case ErrorKind::kBinder:
    case ErrorKind::kCatalog: return StatusOfName(sqlstate);
    case ErrorKind::kConversion:
    case ErrorKind::kOutOfRange: return ADBC_STATUS_INVALID_DATA;
    case ErrorKind::kConstraint: return ADBC_STATUS_INTEGRITY;
    // ADBC has no status for conflicts between transactions; clients tell them by their SQLSTATE, 40001.
    case ErrorKind::kTransaction:
      return sqlstate.starts_with("25") ? ADBC_STATUS_INVALID_STATE : ADBC_STATUS_UNKNOWN;
    case ErrorKind::kIo: return sqlstate == "58P01" ? ADBC_STATUS_NOT_FOUND : ADBC_STATUS_IO;
    case ErrorKind::kOutOfMemory: return ADBC_STATUS_UNKNOWN;
    case ErrorKind::kInterrupted:
      return sqlstate == "57014" && error.message().find("timeout") != std::string::npos
                 ? ADBC_STATUS_TIMEOUT
                 : ADBC_STATUS_CANCELLED;
    case ErrorKind::kUsage:
      return IsOneOf(sqlstate, {"24000", "55000", "55006", "08003"}) ? ADBC_STATUS_INVALID_STATE
                                                                     : ADBC_STATUS_INVALID_ARGUMENT;
    case ErrorKind::kNotSupported: return ADBC_STATUS_NOT_IMPLEMENTED;
    case ErrorKind::kInternal: return ADBC_STATUS_INTERNAL;
  }
  return ADBC_STATUS_UNKNOWN;
}

ErrorRecord DescribeException() {
  try {
    return DescribeWithMemory();
  } catch (const std::bad_alloc&) {
    return {ADBC_STATUS_UNKNOWN, ErrorKind::kOutOfMemory, "53200", {}, {}};
  }
}

void FillError(const ErrorRecord& record, AdbcError* out) noexcept {
  if (out == nullptr) return;
  if (out->release != nullptr) out->release(out);
  std::memset(out->sqlstate, 0, sizeof(out->sqlstate));
  std::memcpy(out->sqlstate, record.sqlstate.data(), std::min(record.sqlstate.size(), sizeof(out->sqlstate)));
  out->message = const_cast<char*>(kNoMemoryMessage);
  out->release = ReleaseStatic;
  const bool knows_details = out->vendor_code == ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA;
  if (knows_details) {
    out->private_data = nullptr;
  } else {
    out->vendor_code = static_cast<int32_t>(record.kind);
  }
  if (record.message.empty()) return;  // There was no memory for one.
  try {
    if (knows_details) {
      auto held = std::make_unique<HeldError>(HeldError{record.message, record.details});
      out->message = held->message.data();
      out->private_data = held.release();
      out->release = ReleaseHeld;
    } else {
      auto message = std::make_unique<char[]>(record.message.size() + 1);
      std::memcpy(message.get(), record.message.c_str(), record.message.size() + 1);
      out->message = message.release();
      out->release = ReleaseMessage;
    }
  } catch (const std::bad_alloc&) {
    // The message without memory stays.
  }
}

int DetailCountOf(const AdbcError* error) noexcept {
  if (error == nullptr || error->release != ReleaseHeld) return 0;
  return static_cast<int>(static_cast<const HeldError*>(error->private_data)->details.size());
}

AdbcErrorDetail DetailOf(const AdbcError* error, int index) noexcept {
  if (index < 0 || index >= DetailCountOf(error)) return {};
  const auto& [key, value] = static_cast<const HeldError*>(error->private_data)->details[index];
  return {key.c_str(), reinterpret_cast<const uint8_t*>(value.data()), value.size()};
}

}  // namespace scaup::adbc
