// Row loader: converts dicts in batches, and inserts them by an appender or by INSERT statements.
#include "row_loader.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "dict_items.hpp"
#include "errors.hpp"
#include "gil_release.hpp"
#include "json_text.hpp"
#include "parameters.hpp"
#include "scaup/appender.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

// The number of rows, and about the bytes of their text, that are converted before they are inserted. A batch
// amortizes the hand-over of the GIL, and bounds the memory.
constexpr size_t kBatchRows = 2048;
constexpr size_t kBatchBytes = size_t{4} << 20;

constexpr const char* kUndefinedTable = "42P01";
constexpr const char* kNoTransaction = "25P01";
constexpr const char* kSavepoint = "\"append of rows\"";

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string PlaceOf(size_t row) { return "rows[" + std::to_string(row) + "]: "; }

// Calls `body`, and adds the row's position to the messages of its errors.
template <typename Body>
void AboutRow(size_t row, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(), PlaceOf(row) + error.message());
  }
}

// Calls `body`, which converts Python values, and adds the row's position to the messages of its exceptions,
// whose type does not change.
template <typename Body>
void AboutPythonRow(size_t row, Body&& body) {
  try {
    body();
  } catch (py::error_already_set& error) {
    if (!py::hasattr(error.value(), "sqlstate")) throw;
    const std::string message = PlaceOf(row) + py::str(error.value()).cast<std::string>();
    py::object raised = error.type()(message);
    raised.attr("message") = message;
    for (const char* attribute : {"sqlstate", "kind", "position"})
      py::setattr(raised, attribute, py::getattr(error.value(), attribute));
    PyErr_SetObject(error.type().ptr(), raised.ptr());
    throw py::error_already_set();
  }
}

// Makes the load atomic: by a transaction, or by a savepoint in the transaction that is open.
class Unit {
 public:
  explicit Unit(Connection& connection) : connection_(connection) {
    try {
      connection_.Query(std::string("SAVEPOINT ") + kSavepoint);
      is_savepoint_ = true;
    } catch (const Error& error) {
      if (std::string_view(error.sqlstate()) != kNoTransaction) throw;
      connection_.Query("BEGIN");
    }
  }
  void Commit() { connection_.Query(is_savepoint_ ? std::string("RELEASE ") + kSavepoint : "COMMIT"); }
  void Rollback() noexcept {
    try {
      connection_.Query(is_savepoint_ ? std::string("ROLLBACK TO ") + kSavepoint : "ROLLBACK");
      if (is_savepoint_) connection_.Query(std::string("RELEASE ") + kSavepoint);
    } catch (const Error&) {  // A failed COMMIT has ended the transaction already.
    }
  }

 private:
  Connection& connection_;
  bool is_savepoint_ = false;
};

class RowLoader {
 public:
  RowLoader(Session& session, std::string schema, std::string table)
      : session_(session),
        schema_(std::move(schema)),
        table_(std::move(table)),
        name_(Quoted(schema_) + '.' + Quoted(table_)) {}

  size_t Load(py::handle rows) {
    Run([&](Connection& connection) { unit_.emplace(connection); });
    try {
      Run([&](Connection& connection) { Open(connection); });
      for (py::handle row : py::reinterpret_borrow<py::object>(rows)) Take(row);
      Run([&](Connection& connection) {
        PutBatch(connection);
        if (appender_) appender_->Close();
        unit_->Commit();
      });
    } catch (...) {
      // Rolls back without Run, so that the interrupt that ended the load does not end the rollback, too.
      const GilRelease release;
      appender_.reset();
      statements_.clear();
      unit_->Rollback();
      throw;
    }
    return row_count_;
  }

 private:
  struct Insert {
    const std::vector<std::string>* columns;
    std::vector<Value> values;
  };

  void Run(const std::function<void(Connection&)>& work) { session_.Run(work, {}); }

