// Ctrl-C while a statement runs on Python's main thread, which then cannot look for signals itself.
#pragma once

#include <pybind11/pybind11.h>

#include "scaup/connection.hpp"

namespace scaup::python {

/// While one lives, SIGINT interrupts the connection's statement. Python's own handler tells a thread that
/// sleeps otherwise (through the wakeup descriptor), so that a statement pays for no other thread.
/// Only on Python's main thread, one at a time; made and destroyed with the GIL held. Borrows the connection.
class SignalWatch {
 public:
  /// REQUIRES: IsEnough, just before.
  explicit SignalWatch(Connection& connection);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Whether a watch may be made, as none lives and nobody else (asyncio) has the wakeup descriptor, and
  /// would do: SIGINT raises KeyboardInterrupt or does nothing of Python's.
  static bool IsEnough();
  /// Runs Python's handlers of the signals that came; throws what they raise. What the watching thread was
  /// told of them is forgotten then: it could come to read it only when the next statement runs.
  static void RaiseSignals();
};

}  // namespace scaup::python
