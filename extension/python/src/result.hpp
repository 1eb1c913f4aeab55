// Result: a query's result as a Python object.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "column_objects.hpp"
#include "scaup/result.hpp"

namespace scaup::python {

/// A result whose rows are read forward by the fetch methods, and whose whole columns can be read as arrays
/// at any time. It stays valid after its connection is closed. All methods need the GIL, which also guards
/// the position.
class Result {
 public:
  explicit Result(QueryResult result) : result_(std::move(result)) {}
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  pybind11::object FetchOne();
  pybind11::list FetchMany(size_t count);
  pybind11::list FetchAll();
  // The methods with a column raise IndexError if it is out of range.

  /// Returns a column as an array (column_array.hpp).
  pybind11::object ColumnArray(size_t column) const;
  /// Returns a column as an array of the objects that the fetch methods return.
  pybind11::object ColumnOfObjects(size_t column) const;
  /// Returns a column of texts as an array of `dtype`, a StringDType of NumPy.
  pybind11::object ColumnOfStrings(size_t column, const pybind11::object& dtype) const;
  /// Returns an INTERVAL column as an array of time spans.
  pybind11::object ColumnOfSpans(size_t column) const;
  /// Returns (codes, labels) of an enum column. The codes are positions in the list of labels.
  pybind11::tuple ColumnCodes(size_t column) const;
  /// Returns the kind of a column for data frames: "text", "enum", "uuid", "date", "moment" (TIMESTAMP WITH
  /// TIME ZONE), "interval", or "" for all others.
  const char* ColumnKind(size_t column) const;
  /// Returns the time zone of moments; None means UTC.
  pybind11::object TimeZone() const;
  /// Returns the table that `repr` shows, with at most `max_rows` rows.
  std::string ToText(size_t max_rows) const;

  pybind11::list ColumnNames() const;
  pybind11::list ColumnTypes() const;
  /// Returns DB-API's tuple of seven for each column; None for statements without rows.
  pybind11::object Description() const;
  /// Returns the address of the column's memory, so that tests can check that an array is no copy.
  uintptr_t ColumnPointer(size_t column) const;
  /// Returns the address of the column's NULL flags; 0 if it has none.
  uintptr_t MaskPointer(size_t column) const;
  const QueryResult& rows() const { return result_; }

 private:
  pybind11::list FetchRows(size_t count);
  /// Raises IndexError if there is no such column.
  void CheckColumn(size_t column) const;

  QueryResult result_;
  std::vector<ColumnObjects> readers_;  // made by the first fetch; they borrow result_
  size_t position_ = 0;
};

}  // namespace scaup::python
