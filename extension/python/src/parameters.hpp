// Python values as parameters of statements.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "scaup/value.hpp"

namespace scaup::python {

/// None, bool, int, float, str, bytes, Decimal, date, time, datetime, timedelta, UUID and NumPy's scalars. A
/// datetime with a time zone is turned to UTC; NaT and pandas.NA are NULL. Raises NotSupportedError for other
/// types, DataError for values that no type holds. Needs the GIL.
Value ToValue(pybind11::handle object);

/// A sequence of such values; None is an empty one. Raises ProgrammingError when it is no sequence.
std::vector<Value> ToValues(pybind11::handle parameters);

}  // namespace scaup::python
