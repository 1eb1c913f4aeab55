// Hosted functions: those of the catalog in languages that the program hosts.
#pragma once

#include <cstddef>

#include "catalog/function_entry.hpp"
#include "function/aggregate_function.hpp"
#include "function/rows_function.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

/// Makes functions of the catalog callable whose language is not SQL. Implemented by the session, which knows
/// the hosts. Used by one thread at a time.
class HostedFunctions {
 public:
  virtual ~HostedFunctions() = default;
  /// Returns the function for a call, and notes the call. A statement that is bound need not run, so only
  /// RequireCalls and the call itself ask whether there is a host.
  virtual ScalarFunction FunctionOf(const FunctionEntryRef& function, size_t position) = 0;
  /// Returns an aggregate for a call, which NoteCall notes if it is the one that the arguments fit.
  virtual AggregateFunction AggregateOf(const FunctionEntryRef& function) = 0;
  /// Returns a function that returns rows, likewise.
  virtual RowsFunctionRef RowsOf(const FunctionEntryRef& function) = 0;
  virtual void NoteCall(const FunctionEntryRef& function, size_t position) = 0;
  /// Has the source checked, if there is a host. Throws what the host throws.
  virtual void CheckSource(const FunctionEntryRef& function, size_t position) = 0;
  /// Forgets the calls of an earlier statement.
  virtual void ForgetCalls() = 0;
  /// Throws Error for the first call since ForgetCalls that cannot be made: 42501 if the setting
  /// stored_functions is off, 0A000 if the language has no host.
  virtual void RequireCalls() = 0;
};

}  // namespace scaup
