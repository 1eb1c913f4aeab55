// GIL release: lets other Python threads run.
#pragma once

#include <Python.h>

namespace scaup::python {

/// Releases the GIL while it lives, like pybind11's gil_scoped_release. If the interpreter ends meanwhile,
/// only its main thread gets the GIL back. Any other thread, such as a daemon thread in a query, then sleeps
/// until the process ends, as in Python 3.14. Older Pythons would end the thread by pthread_exit, which
/// unwinds its stack. That would abort in destructors that must not throw, and destroy Python objects without
/// the GIL.
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
