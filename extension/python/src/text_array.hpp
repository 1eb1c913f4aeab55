// Text array: Python texts as an Arrow array.
#pragma once

#include <pybind11/pybind11.h>

namespace scaup::python {

void BindTextArray(pybind11::module_& module);

}  // namespace scaup::python
