// The module scaup._scaup: binds the classes to Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrow_stream.hpp"
#include "cursor.hpp"
#include "errors.hpp"
#include "parameters.hpp"
#include "python_tables.hpp"
#include "scaup/database.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

constexpr size_t kReprRows = 40;

constexpr const char* kConnectText =
    R"(Opens a database: ":memory:", or a file, which is made if there is none.

config has settings by name, such as {"threads": 4, "memory_limit": "2GB"}; read_only is short for
{"access_mode": "read_only"}. A path that is open in this process already gives another connection to the same
database, as Connection.duplicate() does; its settings must be the same, or not given: else OperationalError 55006
names the one that differs. Of all processes, one at a time may write a file, or many may read it. When the last
connection is closed, nothing but the file is left.)";

/// The default number of rows of an Arrow batch.
constexpr size_t kBatchRows = 131072;

constexpr const char* kDataFrameText =
    R"(A pandas data frame of all rows, which may be written to.

dtype_backend: None: types of NumPy, but integers and BOOLEAN with NULLs are pandas' Int64, boolean and so on;
"numpy_nullable": these types always, and Float64 and string; "pyarrow": types of Arrow. Enums are categories;
TIMESTAMP WITH TIME ZONE has the session's time zone. date_as_object: DATE as datetime.date.)";

py::object Reader(const Result& result, size_t batch_size) {
  const py::object exported = py::cast(ArrowExport(result.rows(), {.batch_rows = batch_size}));
  return py::module_::import("pyarrow").attr("RecordBatchReader").attr("from_stream")(exported);
}

py::object ReaderOf(Result& result, size_t batch_size) { return Reader(result, batch_size); }

py::object ReaderOf(Cursor& cursor, size_t batch_size) {
  if (!cursor.is_streamed()) return Reader(cursor.result(), batch_size);
  return py::module_::import("scaup._output").attr("reader_of")(cursor.TakeStream(batch_size));
}

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

/// Returns the rows as a pyarrow table without extension types: JSON is text.
py::object StorageTable(const Result& result) {
  const py::object exported = py::cast(ArrowExport(result.rows(), {.extensions = false}));
  return py::module_::import("pyarrow").attr("table")(exported);
}

py::object PolarsFrame(const Result& result) {
  const py::object exported = py::cast(ArrowExport(result.rows(), {.string_views = true}));
  return py::module_::import("polars").attr("DataFrame")(exported);
}

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

constexpr const char* kFetchOneText = "The next row as a tuple, or None behind the last.";
constexpr const char* kFetchAllText = "All rows that were not fetched yet, as a list of tuples.";
constexpr const char* kDescriptionText =
    "The columns as DB-API's tuples of seven; None for statements without rows.";

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

void BindConnection(py::module_& module) {
  py::class_<ConnectionObject, Cursor>(module, "Connection",
                                       "A session of a database; also a cursor of its own.")
      .def("cursor", &ConnectionObject::NewCursor,
           "A cursor with results of its own, which shares the connection's transaction.")
      .def_property(
          "python_enable_replacements",
          [](ConnectionObject& self) { return self.options().enable_replacements; },
          [](ConnectionObject& self, bool value) { self.options().enable_replacements = value; },
          "Whether names of SQL that nothing has in the database may mean variables of Python.")
      .def_property(
          "enable_progress_bar", [](ConnectionObject& self) { return self.options().enable_progress_bar; },
          [](ConnectionObject& self, std::optional<bool> value) {
            self.options().enable_progress_bar = value;
          },
          "Whether queries that take longer than two seconds show how far they are on sys.stderr, or in the "
          "notebook. None: in notebooks and interactive terminals.")
      .def_property(
          "python_scan_all_frames", [](ConnectionObject& self) { return self.options().scan_all_frames; },
          [](ConnectionObject& self, bool value) { self.options().scan_all_frames = value; },
          "Whether these may be variables of all functions that are running, not only of the one that runs "
          "the statement.")
      .def("_register", &ConnectionObject::Register, py::arg("name"), py::arg("open"), py::arg("once"))
      .def("_unregister", &ConnectionObject::Unregister, py::arg("name"))
      .def("duplicate", &ConnectionObject::Duplicate,
           "Another session of the same database, with transactions of its own.")
      .def("begin", &ConnectionObject::Begin, "Begins a transaction.")
      .def("commit", &ConnectionObject::Commit, "Commits the transaction; does nothing where none is open.")
      .def("rollback", &ConnectionObject::Rollback,
           "Rolls the transaction back. Raises OperationalError 25P01 where none is open.");
  module.def("connect", &ConnectionObject::Open,
             py::arg("database") = ":memory:", py::arg("read_only") = false, py::arg("config") = py::none(),
             kConnectText);
}

}  // namespace

PYBIND11_MODULE(_scaup, module) {
  module.doc() = "Scaup's C++ part; use the package scaup.";
  RegisterErrors(module);
  BindArrow(module);
  BindTables(module);
  BindResult(module);
  BindCursor(module);
  BindConnection(module);
  module.def("version", &Database::Version);
  // Returns a parameter's SQL type and text, for tests.
  module.def("_parameter", [](py::handle object) {
    const Value value = ToValue(object);
    return py::make_tuple(value.type().ToString(), value.ToString());
  });
}

}  // namespace scaup::python