  void Open(Connection& connection) {
    try {
      appender_.emplace(connection, table_, schema_);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kNotSupported) return;  // INSERT statements are used instead.
      if (std::string_view(error.sqlstate()) != kUndefinedTable) throw;
      connection.Query("CREATE COLLECTION " + name_);
      appender_.emplace(connection, table_, schema_);
    }
    if (!appender_->takes_documents()) appender_.reset();
  }

  void Take(py::handle row) {
    if (!PyDict_Check(row.ptr())) {
      RaiseProgrammingError(PlaceOf(row_count_) + "expected a dict, not " + Py_TYPE(row.ptr())->tp_name);
    }
    AboutPythonRow(row_count_, [&] {
      if (appender_) {
        const size_t begin = text_.size();
        AppendJson(row, text_);
        lengths_.push_back(text_.size() - begin);
      } else {
        inserts_.push_back(ToInsert(row));
      }
    });
    row_count_++;
    if (lengths_.size() + inserts_.size() >= kBatchRows || text_.size() >= kBatchBytes)
      Run([&](Connection& connection) { PutBatch(connection); });
  }

  Insert ToInsert(py::handle row) {
    std::vector<std::string> columns;
    Insert insert;
    ForEachItem(row, [&](const py::object& key, const py::object& value) {
      if (!PyUnicode_Check(key.ptr())) RaiseDataError("the name of a column must be str");
      columns.push_back(py::str(key));
      insert.values.push_back(ToValue(value));
    });
    insert.columns = &statements_.try_emplace(std::move(columns)).first->first;
    return insert;
  }

  void PutBatch(Connection& connection) {
    const size_t first = row_count_ - lengths_.size() - inserts_.size();
    size_t begin = 0;
    for (size_t i = 0; i < lengths_.size(); i++) {
      AboutRow(first + i, [&] {
        appender_->Append(std::string_view(text_).substr(begin, lengths_[i]));
        appender_->EndRow();
      });
      begin += lengths_[i];
    }
    for (size_t i = 0; i < inserts_.size(); i++) {
      AboutRow(first + i, [&] {
        std::optional<PreparedStatement>& statement = statements_.at(*inserts_[i].columns);
        if (!statement) statement.emplace(connection.Prepare(InsertText(*inserts_[i].columns)));
        statement->Execute(inserts_[i].values);
      });
    }
    text_.clear();
    lengths_.clear();
    inserts_.clear();
  }

  // Returns INSERT INTO t (a, b) VALUES ($1, $2). Columns that a dict does not name get their defaults.
  std::string InsertText(const std::vector<std::string>& columns) const {
    if (columns.empty()) return "INSERT INTO " + name_ + " DEFAULT VALUES";
    std::string names, places;
    for (size_t i = 0; i < columns.size(); i++) {
      names += (i == 0 ? "" : ", ") + Quoted(columns[i]);
      places += (i == 0 ? "$" : ", $") + std::to_string(i + 1);
    }
    return "INSERT INTO " + name_ + " (" + names + ") VALUES (" + places + ")";
  }

  Session& session_;
  std::string schema_;
  std::string table_;
  std::string name_;  // the qualified name in SQL
  std::optional<Unit> unit_;
  std::optional<Appender> appender_;  // for collections
  size_t row_count_ = 0;              // rows converted so far
  // The batch: the texts of documents and their lengths, or rows of a table.
  std::string text_;
  std::vector<size_t> lengths_;
  std::vector<Insert> inserts_;
  std::map<std::vector<std::string>, std::optional<PreparedStatement>> statements_;  // by columns
};

}  // namespace

size_t LoadRows(const std::shared_ptr<Session>& session, const std::string& schema, const std::string& table,
                py::handle rows) {
  if (PyDict_Check(rows.ptr()) || PyUnicode_Check(rows.ptr()) || !py::isinstance<py::iterable>(rows))
    RaiseProgrammingError("rows must be a list of dicts, not " + std::string(Py_TYPE(rows.ptr())->tp_name));
  return RowLoader(*session, schema, table).Load(rows);
}

}  // namespace scaup::python
