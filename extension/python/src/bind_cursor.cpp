// The class Cursor in Python.
#include <pybind11/stl.h>

#include "whole_results.hpp"

namespace scaup::python {

namespace {

py::object Execute(py::object self, const std::string& sql, py::handle parameters) {
  self.cast<Cursor&>().Execute(sql, parameters);
  return self;
}

py::object ExecuteMany(py::object self, const std::string& sql, py::handle parameter_lists) {
  self.cast<Cursor&>().ExecuteMany(sql, parameter_lists);
  return self;
}

py::object Append(py::object self, const std::string& table, py::handle rows, const std::string& schema) {
  self.cast<Cursor&>().Append(table, rows, schema);
  return self;
}

constexpr const char* kAppendText =
    R"(Puts each dict of rows into a collection as a document, or into a table, where keys are names of columns.

Where nothing has that name, a collection is made. All rows go in, or none; inside a transaction they belong to it.
In documents None is null; int, float and Decimal keep their digits; date, time and datetime become strings in
ISO 8601, UUID as well. In a table a column without a key gets its default. Errors name the row, as rows[3].)";

constexpr const char* kExecuteText =
    R"(Runs SQL and gives the cursor itself.

parameters has values for ? or $1, $2, ..., or is a mapping of those for $name, :name or %(name)s.)";

constexpr const char* kExecuteManyText =
    R"(Prepares a statement and runs it once for each of the sequences, or each of the mappings, of values.

parameters may also be a data frame, an Arrow table or a dict of columns: each row has the values then.)";

}  // namespace

void BindCursor(py::module_& module) {
  py::class_<Cursor> cursor(module, "Cursor", "Runs statements in its connection's session.");
  BindWholeResults(cursor, [](Cursor& self) -> Result& { return self.result(); });
  cursor.def("execute", &Execute, py::arg("sql"), py::arg("parameters") = py::none(), kExecuteText)
      .def("executemany", &ExecuteMany, py::arg("sql"), py::arg("parameters"), kExecuteManyText)
      .def("append", &Append, py::arg("table"), py::arg("rows"), py::arg("schema") = "main", kAppendText)
      .def(
          "sql",
          [](Cursor& self, const std::string& sql, py::handle parameters, py::object tables,
             bool is_description) {
            return self.Sql(sql, parameters, {std::move(tables), is_description});
          },
          py::arg("sql"), py::arg("parameters") = py::none(), py::arg("tables") = py::none(),
          py::arg("is_description") = false)
      .def(
          "_stream",
          [](Cursor& self, const std::string& sql, py::handle parameters, py::object tables,
             size_t batch_size) {
            return self.Stream(sql, parameters, {std::move(tables), false}, batch_size);
          },
          py::arg("sql"), py::arg("parameters"), py::arg("tables"), py::arg("batch_size"))
      .def(
          "fetchone", [](Cursor& self) { return self.result().FetchOne(); }, kFetchOneText)
      .def(
          "fetchmany",
          [](Cursor& self, std::optional<size_t> size) {
            return self.result().FetchMany(size.value_or(self.array_size()));
          },
          py::arg("size") = py::none(), "The next rows, at most size, or arraysize where none is given.")
      .def(
          "fetchall", [](Cursor& self) { return self.result().FetchAll(); }, kFetchAllText)
      .def_property_readonly("description", &Cursor::Description, kDescriptionText)
      .def_property("arraysize", &Cursor::array_size, &Cursor::set_array_size,
                    "How many rows fetchmany gives when not told.")
      .def_property_readonly("rowcount", &Cursor::row_count,
                             "The number of rows, or of those that were changed; -1 before a statement.")
      .def("_column_pointer", [](Cursor& self, size_t column) { return self.result().ColumnPointer(column); })
      .def(
          "query_progress",
          [](Cursor& self) {
            const double share = self.Progress();
            return share < 0 ? -1 : 100 * share;
          },
          "How far the query is that runs in another thread, in percent; -1 where that is not known or "
          "nothing "
          "runs. From any thread.")
      .def("interrupt", &Cursor::Interrupt,
           "Ends the statement that runs in another thread, if any, with OperationalError 57014.")
      .def(
          "setinputsizes", [](Cursor&, py::handle) {}, "Does nothing; DB-API asks for it.")
      .def(
          "setoutputsize", [](Cursor&, py::handle, py::handle) {}, py::arg("size"),
          py::arg("column") = py::none(), "Does nothing; DB-API asks for it.")
      .def("close", &Cursor::Close,  // virtual: of a connection, it closes the session
           "Closes the cursor; closing a connection closes its cursors, too. Results stay.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](Cursor& self, const py::args&) { self.Close(); })
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [](Cursor& self) {
        py::object row = self.result().FetchOne();
        if (row.is_none()) throw py::stop_iteration();
        return row;
      });
}

}  // namespace scaup::python
