// The edge of the C interface: every exception becomes an error object, and every missing handle an
// exception.
#pragma once

#include <string>
#include <string_view>

#include "scaup.h"
#include "scaup/error.hpp"

namespace scaup::c {

/// Makes an error of the exception that is being handled, and returns its status. Stores the error in `error`
/// unless that is null. Rethrows the exception that ends a cancelled thread. REQUIRES: called in a handler.
scaup_status ReportException(scaup_error** error);

/// Runs `body` for a function of the interface. Only this function catches exceptions.
template <typename Body>
scaup_status Guard(scaup_error** error, Body&& body) {
  if (error != nullptr) *error = nullptr;
  try {
    body();
    return SCAUP_OK;
  } catch (...) {
    return ReportException(error);
  }
}

[[noreturn]] void ThrowUsage(const char* sqlstate, const std::string& message);

/// Returns what a pointer points to. Throws Error(kUsage, 22004) that calls it `name` if it is null.
template <typename Type>
Type& Require(Type* pointer, const char* name) {
  if (pointer == nullptr) ThrowUsage("22004", std::string(name) + " is NULL");
  return *pointer;
}

/// Clears an output that is a handle, so that it is NULL if the function fails. Throws like Require.
template <typename Handle>
Handle*& RequireOutput(Handle** out) {
  Require(out, "the output");
  *out = nullptr;
  return *out;
}

/// Returns a text that was passed with its length. Throws Error(kUsage, 22004) if it is null but not empty.
std::string_view TextOf(const char* text, size_t length);

}  // namespace scaup::c
