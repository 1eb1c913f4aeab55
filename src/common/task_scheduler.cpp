// Worker threads that take tasks from the open batches in turn, while each caller works on its own batch.
#include "common/task_scheduler.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "common/blocked_signals.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// One RunAll. Lives on its caller's stack; every member is guarded by the scheduler's mutex.
struct Batch {
  const std::function<void(size_t)>& task;
  size_t task_count;
  size_t next_task = 0;
  size_t tasks_at_workers = 0;
  std::exception_ptr error = nullptr;
  std::condition_variable workers_done = {};
};

thread_local const void* worker_of = nullptr;  // The scheduler whose worker this thread is.

}  // namespace

struct TaskScheduler::Impl {
  mutable std::mutex mutex;
  std::condition_variable work_available;
  std::vector<Batch*> open_batches;  // Those with tasks not yet begun; the first is served next.
  bool stopping = false;
  size_t thread_count = 1;
  std::mutex resize_mutex;  // Held while workers are started or stopped.
  std::vector<std::thread> workers;

  ~Impl() { StopWorkers(); }

  void StartWorkers(size_t count) {
    const BlockedSignals blocked;
    try {
      workers.reserve(count);
      for (size_t i = 0; i < count; i++) workers.emplace_back([this] { Work(); });
    } catch (const std::system_error& error) {
      const size_t started = workers.size();
      StopWorkers();
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kProgramLimitExceeded,
                 "could not start more than " + std::to_string(started) + " worker threads (" + error.what() +
                     "); lower the setting threads");
    }
    const std::lock_guard lock(mutex);
    thread_count = count + 1;
  }

  void StopWorkers() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
      thread_count = 1;
    }
    work_available.notify_all();
    for (std::thread& worker : workers) worker.join();
    workers.clear();
    const std::lock_guard lock(mutex);
    stopping = false;
  }

  // Runs one task without the lock. After an error the tasks of the batch that have not begun are dropped.
  void RunTask(std::unique_lock<std::mutex>& lock, Batch& batch, size_t index) {
    std::exception_ptr error;
    lock.unlock();
    try {
      batch.task(index);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error == nullptr) return;
    if (batch.error == nullptr) batch.error = std::move(error);
    if (batch.next_task < batch.task_count) {
      batch.next_task = batch.task_count;
      std::erase(open_batches, &batch);
    }
  }

  void Work() {
    worker_of = this;
    std::unique_lock lock(mutex);
    while (true) {
      work_available.wait(lock, [this] { return stopping || !open_batches.empty(); });
      if (stopping) return;
      Batch& batch = *open_batches.front();
      const size_t index = batch.next_task++;
      if (batch.next_task < batch.task_count) {
        std::rotate(open_batches.begin(), open_batches.begin() + 1,
                    open_batches.end());  // Others come first now.
      } else {
        open_batches.erase(open_batches.begin());
      }
      batch.tasks_at_workers++;
      RunTask(lock, batch, index);
      // Told under the lock: once it is free the caller may return, and the batch is gone.
      if (--batch.tasks_at_workers == 0) batch.workers_done.notify_one();
    }
  }

  void RunBatch(Batch& batch) {
    std::unique_lock lock(mutex);
    open_batches.push_back(&batch);
    if (batch.task_count > 2) {
      work_available.notify_all();
    } else {
      work_available.notify_one();
    }
    while (batch.next_task < batch.task_count) {
      const size_t index = batch.next_task++;
      if (batch.next_task == batch.task_count) std::erase(open_batches, &batch);
      RunTask(lock, batch, index);
    }
    batch.workers_done.wait(lock, [&] { return batch.tasks_at_workers == 0; });
    lock.unlock();
    if (batch.error != nullptr) std::rethrow_exception(batch.error);
  }
};

TaskScheduler::TaskScheduler(size_t thread_count) : impl_(std::make_unique<Impl>()) {
  SetThreadCount(thread_count);
}

TaskScheduler::~TaskScheduler() = default;

size_t TaskScheduler::thread_count() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->thread_count;
}

void TaskScheduler::SetThreadCount(size_t thread_count) {
  if (thread_count == 0) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "the number of threads must be at least 1");
  }
  if (worker_of == impl_.get()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "the number of threads cannot be changed from inside a running task");
  }
  const std::lock_guard resize_lock(impl_->resize_mutex);
  if (impl_->workers.size() + 1 == thread_count) return;
  impl_->StopWorkers();
  if (thread_count > 1) impl_->StartWorkers(thread_count - 1);
}

void TaskScheduler::RunAll(size_t task_count, const std::function<void(size_t)>& task) {
  if (task_count <= 1 || thread_count() == 1) {
    for (size_t i = 0; i < task_count; i++) task(i);
    return;
  }
  Batch batch{task, task_count};
  impl_->RunBatch(batch);
}

}  // namespace scaup
