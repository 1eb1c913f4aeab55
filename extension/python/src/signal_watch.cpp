// Signal watch: the thread that interrupts statements of Python's main thread.
#include "signal_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>

namespace py = pybind11;

namespace scaup::python {

namespace {

// Whether a watch lives, during which a signal handler may run other statements. Guarded by the GIL.
bool is_watching = false;

/// A thread that sleeps until Python's signal handler writes the number of a signal to a pipe. It is never
/// joined: it only acts while a watch lives, and then the interpreter lives, too.
class Watcher {
 public:
  /// Returns the watcher of this process. A child made by fork lacks its parent's threads, so it makes its
  /// own.
  static Watcher& Get() {
    static const int registered = pthread_atfork(nullptr, nullptr, [] {
      is_watching = false;
      if (Watcher* parents = current.exchange(nullptr)) parents->LeaveToParent();
    });
    static_cast<void>(registered);
    if (current.load() == nullptr) current.store(new Watcher);  // no race, thanks to the GIL
    return *current.load();
  }

  /// Returns whether Python's signal handler writes to our pipe. Checks that at most every 10 ms, since a
  /// check costs as much as a small statement.
  bool IsTold() {
    const auto now = std::chrono::steady_clock::now();
    if (now < ask_again_) return is_told_;
    static const py::object* const set_descriptor =
        new py::object(py::module_::import("signal").attr("set_wakeup_fd"));
    const int previous = (*set_descriptor)(write_end_, py::arg("warn_on_full_buffer") = false).cast<int>();
    is_told_ = previous == -1 || previous == write_end_ || previous == parents_write_end;
    if (!is_told_) (*set_descriptor)(previous);
    ask_again_ = now + std::chrono::milliseconds(10);
    return is_told_;
  }

  void Begin(Connection& connection) {
    std::lock_guard lock(mutex_);
    connection_ = &connection;
    watch_++;
  }

  void End() {
    std::lock_guard lock(mutex_);
    connection_ = nullptr;
    if (is_interrupting_) ended_.notify_all();
  }

  /// Drops signals that came for a statement which has ended.
  void Drain() {
    std::lock_guard lock(mutex_);
    unsigned char signal_number;
    while (read(read_end_, &signal_number, 1) == 1) continue;
  }

 private:
  Watcher() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe2");
    read_end_ = MoveUp(ends[0]);
    write_end_ = MoveUp(ends[1]);
    // The thread inherits a mask of all signals, so that they are delivered to other threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { Loop(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void Loop() {
    while (true) {
      pollfd wait{read_end_, POLLIN, 0};
      poll(&wait, 1, -1);
      std::unique_lock lock(mutex_);
      unsigned char signal_number = 0;
      if (read(read_end_, &signal_number, 1) != 1 || signal_number != SIGINT) continue;
      is_interrupting_ = true;
      // The next statement may run while this thread waits. The number of the watch tells the two apart.
      const uint64_t watch = watch_;
      while (connection_ != nullptr && watch_ == watch) {
        // The interrupt is repeated, because the library ignores one that comes before the statement has
        // begun.
        connection_->Interrupt();
        ended_.wait_for(lock, std::chrono::milliseconds(10));
      }
      is_interrupting_ = false;
    }
  }

  /// Detaches the pipe in a child made by fork. The child's signal handler still writes to the descriptor.
  /// That must reach neither the parent nor a file that gets the same number later. Calls only
  /// async-signal-safe functions.
  void LeaveToParent() const {
    close(read_end_);
    parents_write_end = write_end_;
    // Python demands a non-blocking descriptor. It is only duplicated, so it may have any number.
    const int nothing = open("/dev/null", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (nothing < 0) return;
    dup3(nothing, write_end_, O_CLOEXEC);
    close(nothing);
  }

  /// Moves a descriptor above 2, since 0 to 2 belong to the program even while they are closed.
  static int MoveUp(int descriptor) {
    if (descriptor > STDERR_FILENO) return descriptor;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(descriptor);
    if (moved == -1) throw std::system_error(error, std::generic_category(), "fcntl");
    return moved;
  }

  static inline std::atomic<Watcher*> current{nullptr};
  /// The descriptor to which Python's handler may still write in a child made by fork; otherwise -1.
  static inline std::atomic<int> parents_write_end{-1};

  int read_end_;
  int write_end_;
  std::mutex mutex_;
  std::condition_variable ended_;
  Connection* connection_ = nullptr;  // guarded by mutex_, as are the next two
  uint64_t watch_ = 0;                // number of the present watch
  bool is_interrupting_ = false;
  bool is_told_ = false;  // guarded by the GIL, as is the next
  std::chrono::steady_clock::time_point ask_again_{};
};

}  // namespace

SignalWatch::SignalWatch(Connection& connection) {
  Watcher::Get().Begin(connection);
  is_watching = true;
}

SignalWatch::~SignalWatch() {
  is_watching = false;
  Watcher::Get().End();
}

bool SignalWatch::IsEnough() {
  if (is_watching) return false;
  // The objects are never freed, since the interpreter may end before this library does. The module is
  // _signal, because getsignal of signal converts its result to an enum, which takes 3 us.
  static const py::module_* const signals = new py::module_(py::module_::import("_signal"));
  static const py::object* const get_handler = new py::object(signals->attr("getsignal"));
  static const py::object* const number = new py::int_(SIGINT);
  static const py::object* const raises = new py::object(signals->attr("default_int_handler"));
  static const py::object* const ends = new py::object(signals->attr("SIG_DFL"));
  static const py::object* const ignored = new py::object(signals->attr("SIG_IGN"));
  const auto handler =
      py::reinterpret_steal<py::object>(PyObject_CallOneArg(get_handler->ptr(), number->ptr()));
  if (!handler) throw py::error_already_set();
  const bool is_simple = handler.is(*raises) || handler.is(*ends) || handler.is(*ignored);
  return is_simple && Watcher::Get().IsTold();
}

void SignalWatch::RaiseSignals() {
  if (PyErr_CheckSignals() == 0) return;
  py::error_already_set raised;
  Watcher::Get().Drain();
  throw raised;
}

}  // namespace scaup::python
