// Iterates over a dict while Python code may run.
#pragma once

#include <pybind11/pybind11.h>

#include "errors.hpp"

namespace scaup::python {

/// Calls visit(key, value) for each entry. `visit` may run Python code that changes the dict: entries are
/// referenced while they are visited. A dict of another size would give some entries twice or never, and is
/// refused with DataError, as by Python's own loops. Needs the GIL.
template <typename Visit>
void ForEachItem(pybind11::handle dict, Visit&& visit) {
  const Py_ssize_t size = PyDict_Size(dict.ptr());
  Py_ssize_t place = 0;
  PyObject *key, *value;
  while (PyDict_Next(dict.ptr(), &place, &key, &value) != 0) {
    visit(pybind11::reinterpret_borrow<pybind11::object>(key),
          pybind11::reinterpret_borrow<pybind11::object>(value));
    if (PyDict_Size(dict.ptr()) != size) RaiseDataError("the dict changed its size while it was read");
  }
}

}  // namespace scaup::python
