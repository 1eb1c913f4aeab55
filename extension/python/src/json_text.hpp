// Python objects as JSON text.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace scaup::python {

/// Appends a Python value as JSON: None, bool, int of any size, finite float and Decimal (digits as Python
/// shows them), str, list and tuple, dict with str keys; date, time and datetime in ISO 8601, UUID in
/// hexadecimal, both as strings; what NumPy holds as its Python twin. Raises DataError where a value has no
/// JSON (nan, lone surrogates, too deep), NotSupportedError for other types. Needs the GIL.
void AppendJson(pybind11::handle value, std::string& text);

}  // namespace scaup::python
