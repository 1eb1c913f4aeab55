// Session: runs long queries on a worker thread, while the main thread handles signals.
#include "session.hpp"

#include <pybind11/stl.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "errors.hpp"
#include "fork_count.hpp"
#include "gil_release.hpp"
#include "python_files.hpp"
#include "python_functions.hpp"
#include "python_host.hpp"
#include "python_table_functions.hpp"
#include "python_tables.hpp"
#include "signal_watch.hpp"

namespace py = pybind11;

namespace scaup::python {

struct Worker::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task;  // guarded by mutex
  bool busy = false;           // guarded by mutex
  bool stop = false;           // guarded by mutex
  std::thread thread;

  void Loop() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return stop || busy; });
      if (busy) {
        lock.unlock();
        task();
        lock.lock();
        busy = false;
        changed.notify_all();
      } else if (stop) {
        return;
      }
    }
  }
};

Worker::Worker() : state_(std::make_unique<State>()) {
  state_->thread = std::thread([state = state_.get()] { state->Loop(); });
}

Worker::~Worker() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

void Worker::Start(std::function<void()> task) {
  {
    std::lock_guard lock(state_->mutex);
    state_->task = std::move(task);
    state_->busy = true;
  }
  state_->changed.notify_all();
}

bool Worker::Wait(std::chrono::milliseconds longest) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, longest, [this] { return !state_->busy; });
}

namespace {

// The caller of the statement that runs on this thread. A signal handler may run another statement within it.
struct Caller {
  PyObject* frame;
  const KnownTables* tables;
};
thread_local const Caller* caller_of_thread = nullptr;

// The identifier of Python's main thread; 0 if it is not known yet.
std::atomic<unsigned long> main_thread_ident{0};

// Returns whether this is Python's main thread, the only one that handles signals.
bool OnMainThread() {
  unsigned long ident = main_thread_ident.load(std::memory_order_relaxed);
  if (ident == 0) {
    // In a child made by fork, another thread may be the main one.
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { main_thread_ident.store(0, std::memory_order_relaxed); });
    static_cast<void>(registered);
    ident = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    main_thread_ident.store(ident, std::memory_order_relaxed);
  }
  return ident == PyThread_get_thread_ident();
}

// The longest time that signal handlers wait while a statement runs on the worker. Shorter statements run on
// the main thread: a worker costs more than two context switches, because the kernel may start all threads of
// the statement on one processor, and move one away only after some milliseconds.
constexpr std::chrono::milliseconds kMostWait{50};

}  // namespace

uint64_t ShortStatements::KeyOf(std::string_view sql) {
  constexpr size_t kLongestText = 2000;
  if (sql.size() > kLongestText) return 0;
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (size_t i = 0; i < sql.size(); i++) {
    const char c = sql[i];
    if (c >= '0' && c <= '9') continue;
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    if (c == '\'') i = std::min(sql.find('\'', i + 1), sql.size());
  }
  return hash == 0 ? 1 : hash;
}

void ShortStatements::Note(uint64_t key, bool was_short) {
  constexpr size_t kMostTexts = 1000;
  if (!was_short) {
    keys_.erase(key);
  } else if (key != 0) {
    if (keys_.size() == kMostTexts) keys_.clear();
    keys_.insert(key);
  }
}

Session::Session(std::shared_ptr<registry::OpenDatabase> database)
    : fork_count_(registry::ForkCount()),
      database_(std::move(database)),
      connection_(database_->database),
      sources_(std::make_shared<SourceContext>()) {
  connection_.SetReplacementScan(
      [this](std::string_view name, ArrowArrayStream* once) { return FindTable(name, once); });
  connection_.RegisterLanguage("python", MakePythonHost(sources_));
}

Session::~Session() {
  if (IsInherited())
    static_cast<void>(worker_.release());  // The child lacks the thread, so it cannot be joined.
}

bool Session::IsInherited() const { return registry::ForkCount() != fork_count_; }

namespace {

/// Shows the progress of a statement that takes long. A bar that raises an exception is not shown again.
/// Needs the GIL.
class ShownProgress {
 public:
  explicit ShownProgress(std::optional<bool> is_wanted) : is_wanted_(is_wanted) {}
  ~ShownProgress() {
    if (bar_ && !bar_.is_none()) Call([&] { bar_.attr("done")(); });
  }
  void Show(const Connection& connection) {
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    Call([&] {
      if (!bar_) bar_ = py::module_::import("scaup._progress").attr("bar")(is_wanted_);
      const double seconds = std::chrono::duration<double>(now - begin_).count();
      if (!bar_.is_none()) bar_.attr("show")(connection.Progress(), seconds);
    });
    if (bar_.is_none()) next_ = Clock::time_point::max();
  }

 private:
  using Clock = std::chrono::steady_clock;
  template <typename F>
  void Call(const F& body) {
    try {
      body();
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("the progress bar of Scaup");
      bar_ = py::none();
    }
  }

  const std::optional<bool> is_wanted_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(2);
  py::object bar_;  // null until it is needed; None if no bar is to be shown
};

}  // namespace

