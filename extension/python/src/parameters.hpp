// Parameters: Python values as parameters of statements.
#pragma once

#include <pybind11/pybind11.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "scaup/value.hpp"

namespace scaup::python {

/// Converts a Python value: None, bool, int, float, str, bytes, Decimal, date, time, datetime, timedelta,
/// UUID, a NumPy scalar, or a list or dict of them (list_parameters.hpp). A datetime with a time zone is
/// converted to UTC. NaT and pandas.NA become NULL. Raises NotSupportedError for other types, and DataError
/// for values that no SQL type has. Needs the GIL.
Value ToValue(pybind11::handle object);

/// A statement with the values of its parameters.
struct BoundStatement {
  std::string sql;
  std::vector<Value> values;
};

/// Binds parameters to a statement. `parameters` is None, a sequence of values for ? or $1, or a mapping for
/// $name, :name or %(name)s. The returned statement has $1, $2, ... in place of names. Raises
/// ProgrammingError for other objects, and for names that are missing or not used. Needs the GIL.
BoundStatement Bind(const std::string& sql, pybind11::handle parameters);

/// Converts a sequence of parameters. Needs the GIL.
std::vector<Value> BindSequence(pybind11::handle parameters);

/// Returns whether an object is an instance of one of the classes. Does not import the module: unless the
/// program has imported it, there are no instances.
bool IsInstance(pybind11::handle object, const char* module, std::initializer_list<const char*> classes);

}  // namespace scaup::python
