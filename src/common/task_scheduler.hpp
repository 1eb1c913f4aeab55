// Runs the tasks of pipelines on a fixed set of worker threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace scaup {

/// The worker threads of one database. Thread-safe. With one thread there is no worker at all:
/// everything runs on the calling thread.
class TaskScheduler {
 public:
  explicit TaskScheduler(size_t thread_count);
  ~TaskScheduler();
  TaskScheduler(const TaskScheduler&) = delete;
  TaskScheduler& operator=(const TaskScheduler&) = delete;

  /// Threads that can work at once, the caller's included; at least 1.
  size_t thread_count() const;
  /// Changes the number of threads; waits until running tasks end.
  void SetThreadCount(size_t thread_count);

  /// Runs task(0) .. task(task_count - 1), some of them on the calling thread, and returns when all have
  /// ended. Rethrows the first exception of a task; tasks that have not begun are then skipped. Batches of
  /// several callers share the workers in turn. May be called from inside a task.
  void RunAll(size_t task_count, const std::function<void(size_t)>& task);

  /// Pauses a worker for some milliseconds if more threads are at work than allowed because there are several
  /// callers. Long tasks call it at least every fraction of a millisecond. Thus each caller has a processor,
  /// and a short query does not wait behind a long one's workers. A worker does not pause if its caller only
  /// waits for it; callers never pause.
  void GiveWay() {
    if (is_crowded_.load(std::memory_order_relaxed)) Pause();
  }

 private:
  struct Impl;
  void Pause();

  std::atomic<bool> is_crowded_{false};
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
