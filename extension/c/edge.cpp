// Errors of the C interface: made of exceptions, and read by the program.
#include "edge.hpp"

#include <cxxabi.h>

#include <cstring>
#include <new>

/// An error and, behind it, its message. One block of memory, so that an error needs a single allocation.
struct scaup_error {
  scaup_status kind;
  int64_t position;
  char sqlstate[6];
  const char* message;
};

namespace scaup::c {

namespace {

constexpr const char* kNoMemoryMessage = "the system has no memory left";
/// The error for which there is no memory either. Never freed.
constexpr scaup_error kNoMemory = {SCAUP_ERROR_OUT_OF_MEMORY, -1, "53200", kNoMemoryMessage};

scaup_status Report(scaup_error** out, ErrorKind kind, const char* sqlstate, const char* message,
                    int64_t position) noexcept {
  const auto status = static_cast<scaup_status>(kind);
  if (out == nullptr) return status;
  const size_t message_bytes = std::strlen(message) + 1;
  void* block = ::operator new(sizeof(scaup_error) + message_bytes, std::nothrow);
  if (block == nullptr) {
    *out = const_cast<scaup_error*>(&kNoMemory);
    return SCAUP_ERROR_OUT_OF_MEMORY;
  }
  char* text = static_cast<char*>(block) + sizeof(scaup_error);
  std::memcpy(text, message, message_bytes);
  auto* error = new (block) scaup_error{status, position, "", text};
  std::strncpy(error->sqlstate, sqlstate, sizeof(error->sqlstate) - 1);
  *out = error;
  return status;
}

}  // namespace

scaup_status ReportException(scaup_error** error) {
  try {
    throw;
  } catch (const Error& caught) {
    const auto position = caught.position();
    return Report(error, caught.kind(), caught.sqlstate(), caught.what(),
                  position ? static_cast<int64_t>(*position) : -1);
  } catch (const std::bad_alloc&) {
    return Report(error, ErrorKind::kOutOfMemory, "53200", kNoMemoryMessage, -1);
  } catch (const std::exception& caught) {
    return Report(error, ErrorKind::kInternal, "XX000", caught.what(), -1);
  } catch (const abi::__forced_unwind&) {
    throw;  // pthread_cancel: to stop it here would end the process
  } catch (...) {
    return Report(error, ErrorKind::kInternal, "XX000", "an exception of an unknown type", -1);
  }
}

void ThrowUsage(const char* sqlstate, const std::string& message) {
  throw Error(ErrorKind::kUsage, sqlstate, message);
}

std::string_view TextOf(const char* text, size_t length) {
  if (length != 0) Require(text, "a text");
  if (length == SCAUP_NUL_TERMINATED) return text;
  return length == 0 ? std::string_view() : std::string_view(text, length);
}

// The statuses are the kinds of errors.
static_assert(SCAUP_ERROR_SYNTAX == static_cast<int>(ErrorKind::kSyntax));
static_assert(SCAUP_ERROR_BINDER == static_cast<int>(ErrorKind::kBinder));
static_assert(SCAUP_ERROR_CATALOG == static_cast<int>(ErrorKind::kCatalog));
static_assert(SCAUP_ERROR_CONVERSION == static_cast<int>(ErrorKind::kConversion));
static_assert(SCAUP_ERROR_OUT_OF_RANGE == static_cast<int>(ErrorKind::kOutOfRange));
static_assert(SCAUP_ERROR_CONSTRAINT == static_cast<int>(ErrorKind::kConstraint));
static_assert(SCAUP_ERROR_TRANSACTION == static_cast<int>(ErrorKind::kTransaction));
static_assert(SCAUP_ERROR_IO == static_cast<int>(ErrorKind::kIo));
static_assert(SCAUP_ERROR_OUT_OF_MEMORY == static_cast<int>(ErrorKind::kOutOfMemory));
static_assert(SCAUP_ERROR_INTERRUPTED == static_cast<int>(ErrorKind::kInterrupted));
static_assert(SCAUP_ERROR_USAGE == static_cast<int>(ErrorKind::kUsage));
static_assert(SCAUP_ERROR_NOT_SUPPORTED == static_cast<int>(ErrorKind::kNotSupported));
static_assert(SCAUP_ERROR_INTERNAL == static_cast<int>(ErrorKind::kInternal));

}  // namespace scaup::c

scaup_status scaup_error_kind(const scaup_error* error) { return error == nullptr ? SCAUP_OK : error->kind; }
const char* scaup_error_message(const scaup_error* error) {
  return error == nullptr ? nullptr : error->message;
}
const char* scaup_error_sqlstate(const scaup_error* error) {
  return error == nullptr ? nullptr : error->sqlstate;
}
int64_t scaup_error_position(const scaup_error* error) { return error == nullptr ? -1 : error->position; }
void scaup_error_free(scaup_error* error) {
  if (error != &scaup::c::kNoMemory) ::operator delete(error);
}
