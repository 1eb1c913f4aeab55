// Cursor and Connection of Python's DB-API.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "result.hpp"
#include "session.hpp"

namespace scaup::python {

/// Runs statements in its connection's session, and owns the result of the last one. The cursors of a
/// connection share its transaction. Guarded by the GIL.
class Cursor {
 public:
  explicit Cursor(std::shared_ptr<Session> session)
      : session_(std::make_shared<std::shared_ptr<Session>>(std::move(session))) {}
  virtual ~Cursor() = default;

  /// Runs one or more statements. If the result of a query does not fit in memory, opens a stream of its rows
  /// instead.
  void Execute(const std::string& sql, pybind11::handle parameters);
  /// Prepares a statement once, and executes it for each of the parameter lists.
  void ExecuteMany(const std::string& sql, pybind11::handle parameter_lists);
  /// Inserts dicts into a table or a collection (row_loader.hpp). row_count() is their number then.
  void Append(const std::string& table, pybind11::handle rows, const std::string& schema);
  /// Runs SQL and returns its result, or None for statements without rows. Does not change the cursor's own
  /// result.
  pybind11::object Sql(const std::string& sql, pybind11::handle parameters, const KnownTables& tables);

  /// Returns a stream of the rows of a query, which are computed while they are read.
  pybind11::capsule Stream(const std::string& sql, pybind11::handle parameters, const KnownTables& tables,
                           size_t batch_rows);

  /// Returns the result to fetch from. Raises InterfaceError if there is none.
  Result& result();
  pybind11::object Description() const;
  int64_t row_count() const { return row_count_; }
  /// The default number of rows of fetchmany.
  size_t array_size() const { return array_size_; }
  void set_array_size(size_t size) { array_size_ = size; }
  void Interrupt();
  double Progress() const { return session()->Progress(); }
  virtual void Close();

 protected:
  /// Shared by a connection and its cursors, so that closing the connection closes them all.
  using SharedSession = std::shared_ptr<std::shared_ptr<Session>>;
  explicit Cursor(SharedSession session) : session_(std::move(session)) {}
  /// Raises InterfaceError if the cursor or its connection is closed.
  std::shared_ptr<Session> session() const;
  QueryResult Run(const std::string& sql, pybind11::handle parameters, const KnownTables& tables = {});
  void Forget();

  SharedSession session_;
  bool closed_ = false;

 private:
  std::optional<Result> result_;
  int64_t row_count_ = -1;
  size_t array_size_ = 1;
};

/// The cursor that owns the session.
class ConnectionObject : public Cursor {
 public:
  using Cursor::Cursor;
  static std::unique_ptr<ConnectionObject> Open(pybind11::handle database, bool read_only,
                                                pybind11::handle config);

  std::unique_ptr<Cursor> NewCursor();
  /// Returns another connection to the same database, with its own transactions.
  std::unique_ptr<ConnectionObject> Duplicate();
  SessionOptions& options() { return session()->options(); }
  /// Returns the database that it is a connection to.
  std::shared_ptr<registry::OpenDatabase> open_database() const { return session()->database(); }
  void Register(const std::string& name, pybind11::function open, bool once);
  bool Unregister(const std::string& name);
  void RegisterFiles(const std::string& protocol, pybind11::object files);
  std::set<std::string> file_protocols() { return session()->file_protocols(); }
  void CreateFunction(const Session::PythonFunction& function, pybind11::object call);
  void CreateAggregate(const Session::PythonFunction& function, pybind11::object call,
                       const std::vector<std::string>& state);
  void CreateTableFunction(const Session::PythonTable& function, pybind11::object call);
  bool RemoveFunction(const std::string& name);
  void Begin();
  /// Does nothing if no transaction is open.
  void Commit();
  void Rollback();
  void Close() override;
};

}  // namespace scaup::python
