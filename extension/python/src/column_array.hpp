// Result columns as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "scaup/result.hpp"

namespace scaup::python {

/// The column as an array that cannot be written to, a MaskedArray when it holds NULLs. Without a copy:
/// BOOLEAN, TINYINT .. BIGINT, REAL, DOUBLE, TIME (timedelta64[us]), TIMESTAMP (datetime64[us]), and every
/// mask. Converted: DATE (datetime64[D]), DECIMAL (float64), HUGEINT (int64, or int objects where that is too
/// small), VARCHAR, BLOB and INTERVAL (objects). The array keeps the column's memory alive. Needs the GIL.
pybind11::object MakeColumnArray(const QueryResult& result, size_t column);

/// The column as an array of the objects that rows have, None where it is NULL. Needs the GIL.
pybind11::object MakeObjectArray(const QueryResult& result, size_t column);

/// An enum's column as an array of int16, the positions of its labels; without a copy. Needs the GIL.
pybind11::object MakeCodeArray(const QueryResult& result, size_t column);

/// An INTERVAL's column as timedelta64[us], a month counting 30 days. Raises DataError for those that are too
/// long for it. Needs the GIL.
pybind11::object MakeTimeDeltaArray(const QueryResult& result, size_t column);

}  // namespace scaup::python
