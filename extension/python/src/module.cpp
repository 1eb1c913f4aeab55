// The module scaup._scaup: binds the classes to Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "errors.hpp"
#include "parameters.hpp"
#include "python_functions.hpp"
#include "python_table_functions.hpp"
#include "python_tables.hpp"
#include "scaup/connection.hpp"
#include "scaup/database.hpp"
#include "scaup/table_name.hpp"
#include "served_database.hpp"
#include "whole_results.hpp"

namespace scaup::python {

namespace {

constexpr const char* kConnectText =
    R"(Opens a database: ":memory:", or a file, which is made if there is none.

config has settings by name, such as {"threads": 4, "memory_limit": "2GB"}; read_only is short for
{"access_mode": "read_only"}. A path that is open in this process already gives another connection to the same
database, as Connection.duplicate() does; its settings must be the same, or not given: else OperationalError 55006
names the one that differs. Of all processes, one at a time may write a file, or many may read it. When the last
connection is closed, nothing but the file is left.)";

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
      .def("_register_files", &ConnectionObject::RegisterFiles)
      .def("_file_protocols",
           [](ConnectionObject& self) {
             py::list protocols;
             for (const std::string& protocol : self.file_protocols()) protocols.append(py::str(protocol));
             return protocols;
           })
      .def("_create_function",
           [](ConnectionObject& self, std::string name, py::object call, std::vector<std::string> arguments,
              bool is_variadic, std::string result, bool takes_nulls, bool has_effects, size_t batch_rows) {
             self.CreateFunction({std::move(name), std::move(arguments), is_variadic, std::move(result),
                                  takes_nulls, has_effects, batch_rows},
                                 std::move(call));
           })
      .def(
          "_create_aggregate",
          [](ConnectionObject& self, std::string name, py::object call, std::vector<std::string> arguments,
             std::string result, bool takes_nulls, size_t batch_rows, const std::vector<std::string>& state) {
            self.CreateAggregate({std::move(name), std::move(arguments), false, std::move(result),
                                  takes_nulls, false, batch_rows},
                                 std::move(call), state);
          })
      .def("_create_table_function",
           [](ConnectionObject& self, std::string name, py::object call, std::vector<std::string> names,
              std::vector<std::string> arguments, std::vector<bool> are_tables, std::string result,
              bool takes_batches, size_t batch_rows) {
             self.CreateTableFunction({std::move(name), std::move(names), std::move(arguments),
                                       std::move(are_tables), std::move(result), takes_batches, batch_rows},
                                      std::move(call));
           })
      .def("_remove_function", &ConnectionObject::RemoveFunction)
      .def("duplicate", &ConnectionObject::Duplicate,
           "Another session of the same database, with transactions of its own.")
      .def("begin", &ConnectionObject::Begin, "Begins a transaction.")
      .def("commit", &ConnectionObject::Commit, "Commits the transaction; does nothing where none is open.")
      .def("rollback", &ConnectionObject::Rollback,
           "Rolls the transaction back. Raises OperationalError 25P01 where none is open.");
  module.def("connect", &ConnectionObject::Open,
             py::arg("database") = ":memory:", py::arg("read_only") = false, py::arg("config") = py::none(),
             kConnectText);
  module.def("_database_handle",
             [](ConnectionObject& connection) { return registry::HandleOf(connection.open_database()); });
}

/// Calls `work`; its errors are about a text.
template <typename Work>
auto AboutText(const std::string& sql, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    RaiseError(error, sql);
  }
}

}  // namespace

PYBIND11_MODULE(_scaup, module) {
  module.doc() = "Scaup's C++ part; use the package scaup.";
  RegisterErrors(module);
  BindArrow(module);
  BindTables(module);
  BindTableInput(module);
  BindFunctions(module);
  BindResult(module);
  BindCursor(module);
  BindConnection(module);
  BindServer(module);
  module.def("version", &Database::Version);
  module.def("_split",
             [](const std::string& sql) { return AboutText(sql, [&] { return SplitStatements(sql); }); });
  module.def("_table_names", [](const std::string& sql) {
    std::vector<std::pair<std::string, std::string>> names;
    for (TableName& table : AboutText(sql, [&] { return TableNames(sql); }))
      names.emplace_back(std::move(table.schema), std::move(table.name));
    return names;
  });
  // Returns a parameter's SQL type and text, for tests.
  module.def("_parameter", [](py::handle object) {
    const Value value = ToValue(object);
    return py::make_tuple(value.type().ToString(), value.ToString());
  });
}

}  // namespace scaup::python
