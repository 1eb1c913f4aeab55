// The class Result in Python.
#include <pybind11/stl.h>

#include "whole_results.hpp"

namespace scaup::python {

namespace {

constexpr size_t kReprRows = 40;

/// Returns the rows as a pyarrow table without extension types: JSON is text.
py::object StorageTable(const Result& result) {
  const py::object exported = py::cast(ArrowExport(result.rows(), {.extensions = false}));
  return py::module_::import("pyarrow").attr("table")(exported);
}

}  // namespace

void BindResult(py::module_& module) {
  py::class_<Result> result(
      module, "Result",
      "A query's result. Fetch methods read rows forward; columns can be read at any time.");
  BindWholeResults(result, [](Result& self) -> Result& { return self; });
  result.def("fetchone", &Result::FetchOne, kFetchOneText)
      .def("fetchmany", &Result::FetchMany, py::arg("size") = 1, "The next rows, at most size.")
      .def("fetchall", &Result::FetchAll, kFetchAllText)
      .def_property_readonly("columns", &Result::ColumnNames, "The names of the columns.")
      .def_property_readonly("types", &Result::ColumnTypes, "The types of the columns, as SQL writes them.")
      .def_property_readonly("description", &Result::Description, kDescriptionText)
      .def_property_readonly(
          "shape",
          [](const Result& self) {
            return py::make_tuple(self.rows().row_count(), self.rows().column_count());
          },
          "(rows, columns)")
      .def("_column_pointer", &Result::ColumnPointer)
      .def("_column_array", &Result::ColumnArray)
      .def("_objects", &Result::ColumnOfObjects)
      .def("_strings", &Result::ColumnOfStrings)
      .def("_spans", &Result::ColumnOfSpans)
      .def("_codes", &Result::ColumnCodes)
      .def("_kind", &Result::ColumnKind)
      .def("_time_zone", &Result::TimeZone)
      .def("_storage_table", &StorageTable)
      .def("_mask_pointer", &Result::MaskPointer)
      .def("__len__", [](const Result& self) { return self.rows().row_count(); })
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__",
           [](Result& self) {
             py::object row = self.FetchOne();
             if (row.is_none()) throw py::stop_iteration();
             return row;
           })
      .def("__repr__", [](const Result& self) { return self.ToText(kReprRows); });
}

}  // namespace scaup::python
