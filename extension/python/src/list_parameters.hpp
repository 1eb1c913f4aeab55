// List parameters: Python sequences and dicts as SQL lists and structs.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "scaup/value.hpp"

namespace scaup::python {

/// Converts a list, tuple, set, range, NumPy array (with more dimensions: nested lists), pandas or Polars
/// series, or pyarrow array to a SQL list. Returns nullopt for other objects. Numbers of different types get
/// a common type. Missing values become NULL. Raises NotSupportedError if the values have no common type.
/// Needs the GIL.
std::optional<Value> ToList(pybind11::handle object);

/// Returns whether the value is a list that is empty or has only NULLs, so that its elements may have any
/// type.
bool HasUnknownElements(const Value& value);

/// Converts a dict to a struct, whose fields are the keys. Raises NotSupportedError if it is empty. Needs the
/// GIL.
Value ToStruct(pybind11::handle dict);

}  // namespace scaup::python