// A signal handler in Python may run any code, even a query on this connection. While worker_busy_, such a
// query does not use the worker.
void Session::RunOnWorker(const std::function<void()>& task) {
  if (worker_ == nullptr) worker_ = std::make_unique<Worker>();
  worker_busy_ = true;
  worker_->Start(task);
  std::optional<py::error_already_set> raised;
  ShownProgress progress(options_.enable_progress_bar);
  while (true) {
    bool done = false;
    {
      const GilRelease release;
      done = worker_->Wait(kMostWait);
    }
    if (done) break;
    try {
      if (!raised) SignalWatch::RaiseSignals();
    } catch (py::error_already_set& error) {
      raised.emplace(std::move(error));
    }
    // The interrupt is repeated, because the library ignores one that comes before the statement has begun.
    if (raised) {
      connection_.Interrupt();
      sources_->InterruptBodies();
    }
    progress.Show(connection_);
  }
  worker_busy_ = false;
  if (raised) throw std::move(*raised);
}

void Session::RunHere(const std::function<void()>& task) {
  {
    const SignalWatch watch(connection_);
    SignalWatch::RaiseSignals();  // for signals that came before the watch
    const GilRelease release;
    task();
  }
  SignalWatch::RaiseSignals();
}

void Session::Register(const std::string& name, py::function open, bool once) {
  if (!once)
    return Run([&](Connection& connection) { connection.RegisterArrow(name, MakeFactory(open, sources_)); },
               "");
  OwnedStream stream;
  {
    const ReadingSource reading(sources_);
    stream = OpenStream(open(py::tuple()));
  }
  Run([&](Connection& connection) { connection.RegisterArrow(name, stream.get()); }, "");
}

namespace {

/// Returns the type that SQL calls so on a connection, whose database may have enums.
LogicalType TypeIn(Connection& connection, const std::string& type) {
  return connection.Query("SELECT CAST(NULL AS " + type + ")").columns()[0].type;
}

}  // namespace

void Session::CreateFunction(const PythonFunction& function, py::object call) {
  const auto body = MakeBody(std::move(call), sources_);
  Run(
      [&](Connection& connection) {
        FunctionDefinition definition;
        definition.name = function.name;
        for (const std::string& type : function.arguments)
          definition.arguments.push_back(TypeIn(connection, type));
        definition.is_variadic = function.is_variadic;
        definition.result = TypeIn(connection, function.result);
        definition.takes_nulls = function.takes_nulls;
        definition.batch_rows = function.batch_rows;
        definition.takes_constants = true;
        if (function.has_effects) definition.volatility = FunctionDefinition::Volatility::kVolatile;
        definition.body = body;
        connection.CreateFunction(std::move(definition));
      },
      "");
}

void Session::CreateAggregate(const PythonFunction& function, py::object call,
                              const std::vector<std::string>& state) {
  AggregateDefinition definition;
  static_cast<AggregateBodies&>(definition) = MakeAggregateBodies(std::move(call), state, sources_);
  Run(
      [&](Connection& connection) {
        definition.name = function.name;
        for (const std::string& type : function.arguments)
          definition.arguments.push_back(TypeIn(connection, type));
        definition.result = TypeIn(connection, function.result);
        definition.takes_nulls = function.takes_nulls;
        definition.batch_rows = function.batch_rows;
        connection.CreateAggregate(definition);
      },
      "");
}

namespace {

/// Returns the columns of a struct.
std::vector<ResultColumn> ColumnsOf(const LogicalType& type) {
  std::vector<ResultColumn> columns;
  for (const StructField& field : type.fields()) columns.push_back({field.name, field.type});
  return columns;
}

}  // namespace

void Session::CreateTableFunction(const PythonTable& function, py::object call) {
  const FunctionHost::TableBody body = MakeTableBody(call, sources_);
  py::list tables, columns;
  for (size_t i = 0; i < function.names.size(); i++)
    if (function.are_tables[i]) tables.append(py::str(function.names[i]));
  std::vector<ResultColumn> result;
  Run(
      [&](Connection& connection) {
        TableFunctionDefinition definition;
        definition.name = function.name;
        for (size_t i = 0; i < function.arguments.size(); i++) {
          if (!function.are_tables[i]) {
            definition.arguments.push_back(TableFunctionDefinition::Scalar(
                function.names[i], TypeIn(connection, function.arguments[i])));
          } else if (function.arguments[i].empty()) {
            definition.arguments.push_back(TableFunctionDefinition::Rows(function.names[i]));
          } else {
            definition.arguments.push_back(TableFunctionDefinition::Rows(
                function.names[i], ColumnsOf(TypeIn(connection, function.arguments[i]))));
          }
        }
        result = ColumnsOf(TypeIn(connection, function.result));
        definition.columns = result;
        definition.takes_batches = function.takes_batches;
        definition.batch_rows = function.batch_rows;
        definition.start = body;
        connection.CreateTableFunction(std::move(definition));
      },
      "");
  for (const ResultColumn& column : result) columns.append(py::str(column.name));
  call.attr("describe")(std::move(tables), std::move(columns));
}

