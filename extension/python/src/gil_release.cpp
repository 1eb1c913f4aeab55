// GIL release: gets the GIL back, or sleeps forever if the interpreter has ended.
#include "gil_release.hpp"

#include <unistd.h>

#if defined(__GLIBCXX__) || defined(__GLIBC__)
#include <cxxabi.h>
#define SCAUP_HAS_FORCED_UNWIND
#endif

namespace scaup::python {

namespace {

[[noreturn]] void SleepForEver() {
  while (true) pause();
}

}  // namespace

GilRelease::~GilRelease() {
#if defined(SCAUP_HAS_FORCED_UNWIND)
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {
    SleepForEver();  // Unwinding would destroy objects of this thread without the GIL.
  }
#else
  PyEval_RestoreThread(state_);
#endif
}

}  // namespace scaup::python
