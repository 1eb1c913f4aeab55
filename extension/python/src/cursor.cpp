// Cursor and Connection: execution of statements for Python.
#include "cursor.hpp"

#include "errors.hpp"
#include "gil_release.hpp"
#include "parameters.hpp"
#include "row_loader.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

// The number of parameter lists that executemany converts with the GIL before it executes them without.
constexpr size_t kBatchRows = 1024;

class CursorOfConnection : public Cursor {
 public:
  explicit CursorOfConnection(SharedSession session) : Cursor(std::move(session)) {}
};

// Runs a statement whose named parameters were replaced by numbers. Errors refer to the text that the user
// gave.
void RunBound(Session& session, const BoundStatement& bound, const std::string& given,
              const std::function<void(Connection&)>& work, const KnownTables& tables = {}) {
  try {
    session.Run(work, bound.sql, tables);
  } catch (py::error_already_set& error) {
    if (bound.sql != given) py::module_::import("scaup._sql_text").attr("restore")(error.value(), given);
    throw;
  }
}

Config ToConfig(py::handle config) {
  Config settings;
  if (config.is_none()) return settings;
  for (const auto& [name, value] : py::dict(py::reinterpret_borrow<py::object>(config))) {
    std::string text = py::str(value);
    if (PyBool_Check(value.ptr())) text = value.ptr() == Py_True ? "true" : "false";
    settings[py::str(name)] = text;
  }
  return settings;
}

bool TakeOption(Config& settings, const char* name, bool otherwise) {
  const auto found = settings.find(name);
  if (found == settings.end()) return otherwise;
  const std::string text = found->second;
  settings.erase(found);
  for (const bool value : {false, true}) {
    for (const char* word : {value ? "true" : "false", value ? "on" : "off", value ? "1" : "0"}) {
      if (text == word) return value;
    }
  }
  RaiseProgrammingError(std::string("setting ") + name + " must be True or False, not " + text);
}

// Removes the settings of this module, which the engine does not know, from `settings`.
SessionOptions TakeOptions(Config& settings) {
  SessionOptions options;
  options.enable_replacements =
      TakeOption(settings, "python_enable_replacements", options.enable_replacements);
  if (settings.contains("enable_progress_bar"))
    options.enable_progress_bar = TakeOption(settings, "enable_progress_bar", false);
  options.scan_all_frames = TakeOption(settings, "python_scan_all_frames", options.scan_all_frames);
  return options;
}

bool IsNoTransaction(py::error_already_set& error) {
  const py::object sqlstate = py::getattr(error.value(), "sqlstate", py::none());
  return py::isinstance<py::str>(sqlstate) && sqlstate.cast<std::string>() == "25P01";
}

}  // namespace

std::shared_ptr<Session> Cursor::session() const {
  if (closed_ || *session_ == nullptr)
    RaiseInterfaceError(closed_ ? "the cursor is closed" : "the connection is closed", "08003");
  return *session_;
}

QueryResult Cursor::Run(const std::string& sql, py::handle parameters, const KnownTables& tables) {
  const std::shared_ptr<Session> session = this->session();
  const BoundStatement bound = Bind(sql, parameters);
  QueryResult rows;
  const auto query = [&](Connection& connection) {
    rows = bound.values.empty() ? connection.Query(bound.sql) : connection.Query(bound.sql, bound.values);
  };
  RunBound(*session, bound, sql, query, tables);
  return rows;
}

void Cursor::Forget() {
  result_.reset();
  row_count_ = -1;
}

void Cursor::Execute(const std::string& sql, py::handle parameters) {
  Forget();
  QueryResult rows = Run(sql, parameters);
  row_count_ = static_cast<int64_t>(rows.has_rows() ? rows.row_count() : rows.rows_changed());
  result_.emplace(std::move(rows));
}

void Cursor::ExecuteMany(const std::string& sql, py::handle parameter_lists) {
  const std::shared_ptr<Session> session = this->session();
  Forget();
  std::optional<PreparedStatement> statement;
  QueryResult rows;
  uint64_t changed = 0;
  BoundStatement bound{sql, {}};
  std::vector<std::vector<Value>> batch;
  const auto run_batch = [&](Connection& connection) {
    if (!statement) statement.emplace(connection.Prepare(bound.sql));
    for (const std::vector<Value>& values : batch) {
      rows = statement->Execute(values);
      changed += rows.rows_changed();
    }
  };
  bool is_first = true;
  auto rows_of_values = py::reinterpret_borrow<py::object>(parameter_lists);
  if (!PyList_Check(parameter_lists.ptr()) && !PyTuple_Check(parameter_lists.ptr()))
    rows_of_values = py::module_::import("scaup._inputs").attr("parameter_rows")(parameter_lists, sql);
  for (py::handle parameters : rows_of_values) {
    const bool is_sequence = PyTuple_Check(parameters.ptr()) || PyList_Check(parameters.ptr());
    BoundStatement next = is_sequence ? BoundStatement{{}, BindSequence(parameters)} : Bind(sql, parameters);
    const std::string& text = is_sequence ? sql : next.sql;
    if (is_first) bound.sql = text;
    if (bound.sql != text) RaiseProgrammingError("parameters must all be sequences, or all be mappings");
    is_first = false;
    batch.push_back(std::move(next.values));
    if (batch.size() < kBatchRows) continue;
    RunBound(*session, bound, sql, run_batch);
    batch.clear();
  }
  // The last batch also prepares the statement if there are no parameter lists, so that its errors are
  // raised.
  RunBound(*session, bound, sql, run_batch);
  row_count_ = static_cast<int64_t>(changed);
  result_.emplace(std::move(rows));
}

