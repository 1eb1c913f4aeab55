// An open connection as Python objects share it, and running its queries so that Ctrl-C works.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "lazy_rows.hpp"
#include "open_databases.hpp"
#include "scaup/connection.hpp"

namespace scaup::python {

class SourceContext;

/// A thread that runs one task after the other. Its owner's destructor waits for the task that runs.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Hands a task over. REQUIRES: the one before was waited for.
  void Start(std::function<void()> task);
  /// Waits at most so long for the task to end; true if it has.
  bool Wait(std::chrono::milliseconds longest);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Which texts of statements ended soon when they ran last. Texts that differ in numbers and strings only
/// count as one. One thread at a time; bounded.
class ShortStatements {
 public:
  /// 0 for a text too long to be looked at.
  static uint64_t KeyOf(std::string_view sql);
  bool Contains(uint64_t key) const { return keys_.contains(key); }
  void Note(uint64_t key, bool was_short);

 private:
  std::unordered_set<uint64_t> keys_;
};

/// The tables of Python that a statement can name.
struct KnownTables {
  /// A relation's own tables by name, to which it adds those that it finds; null or None for a statement
  /// by itself.
  pybind11::object tables;
  /// Whether only the types of its columns are asked for, so that no stream may be used up.
  bool is_description = false;
};

/// Settings of Python's part of a connection.
struct SessionOptions {
  bool enable_replacements = true;  ///< Whether names of SQL may mean variables.
  bool scan_all_frames = false;     ///< Those of all functions that are running, not of the caller alone.
  /// Whether long queries show how far they are; nullopt: where a person watches.
  std::optional<bool> enable_progress_bar;
};

/// The connection behind a Python Connection and its cursors. Held by shared_ptr by each of them; a query
/// that runs holds it too, so closing never pulls it away. Thread-safe.
class Session {
 public:
  explicit Session(std::shared_ptr<OpenDatabase> database);
  ~Session();

  /// Runs `work` on the connection without the GIL. Needs the GIL. Errors of Scaup are raised as Python
  /// exceptions about `sql`.
  /// On Python's main thread it runs on a worker, while this thread runs the handlers of signals every 50 ms:
  /// Ctrl-C interrupts the query and raises KeyboardInterrupt. Where the statement took less than that
  /// before, it runs here, Ctrl-C interrupts it all the same, and handlers of other signals wait for its end.
  void Run(const std::function<void(Connection&)>& work, std::string_view sql,
           const KnownTables& tables = {});

  /// From any thread, while a query runs.
  void Interrupt() noexcept { connection_.Interrupt(); }
  /// The same: 0 to 1; negative where nobody knows, or nothing runs.
  double Progress() const noexcept { return connection_.Progress(); }
  const std::shared_ptr<OpenDatabase>& database() const { return database_; }
  /// Makes an object of Python a table: `open` is called with names of columns, and gives an object with
  /// __arrow_c_stream__ that has them at least; `once`: it may be called a single time. Needs the GIL.
  void Register(const std::string& name, pybind11::function open, bool once);
  bool Unregister(const std::string& name);
  /// Queries whose rows are not all computed. Run lets them be computed before it begins another one.
  LazyRowsOfSession& lazy_rows() { return lazy_rows_; }
  /// Guarded by the GIL.
  SessionOptions& options() { return options_; }

 private:
  /// Whether a parent of this process made it, and a fork copied it.
  bool IsInherited() const;
  /// The table that a name of SQL means to the function of Python that runs this thread's statement.
  ArrowFactory FindTable(std::string_view name, ArrowArrayStream* once);
  void RunOnWorker(const std::function<void()>& task);
  void RunHere(const std::function<void()>& task);

  [[noreturn]] void Raise(const Error& error, std::string_view sql);

  const uint32_t fork_count_;
  std::shared_ptr<OpenDatabase> database_;
  Connection connection_;
  std::unique_ptr<Worker> worker_;    // made when first needed
  bool worker_busy_ = false;          // guarded by the GIL
  ShortStatements short_statements_;  // guarded by the GIL
  SessionOptions options_;
  std::mutex statement_mutex_;  // held by the thread that runs a statement, or begins a query
  LazyRowsOfSession lazy_rows_;
  const std::shared_ptr<SourceContext> sources_;
};

}  // namespace scaup::python
