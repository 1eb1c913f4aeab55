// Hosted functions: those of the catalog in languages that the program hosts.
#pragma once

#include <cstddef>

#include "catalog/function_entry.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

/// Makes functions of the catalog callable. Implemented by the session, which knows the hosts. Used by one
/// thread at a time.
class HostedFunctions {
 public:
  virtual ~HostedFunctions() = default;
  /// Returns the function for a call, and notes the call. What is bound need not run: whether there is a host
  /// is only asked by RequireCalls, and by the call itself. The function is in a
  /// hosted language.
  virtual ScalarFunction FunctionOf(const FunctionEntryRef& function, size_t position) = 0;
  /// Has the source checked, if there is a host. Throws what the host throws.
  virtual void CheckSource(const FunctionEntryRef& function, size_t position) = 0;
  /// Forgets the calls of an earlier statement.
  virtual void ForgetCalls() = 0;
  /// Throws Error for the first call since ForgetCalls that cannot be made: 42501 if the setting
  /// stored_functions is off, 0A000 if the language has no host.
  virtual void RequireCalls() = 0;
};

}  // namespace scaup
