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
  /// A dict of name to array. Names that occur again get _1, _2, ... appended.
  pybind11::dict FetchNumpy() const;
  pybind11::object DataFrame() const;
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
  std::vector<std::string> UniqueNames() const;

  QueryResult result_;
  std::vector<ColumnObjects> readers_;  // Made by the first fetch; they borrow result_.
  size_t position_ = 0;
};

}  // namespace scaup::python
