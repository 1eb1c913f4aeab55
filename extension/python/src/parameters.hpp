// Python values as parameters of statements.
#pragma once

#include <pybind11/pybind11.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "scaup/value.hpp"

namespace scaup::python {

/// None, bool, int, float, str, bytes, Decimal, date, time, datetime, timedelta, UUID, NumPy's scalars, and
/// lists and dicts of them (list_parameters.hpp). A datetime with a time zone is turned to UTC; NaT and
/// pandas.NA are NULL. Raises NotSupportedError for other types, DataError for values that no type holds.
/// Needs the GIL.
Value ToValue(pybind11::handle object);

/// A statement with the values of its parameters.
struct BoundStatement {
  std::string sql;
  std::vector<Value> values;
};

/// `parameters`: None, a sequence of values for ? or $1, or a mapping for $name, :name or %(name)s, which are
/// $1, $2, ... in the statement that is returned. Raises ProgrammingError for anything else, and for names
/// that are missing or too many.
BoundStatement Bind(const std::string& sql, pybind11::handle parameters);

/// The values of a sequence of parameters.
std::vector<Value> BindSequence(pybind11::handle parameters);

/// Whether it is an instance of one of the classes. No module is imported for that: while the program has
/// not imported it, no object is of its classes.
bool IsInstance(pybind11::handle object, const char* module, std::initializer_list<const char*> classes);

}  // namespace scaup::python
