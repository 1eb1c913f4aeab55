// A query's result as a Python object.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "column_objects.hpp"
#include "scaup/result.hpp"

namespace scaup::python {

/// Rows are read forward by the fetch methods; columns as arrays at any time, all rows of them. The result
/// stays valid after its connection is closed. All methods need the GIL, which also guards the position.
class Result {
 public:
  explicit Result(QueryResult result) : result_(std::move(result)) {}
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  pybind11::object FetchOne();
  pybind11::list FetchMany(size_t count);
  pybind11::list FetchAll();
  /// One column as an array (column_array.hpp).
  pybind11::object ColumnArray(size_t column) const;
  /// The same as an array of what the fetch methods give.
  pybind11::object ColumnOfObjects(size_t column) const;
  /// An INTERVAL's column as an array of time spans.
  pybind11::object ColumnOfSpans(size_t column) const;
  /// (codes, labels) of an enum's column: the codes are positions in the list of labels.
  pybind11::tuple ColumnCodes(size_t column) const;
  /// The kind of column that a data frame needs: "text", "enum", "uuid", "date", "moment" (TIMESTAMP WITH
  /// TIME ZONE), "interval", or "" for the rest.
  const char* ColumnKind(size_t column) const;
  /// The time zone that moments are shown in; None: UTC.
  pybind11::object TimeZone() const;
  /// The table that `repr` shows, of at most `max_rows` rows.
  std::string ToText(size_t max_rows) const;

  pybind11::list ColumnNames() const;
  pybind11::list ColumnTypes() const;
  /// DB-API's tuples of seven; None for statements without rows.
  pybind11::object Description() const;
  /// The address of the column's memory: lets a test see that an array is no copy.
  uintptr_t ColumnPointer(size_t column) const;
  /// The same of its NULL flags; 0 where it has none.
  uintptr_t MaskPointer(size_t column) const;
  const QueryResult& rows() const { return result_; }

 private:
  pybind11::list FetchRows(size_t count);
  /// Raises IndexError.
  void CheckColumn(size_t column) const;

  QueryResult result_;
  std::vector<ColumnObjects> readers_;  // Made by the first fetch; they borrow result_.
  size_t position_ = 0;
};

}  // namespace scaup::python
