// Whole results: data frames, tables and arrays of all rows.
#include "whole_results.hpp"

#include "errors.hpp"

namespace scaup::python {

namespace {

py::object Reader(const Result& result, size_t batch_size) {
  const py::object exported = py::cast(ArrowExport(result.rows(), {.batch_rows = batch_size}));
  return py::module_::import("pyarrow").attr("RecordBatchReader").attr("from_stream")(exported);
}

/// Polars ends with a panic of its own for Arrow's unions.
void RefuseUnions(const QueryResult& rows) {
  for (const ResultColumn& column : rows.columns()) {
    if (!HasUnion(column.type)) continue;
    RaiseNotSupportedError("Polars has no unions, which column \"" + column.name + "\" has (" +
                           column.type.ToString() + "): select their members, or cast them to VARCHAR");
  }
}

}  // namespace

py::object ReaderOf(Result& result, size_t batch_size) { return Reader(result, batch_size); }

py::object ReaderOf(Cursor& cursor, size_t batch_size) { return Reader(cursor.result(), batch_size); }

py::object Table(const Result& result, size_t batch_size) {
  return Reader(result, batch_size).attr("read_all")();
}

py::object NumpyColumns(const Result& result) {
  const py::object names = py::module_::import("scaup._output").attr("unique_names")(result.ColumnNames());
  return py::module_::import("scaup._columns")
      .attr("Columns")(std::make_unique<Result>(result.rows()), py::tuple(names));
}

py::object DataFrame(const Result& result, bool date_as_object, const py::object& dtype_backend) {
  return py::module_::import("scaup._frames")
      .attr("data_frame")(std::make_unique<Result>(result.rows()), date_as_object, dtype_backend);
}

py::object PolarsFrame(const Result& result) {
  RefuseUnions(result.rows());
  const py::object exported = py::cast(ArrowExport(result.rows(), {.string_views = true}));
  return py::module_::import("polars").attr("DataFrame")(exported);
}

}  // namespace scaup::python
