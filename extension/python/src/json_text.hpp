// JSON text of Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace scaup::python {

/// Appends a Python value as JSON. Supports None, bool, int of any size, finite float and Decimal with the
/// digits that Python shows, str, list, tuple, and dict with str keys. Date, time and datetime become strings
/// in ISO 8601, a UUID a string in hexadecimal. NumPy scalars and arrays are converted to Python values
/// first. Raises DataError for values without JSON (nan, lone surrogates, too deep), and NotSupportedError
/// for other types. Needs the GIL.
void AppendJson(pybind11::handle value, std::string& text);

}  // namespace scaup::python
