// Objects of Python as tables.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "scaup/arrow.h"
#include "scaup/connection.hpp"

namespace scaup::python {

struct StreamReleaser {
  void operator()(ArrowArrayStream* stream) const;
};
using OwnedStream = std::unique_ptr<ArrowArrayStream, StreamReleaser>;

/// The stream of an object with __arrow_c_stream__. Needs the GIL; raises a Python exception.
OwnedStream OpenStream(pybind11::handle object);
/// A factory of streams of an object: `open` is called with a tuple of names and gives an object with
/// __arrow_c_stream__. Needs the GIL, takes it by itself when it is called or destroyed.
ArrowFactory MakeFactory(pybind11::object open);
/// An exception of Python as an error of Scaup, which a statement may end with.
[[noreturn]] void ThrowPythonError(pybind11::error_already_set& error);

}  // namespace scaup::python
