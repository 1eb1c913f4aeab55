// Whole results: the methods of results and cursors that return all rows at once.
#pragma once

#include <pybind11/pybind11.h>

#include "arrow_stream.hpp"
#include "cursor.hpp"

namespace py = pybind11;

namespace scaup::python {

/// The default number of rows of an Arrow batch.
inline constexpr size_t kBatchRows = 131072;

inline constexpr const char* kDataFrameText =
    R"(A pandas data frame of all rows, which may be written to.

dtype_backend: None: types of NumPy, but integers and BOOLEAN with NULLs are pandas' Int64, boolean and so on;
"numpy_nullable": these types always, and Float64 and string; "pyarrow": types of Arrow. Enums are categories;
TIMESTAMP WITH TIME ZONE has the session's time zone. date_as_object: DATE as datetime.date.)";

inline constexpr const char* kFetchOneText = "The next row as a tuple, or None behind the last.";
inline constexpr const char* kFetchAllText = "All rows that were not fetched yet, as a list of tuples.";
inline constexpr const char* kDescriptionText =
    "The columns as DB-API's tuples of seven; None for statements without rows.";

/// A pyarrow.RecordBatchReader over all rows. A cursor's rows may still be streaming.
py::object ReaderOf(Result& result, size_t batch_size);
py::object ReaderOf(Cursor& cursor, size_t batch_size);
/// A pyarrow.Table.
py::object Table(const Result& result, size_t batch_size);
/// A dict of NumPy arrays, which are made when they are asked for.
py::object NumpyColumns(const Result& result);
/// A pandas data frame.
py::object DataFrame(const Result& result, bool date_as_object, const py::object& dtype_backend);
/// A polars.DataFrame.
py::object PolarsFrame(const Result& result);

/// Binds the methods of results and cursors that return all rows at once. `rows_of` returns the result of
/// either.
template <typename Class, typename F>
void BindWholeResults(Class& bound, F rows_of) {
  using Self = typename Class::type;
  bound.def(
      "fetchnumpy", [rows_of](Self& self) { return NumpyColumns(rows_of(self)); },
      "A dict of NumPy arrays by name, each made when it is first asked for. Names that occur again get _1, "
      "_2, ... appended.");
  for (const char* name : {"df", "fetchdf", "fetch_df", "to_df"}) {
    bound.def(
        name,
        [rows_of](Self& self, bool date_as_object, const py::object& dtype_backend) {
          return DataFrame(rows_of(self), date_as_object, dtype_backend);
        },
        py::arg("date_as_object") = false, py::arg("dtype_backend") = py::none(), kDataFrameText);
  }
  const auto batches = py::arg("batch_size") = kBatchRows;
  bound.def(
      "__arrow_c_stream__",
      [rows_of](Self& self, py::handle requested) {
        return ArrowExport(rows_of(self).rows(), {}).Stream(requested);
      },
      py::arg("requested_schema") = py::none(), "A capsule of all rows as a stream of Arrow arrays.");
  bound.def(
      "__arrow_c_schema__", [rows_of](Self& self) { return ArrowExport(rows_of(self).rows(), {}).Schema(); },
      "A capsule of the type of such a stream.");
  for (const char* name : {"arrow", "fetch_record_batch", "to_arrow_reader", "fetch_arrow_reader"}) {
    bound.def(
        name, [](Self& self, size_t size) { return ReaderOf(self, size); }, batches,
        "All rows as a pyarrow.RecordBatchReader, whose batches have at most batch_size rows.");
  }
  for (const char* name : {"fetch_arrow_table", "to_arrow_table"}) {
    bound.def(
        name, [rows_of](Self& self, size_t size) { return Table(rows_of(self), size); }, batches,
        "All rows as a pyarrow.Table. Numbers, dates and times share the result's memory.");
  }
  bound.def(
      "pl", [rows_of](Self& self) { return PolarsFrame(rows_of(self)); }, "All rows as a polars.DataFrame.");
}

/// Binds the class Result.
void BindResult(py::module_& module);
/// Binds the class Cursor.
void BindCursor(py::module_& module);

}  // namespace scaup::python