void Cursor::Append(const std::string& table, py::handle rows, const std::string& schema) {
  const std::shared_ptr<Session> session = this->session();
  Forget();
  row_count_ = static_cast<int64_t>(LoadRows(session, schema, table, rows));
}

py::object Cursor::Sql(const std::string& sql, py::handle parameters, const KnownTables& tables) {
  QueryResult rows = Run(sql, parameters, tables);
  if (!rows.has_rows()) return py::none();
  return py::cast(std::make_unique<Result>(std::move(rows)));
}

py::capsule Cursor::Stream(const std::string& sql, py::handle parameters, const KnownTables& tables,
                           size_t batch_rows) {
  const std::shared_ptr<Session> session = this->session();
  const BoundStatement bound = Bind(sql, parameters);
  std::shared_ptr<LazyRows> rows;
  const auto open = [&](Connection& connection) {
    rows = std::make_shared<LazyRows>(session, connection.Stream(bound.sql, bound.values),
                                      ArrowOptions{.batch_rows = batch_rows});
    session->lazy_rows().Add(rows);
  };
  RunBound(*session, bound, sql, open, tables);
  return MakeStreamCapsule(LazyRows::MakeStream(std::move(rows)));
}

Result& Cursor::result() {
  session();
  if (!result_ || !result_->rows().has_rows())
    RaiseInterfaceError("there is no result to fetch: execute a query first", "24000");
  return *result_;
}

py::object Cursor::Description() const {
  if (!result_) return py::none();
  return result_->Description();
}

void Cursor::Interrupt() {
  session()->Interrupt();
  session()->InterruptBodies();
}

void Cursor::Close() {
  closed_ = true;
  result_.reset();
}

std::unique_ptr<ConnectionObject> ConnectionObject::Open(py::handle database, bool read_only,
                                                         py::handle config) {
  const std::string path = py::str(py::module_::import("os").attr("fspath")(database));
  Config settings = ToConfig(config);
  const SessionOptions options = TakeOptions(settings);
  if (read_only) settings["access_mode"] = "read_only";
  std::shared_ptr<Session> session;
  {
    // Opening may take long, and may wait for another thread that opens or closes the database.
    const GilRelease release;
    session = std::make_shared<Session>(registry::OpenShared(path, settings));
  }
  session->options() = options;
  return std::make_unique<ConnectionObject>(std::move(session));
}

std::unique_ptr<Cursor> ConnectionObject::NewCursor() {
  session();
  return std::make_unique<CursorOfConnection>(session_);
}

std::unique_ptr<ConnectionObject> ConnectionObject::Duplicate() {
  const auto other = std::make_shared<Session>(session()->database());
  other->options() = options();
  return std::make_unique<ConnectionObject>(other);
}

void ConnectionObject::Register(const std::string& name, py::function open, bool once) {
  session()->Register(name, std::move(open), once);
}

bool ConnectionObject::Unregister(const std::string& name) { return session()->Unregister(name); }

void ConnectionObject::RegisterFiles(const std::string& protocol, py::object files) {
  session()->RegisterFiles(protocol, std::move(files));
}

void ConnectionObject::CreateFunction(const Session::PythonFunction& function, py::object call) {
  session()->CreateFunction(function, std::move(call));
}

void ConnectionObject::CreateAggregate(const Session::PythonFunction& function, py::object call,
                                       const std::vector<std::string>& state) {
  session()->CreateAggregate(function, std::move(call), state);
}

void ConnectionObject::CreateTableFunction(const Session::PythonTable& function, py::object call) {
  session()->CreateTableFunction(function, std::move(call));
}

bool ConnectionObject::RemoveFunction(const std::string& name) { return session()->RemoveFunction(name); }

void ConnectionObject::Begin() { Run("BEGIN", py::none()); }

// DB-API demands that commit does nothing if no transaction is open.
void ConnectionObject::Commit() {
  try {
    Run("COMMIT", py::none());
  } catch (py::error_already_set& error) {
    if (!IsNoTransaction(error)) throw;
  }
}

// Raises an error if no transaction is open: success would suggest that changes were undone which were not.
void ConnectionObject::Rollback() { Run("ROLLBACK", py::none()); }

// A query that another thread runs shares ownership of the session until it ends.
void ConnectionObject::Close() {
  Cursor::Close();
  std::shared_ptr<Session> last = std::move(*session_);
  session_->reset();
  const GilRelease release;
  last.reset();
}

}  // namespace scaup::python
