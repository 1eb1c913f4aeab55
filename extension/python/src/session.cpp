// Interruptible queries: a worker thread runs them while the main thread looks for signals.
#include "session.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "errors.hpp"

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

bool Worker::WaitMilliseconds(int milliseconds) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                  [this] { return !state_->busy; });
}

namespace {

// Only Python's main thread is told of signals.
bool OnMainThread() {
  py::module_ threading = py::module_::import("threading");
  return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

// A signal handler in Python may run anything, even a query on this connection: worker_busy_ sends that one
// around the worker.
void Session::RunOnWorker(const std::function<void()>& task) {
  if (worker_ == nullptr) worker_ = std::make_unique<Worker>();
  worker_busy_ = true;
  worker_->Start(task);
  std::optional<py::error_already_set> raised;
  while (true) {
    bool done = false;
    {
      py::gil_scoped_release release;
      done = worker_->WaitMilliseconds(50);
    }
    if (done) break;
    if (!raised && PyErr_CheckSignals() != 0) raised.emplace();
    // Again and again: an interrupt that comes before the statement began is forgotten by the library.
    if (raised) connection_.Interrupt();
  }
  worker_busy_ = false;
  if (raised) throw std::move(*raised);
}

void Session::Run(const std::function<void(Connection&)>& work, std::string_view sql) {
  std::exception_ptr failure;
  const std::function<void()> task = [&] {
    try {
      work(connection_);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  if (!worker_busy_ && OnMainThread()) {
    RunOnWorker(task);
  } else {
    py::gil_scoped_release release;
    task();
  }
  if (failure == nullptr) return;
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    RaiseError(error, sql);
  }
}

}  // namespace scaup::python