void Session::InterruptBodies() { sources_->InterruptBodies(); }

bool Session::RemoveFunction(const std::string& name) {
  bool was_there = false;
  Run([&](Connection& connection) { was_there = connection.RemoveFunction(name); }, "");
  return was_there;
}

bool Session::Unregister(const std::string& name) {
  bool was_there = false;
  Run([&](Connection& connection) { was_there = connection.Unregister(name); }, "");
  return was_there;
}

void Session::RegisterFiles(const std::string& protocol, py::object files) {
  const bool is_there = !files.is_none();
  auto host = is_there ? MakePythonFiles(std::move(files), sources_) : nullptr;
  Run([&](Connection& connection) { connection.RegisterFileSystem(protocol, std::move(host)); }, "");
  if (is_there) {
    file_protocols_.insert(protocol);
  } else {
    file_protocols_.erase(protocol);
  }
}

// Called without the GIL, by the thread that binds the statement.
ArrowFactory Session::FindTable(std::string_view name, ArrowArrayStream* once) {
  const py::gil_scoped_acquire gil;
  if (caller_of_thread == nullptr) return nullptr;
  const Caller& caller = *caller_of_thread;
  const ReadingSource reading(sources_);
  try {
    const py::object known = caller.tables->tables ? caller.tables->tables : py::none();
    const py::object frame = options_.enable_replacements && caller.frame != nullptr
                                 ? py::reinterpret_borrow<py::object>(caller.frame)
                                 : py::none();
    const py::object found = py::module_::import("scaup._inputs")
                                 .attr("find_table")(std::string(name), frame, options_.scan_all_frames,
                                                     known, caller.tables->is_description);
    if (found.is_none()) return nullptr;
    const py::object open = found[py::int_(0)];
    if (!found[py::int_(1)].cast<bool>()) return MakeFactory(open, sources_);
    OwnedStream stream = OpenStream(open(py::tuple()));
    *once = *stream;
    stream->release = nullptr;
    return nullptr;
  } catch (const py::error_already_set& error) {
    ThrowPythonError(error, *sources_);
  }
}

// Raises an error. The exception of a table becomes its cause. But an exception that asks the program to end,
// such as KeyboardInterrupt, is raised itself.
void Session::Raise(const Error& error, std::string_view sql) {
  py::object cause = sources_->Take();
  // A statement may also fail for another reason than the noted one.
  const bool is_syntax =
      cause && error.kind() == ErrorKind::kSyntax && py::isinstance(cause, py::handle(PyExc_SyntaxError));
  if (error.kind() != ErrorKind::kIo && !is_syntax) cause = py::object();
  if (cause && !py::isinstance(cause, py::handle(PyExc_Exception))) {
    PyErr_SetObject(py::type::handle_of(cause).ptr(), cause.ptr());
    throw py::error_already_set();
  }
  try {
    RaiseError(error, sql);
  } catch (py::error_already_set& raised) {
    if (cause) PyException_SetCause(raised.value().ptr(), cause.release().ptr());
    throw;
  }
}

void Session::Run(const std::function<void(Connection&)>& work, std::string_view sql,
                  const KnownTables& tables) {
  if (ReadingSource::IsReading(*sources_)) {
    RaiseInUse(
        "a statement of this connection reads a table of Python, whose code cannot run another one on the "
        "connection meanwhile: use connection.duplicate(), or run the query first");
  }
  std::exception_ptr failure;
  // The caller's frame is passed with the task, as the worker may bind the statement. It is not a member,
  // because other threads run statements of this session, too.
  const auto frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  const Caller caller{frame.ptr(), &tables};
  const std::function<void()> task = [&] {
    const Caller* const outer = std::exchange(caller_of_thread, &caller);
    try {
      // While the mutex is locked, no other thread can begin a query whose rows this statement would end. In
      // a child made by fork, the thread that has locked it may not exist.
      std::unique_lock<std::mutex> lock;
      if (!IsInherited()) {
        lock = std::unique_lock(statement_mutex_);
        lazy_rows_.ComputeAll();
      }
      work(connection_);
    } catch (...) {
      failure = std::current_exception();
    }
    caller_of_thread = outer;
  };
  // In a child made by fork, the library refuses all statements, and there is no worker thread.
  if (IsInherited() || worker_busy_ || !OnMainThread()) {
    const GilRelease release;
    task();
  } else {
    const uint64_t key = ShortStatements::KeyOf(sql);
    const auto begin = std::chrono::steady_clock::now();
    if (short_statements_.Contains(key) && SignalWatch::IsEnough()) {
      RunHere(task);
    } else {
      RunOnWorker(task);
    }
    short_statements_.Note(key, std::chrono::steady_clock::now() - begin < kMostWait);
  }
  if (failure == nullptr) {
    sources_->Take();  // A statement may succeed without reading the batch for which a table failed.
    return;
  }
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    Raise(error, sql);
  }
}

}  // namespace scaup::python
