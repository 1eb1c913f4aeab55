// Python's sequences and dicts as lists and structs of SQL.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "scaup/value.hpp"

namespace scaup::python {

/// A list of the values of a list, tuple, set, range, NumPy array (of any shape: lists in lists), series of
/// pandas or Polars, or array of pyarrow; nullopt for other objects. Numbers of different types get the one
/// that holds them all; missing values are NULL. Raises NotSupportedError where the values have no type in
/// common. Needs the GIL.
std::optional<Value> ToList(pybind11::handle object);

/// Whether it is a list that is empty or has only NULLs, so that its elements could be of any type.
bool HasUnknownElements(const Value& value);

/// A struct whose fields are the keys of a dict. Raises NotSupportedError for an empty one. Needs the GIL.
Value ToStruct(pybind11::handle dict);

}  // namespace scaup::python
