// Cursor and Connection of DB-API.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>

#include "result.hpp"
#include "session.hpp"

namespace scaup::python {

/// Runs statements in its connection's session and holds the last one's result. Cursors of one connection
/// share its transaction. Guarded by the GIL.
class Cursor {
 public:
  explicit Cursor(std::shared_ptr<Session> session)
      : session_(std::make_shared<std::shared_ptr<Session>>(std::move(session))) {}
  virtual ~Cursor();

  /// Runs one statement or several. The rows of a query that have no room in memory are left to be streamed.
  void Execute(const std::string& sql, pybind11::handle parameters);
  /// Prepares once and executes for each of the parameter lists.
  void ExecuteMany(const std::string& sql, pybind11::handle parameter_lists);
  /// Puts dicts into a table or a collection (row_loader.hpp); row_count() is how many.
  void Append(const std::string& table, pybind11::handle rows, const std::string& schema);
  /// Runs SQL and gives its result, None for statements without rows; the cursor's own result stays.
  pybind11::object Sql(const std::string& sql, pybind11::handle parameters, const KnownTables& tables);

  /// A stream of the rows of a query, which are computed while they are read.
  pybind11::capsule Stream(const std::string& sql, pybind11::handle parameters, const KnownTables& tables,
                           size_t batch_rows);

  /// The result to fetch from. Raises InterfaceError if there is none, OperationalError 53200 if its rows
  /// have no room in memory.
  Result& result();
  /// Whether there are such rows, which can be read once, by TakeStream.
  bool is_streamed() const { return streamed_.has_value(); }
  pybind11::capsule TakeStream(size_t batch_rows);
  pybind11::object Description() const;
  int64_t row_count() const { return row_count_; }
  /// How many rows fetchmany gives when not told.
  size_t array_size() const { return array_size_; }
  void set_array_size(size_t size) { array_size_ = size; }
  void Interrupt();
  double Progress() const { return session()->Progress(); }
  virtual void Close();

 protected:
  /// Shared by a connection and its cursors, so that closing the connection closes them all.
  using SharedSession = std::shared_ptr<std::shared_ptr<Session>>;
  explicit Cursor(SharedSession session) : session_(std::move(session)) {}
  /// Raises InterfaceError when closed.
  std::shared_ptr<Session> session() const;
  QueryResult Run(const std::string& sql, pybind11::handle parameters, const KnownTables& tables = {});
  bool TryStream(const std::string& sql, pybind11::handle parameters,
                 const pybind11::error_already_set& error);
  void Forget();

  SharedSession session_;
  bool closed_ = false;

 private:
  std::optional<Result> result_;
  std::optional<StreamingResult> streamed_;  // Where there is no room for a result.
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
  /// Another connection to the same database, with transactions of its own.
  std::unique_ptr<ConnectionObject> Duplicate();
  SessionOptions& options() { return session()->options(); }
  void Register(const std::string& name, pybind11::function open, bool once);
  bool Unregister(const std::string& name);
  void Begin();
  /// Does nothing when no transaction is open.
  void Commit();
  void Rollback();
  void Close() override;
};

}  // namespace scaup::python
