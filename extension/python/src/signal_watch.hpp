// Signal watch: lets Ctrl-C interrupt a statement on Python's main thread, which cannot handle signals
// meanwhile.
#pragma once

#include <pybind11/pybind11.h>

#include "scaup/connection.hpp"

namespace scaup::python {

/// While a watch lives, SIGINT interrupts the connection's statement. Python's own signal handler wakes a
/// sleeping thread through the wakeup descriptor, so that statements need no thread of their own for that.
/// Used only on Python's main thread, one at a time. Made and destroyed with the GIL. Borrows the connection.
class SignalWatch {
 public:
  /// REQUIRES: IsEnough() has just returned true.
  explicit SignalWatch(Connection& connection);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Returns whether a watch may be made and suffices. No other watch may live, and nothing else, such as
  /// asyncio, may use the wakeup descriptor. SIGINT must raise KeyboardInterrupt, or have no handler in
  /// Python.
  static bool IsEnough();
  /// Runs Python's handlers of pending signals, and throws what they raise. Also drops what the watching
  /// thread has not read of these signals: otherwise it could interrupt the next statement.
  static void RaiseSignals();
};

}  // namespace scaup::python
