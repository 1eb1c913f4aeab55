// Session: an open connection that Python objects share, whose queries Ctrl-C can interrupt.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lazy_rows.hpp"
#include "open_databases.hpp"
#include "scaup/connection.hpp"

namespace scaup::python {

class SourceContext;

/// A thread that runs one task after the other. The destructor waits for the running task.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts a task. REQUIRES: Wait has returned true for the previous one.
  void Start(std::function<void()> task);
  /// Waits at most `longest` for the task to end. Returns whether it has ended.
  bool Wait(std::chrono::milliseconds longest);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The statements that took little time when they ran last. Texts that differ only in numbers and strings are
/// one statement. Bounded in size. Used by one thread at a time.
class ShortStatements {
 public:
  /// Returns the key of a statement; 0 if the text is too long.
  static uint64_t KeyOf(std::string_view sql);
  bool Contains(uint64_t key) const { return keys_.contains(key); }
  void Note(uint64_t key, bool was_short);

 private:
  std::unordered_set<uint64_t> keys_;
};

/// The Python tables that a statement can name.
struct KnownTables {
  /// The tables of a relation by name, to which tables that are found are added; null or None for a plain
  /// statement.
  pybind11::object tables;
  /// Whether only the types of columns are needed, so that streams must not be read.
  bool is_description = false;
};

/// Settings of a connection that only this module knows.
struct SessionOptions {
  bool enable_replacements = true;  ///< Whether names in SQL may refer to variables of Python.
  bool scan_all_frames =
      false;  ///< Whether these may be variables of all running functions, not only the caller.
  /// Whether long queries show a progress bar; nullopt for only in interactive terminals and notebooks.
  std::optional<bool> enable_progress_bar;
};

/// The connection behind a Python Connection and its cursors, which own it together by shared_ptr. A running
/// query shares ownership, too, so that closing the connection does not destroy it. Thread-safe.
class Session {
 public:
  explicit Session(std::shared_ptr<registry::OpenDatabase> database);
  ~Session();

  /// Runs `work` on the connection without the GIL. Call it with the GIL. Errors of Scaup are raised as
  /// Python exceptions about `sql`. On Python's main thread, `work` runs on a worker thread, while this
  /// thread runs the handlers of signals every 50 ms: Ctrl-C interrupts the query and raises
  /// KeyboardInterrupt. If the statement took less than that before, it runs on the main thread. Ctrl-C
  /// interrupts it, too, but handlers of other signals wait for its end.
  void Run(const std::function<void(Connection&)>& work, std::string_view sql,
           const KnownTables& tables = {});

  /// Interrupts the running query. May be called from any thread.
  void Interrupt() noexcept { connection_.Interrupt(); }
  /// Ends bodies of Python functions that the running query calls. Needs the GIL.
  void InterruptBodies();
  /// Returns the progress of the running query, 0 to 1; negative if it is not known or nothing runs. May be
  /// called from any thread.
  double Progress() const noexcept { return connection_.Progress(); }
  const std::shared_ptr<registry::OpenDatabase>& database() const { return database_; }
  /// Creates a function. Types are SQL texts.
  struct PythonFunction {
    std::string name;
    std::vector<std::string> arguments;
    bool is_variadic;
    std::string result;
    bool takes_nulls;
    bool has_effects;
    size_t batch_rows;  // 0: as many as usual
  };
  void CreateFunction(const PythonFunction& function, pybind11::object call);
  /// Creates an aggregate with a state of these types, which may be none.
  void CreateAggregate(const PythonFunction& function, pybind11::object call,
                       const std::vector<std::string>& state);
  /// A table function. Types of arguments that are tables, and of the rows it returns, are structs of the
  /// columns; "" for a table of any columns.
  struct PythonTable {
    std::string name;
    std::vector<std::string> names;  // of the arguments
    std::vector<std::string> arguments;
    std::vector<bool> are_tables;
    std::string result;
    bool takes_batches;
    size_t batch_rows;  // 0: as many as usual
  };
  void CreateTableFunction(const PythonTable& function, pybind11::object call);
  bool RemoveFunction(const std::string& name);
  /// Registers a Python object as a table. `open` is called with column names, and returns an object with
  /// __arrow_c_stream__ that has at least these columns. With `once`, it may be called only once. Needs the
  /// GIL.
  void Register(const std::string& name, pybind11::function open, bool once);
  /// Removes a registered table; returns false if there is none. Needs the GIL.
  bool Unregister(const std::string& name);
  /// Sets the file system of a protocol; None removes it. Needs the GIL.
  void RegisterFiles(const std::string& protocol, pybind11::object files);
  /// The protocols that have one. Guarded by the GIL.
  const std::set<std::string>& file_protocols() const { return file_protocols_; }
  /// The queries whose rows are computed lazily. Run materializes their rows before it begins another
  /// statement.
  LazyRowsOfSession& lazy_rows() { return lazy_rows_; }
  /// Guarded by the GIL.
  SessionOptions& options() { return options_; }

 private:
  /// Returns whether a fork has copied the session from a parent process.
  bool IsInherited() const;
  /// Finds the Python table that a name in SQL refers to, as seen from the Python function that runs this
  /// thread's statement.
  ArrowFactory FindTable(std::string_view name, ArrowArrayStream* once);
  void RunOnWorker(const std::function<void()>& task);
  void RunHere(const std::function<void()>& task);

  [[noreturn]] void Raise(const Error& error, std::string_view sql);

  const uint32_t fork_count_;
  std::shared_ptr<registry::OpenDatabase> database_;
  Connection connection_;
  std::unique_ptr<Worker> worker_;        // made when first needed
  bool worker_busy_ = false;              // guarded by the GIL
  ShortStatements short_statements_;      // guarded by the GIL
  std::set<std::string> file_protocols_;  // guarded by the GIL
  SessionOptions options_;
  std::mutex statement_mutex_;  // locked by the thread that runs a statement or begins a query
  LazyRowsOfSession lazy_rows_;
  const std::shared_ptr<SourceContext> sources_;
};

}  // namespace scaup::python
