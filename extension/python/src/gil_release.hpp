// Letting other threads of Python run.
#pragma once

#include <Python.h>

namespace scaup::python {

/// Gives up the GIL while it lives, like pybind11's gil_scoped_release. When the interpreter ends meanwhile,
/// it never comes back to a thread that is not the main one: such a thread (a daemon in a query) then sleeps
/// until the process is gone, as in Python 3.14. Older Pythons end the thread by pthread_exit, which unwinds
/// its stack: through destructors that must not throw, which is an abort, and those of Python's objects.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace scaup::python
