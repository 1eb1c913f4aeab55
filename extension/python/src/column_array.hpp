// Column array: result columns as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "scaup/result.hpp"

namespace scaup::python {

/// Returns the column as a read-only array, or as a MaskedArray if it has NULLs. These types and all masks
/// are not copied: BOOLEAN, TINYINT .. BIGINT, REAL, DOUBLE, TIME (timedelta64[us]), TIMESTAMP
/// (datetime64[us]). The others are converted: DATE (datetime64[D]), DECIMAL (float64), HUGEINT (int64, or
/// int objects if that is too small), VARCHAR, BLOB and INTERVAL (objects). The array shares ownership of the
/// column's memory. Needs the GIL.
pybind11::object MakeColumnArray(const QueryResult& result, size_t column);

/// Returns the column as an array of the objects that rows have, with None for NULL. Needs the GIL.
pybind11::object MakeObjectArray(const QueryResult& result, size_t column);

/// Returns an enum column as an array of int16, the positions of the labels, without a copy. Needs the GIL.
pybind11::object MakeCodeArray(const QueryResult& result, size_t column);

/// Returns a column of texts as an array of `dtype`, a StringDType of NumPy, which may be written to. NULLs
/// are masked, and empty. Needs the GIL.
pybind11::object MakeStringArray(const QueryResult& result, size_t column, const pybind11::object& dtype);

/// Returns an INTERVAL column as timedelta64[us], in which a month has 30 days. Raises DataError for
/// intervals that are too long. Needs the GIL.
pybind11::object MakeTimeDeltaArray(const QueryResult& result, size_t column);

}  // namespace scaup::python
