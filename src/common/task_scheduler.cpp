// Worker threads that take tasks from the open batches in turn, while each caller works on its own batch.
#include "common/task_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <vector>

#include "common/blocked_signals.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "common/worker_thread.hpp"

namespace scaup {

namespace {

using Clock = std::chrono::steady_clock;

// The time for which a worker pauses for callers. Not longer, because another thread may wait for the worker
// to spill. Not shorter, because a client that runs short queries back to back returns soon.
constexpr std::chrono::milliseconds kPause{5};

// One call of RunAll. Lives on its caller's stack; the scheduler's mutex guards every member, which the
// analysis cannot know.
struct Batch {
  const std::function<void(size_t)>& task;
  size_t task_count;
  const RunningCall* const call = RunningCall::Innermost();  // what the caller works for
  size_t next_task = 0;
  size_t tasks_at_workers = 0;
  bool caller_waits = false;  // for tasks that workers run
  std::exception_ptr error = nullptr;
  ConditionVariable workers_done = {};
};

thread_local const void* worker_of = nullptr;      // the scheduler whose worker this thread is
thread_local const Batch* worker_batch = nullptr;  // the batch of that worker's current task
thread_local const void* caller_of = nullptr;      // the scheduler that counts this thread as a caller

}  // namespace

struct TaskScheduler::Impl {
  mutable Mutex mutex;
  ConditionVariable work_available;
  // Batches with tasks not yet begun; the first is served next.
  std::vector<Batch*> open_batches SCAUP_GUARDED_BY(mutex);
  bool stopping SCAUP_GUARDED_BY(mutex) = false;
  size_t thread_count SCAUP_GUARDED_BY(mutex) = 1;
  Mutex resize_mutex;  // held while workers are started or stopped
  std::vector<WorkerThread> workers SCAUP_GUARDED_BY(resize_mutex);
  std::atomic<bool> has_workers{false};

  // The threads at work: callers that do not wait, and workers that do not pause.
  size_t caller_count SCAUP_GUARDED_BY(mutex) = 0;
  size_t worker_count SCAUP_GUARDED_BY(mutex) = 0;
  std::atomic<bool>& is_crowded;                           // more threads at work than thread_count
  Clock::time_point last_crowd SCAUP_GUARDED_BY(mutex){};  // the last time when that was so
  ConditionVariable caller_waits;

  explicit Impl(std::atomic<bool>& crowded) : is_crowded(crowded) {}
  ~Impl() { StopWorkers(); }

  // Call it whenever a count has changed.
  void NoteCrowd() SCAUP_REQUIRES_LOCK(mutex) {
    const bool crowded = caller_count + worker_count > thread_count;
    is_crowded.store(crowded, std::memory_order_relaxed);
    if (crowded) last_crowd = Clock::now();
  }
  // No worker begins a task without a free slot: with as many callers as threads, each caller works alone.
  bool HasRoomForWorker() const SCAUP_REQUIRES_LOCK(mutex) {
    return caller_count + worker_count < thread_count;
  }

  // Counts this thread as a caller, once however deeply batches are nested.
  class Caller {
   public:
    explicit Caller(Impl& impl) : impl_(impl), before_(caller_of), is_counted_(!impl.IsCounted()) {
      if (!is_counted_) return;
      caller_of = &impl_;
      const MutexLock lock(impl_.mutex);
      impl_.caller_count++;
      impl_.NoteCrowd();
    }
    ~Caller() {
      if (!is_counted_) return;
      caller_of = before_;
      const MutexLock lock(impl_.mutex);
      impl_.caller_count--;
      impl_.NoteCrowd();
      if (!impl_.open_batches.empty()) impl_.work_available.NotifyOne();
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

   private:
    Impl& impl_;
    const void* const before_;
    const bool is_counted_;
  };
  size_t ThreadCount() const {
    const MutexLock lock(mutex);
    return thread_count;
  }
  bool IsCounted() const { return worker_of == this || caller_of == this; }

  // Starts the workers at the first batch, so that a database without parallel work has no threads. If
  // another thread is starting or stopping them, the caller begins alone.
  void StartWorkers() {
    if (has_workers.load(std::memory_order_acquire) || worker_of == this) return;
    if (!resize_mutex.TryLock()) return;
    const MutexLock resize_lock(resize_mutex, std::adopt_lock);
    if (has_workers.load(std::memory_order_acquire)) return;
    const size_t count = ThreadCount() - 1;
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
    has_workers.store(true, std::memory_order_release);
  }

  // Stops all workers. The destructor needs no lock.
  void StopWorkers() SCAUP_REQUIRES_LOCK(resize_mutex) {
    has_workers.store(false, std::memory_order_release);
    {
      const MutexLock lock(mutex);
      stopping = true;
    }
    work_available.NotifyAll();
    for (WorkerThread& worker : workers) worker.join();
    workers.clear();
    const MutexLock lock(mutex);
    stopping = false;
  }

  // Runs one task with the mutex released. After an error, the tasks of the batch that have not begun are
  // dropped.
  void RunTask(Batch& batch, size_t index) SCAUP_REQUIRES_LOCK(mutex) {
    std::exception_ptr error;
    {
      const MutexUnlock unlocked(mutex);
      const InheritedCall inherited(batch.call);
      try {
        batch.task(index);
      } catch (...) {
        error = std::current_exception();
      }
    }
    if (error == nullptr) return;
    if (batch.error == nullptr) batch.error = std::move(error);
    if (batch.next_task < batch.task_count) {
      batch.next_task = batch.task_count;
      std::erase(open_batches, &batch);
    }
  }

  void Work() {
    worker_of = this;
    MutexLock lock(mutex);
    while (true) {
      while (!stopping && (open_batches.empty() || !HasRoomForWorker())) work_available.Wait(mutex);
      if (stopping) return;
      // After a crowd the workers stay away for a moment: the callers' next tasks find free processors.
      if (Clock::now() < last_crowd + kPause) {
        const Clock::time_point until = last_crowd + kPause;
        while (!stopping && work_available.WaitUntil(mutex, until)) continue;
        continue;
      }
      Batch& batch = *open_batches.front();
      const size_t index = batch.next_task++;
      if (batch.next_task < batch.task_count) {
        std::rotate(open_batches.begin(), open_batches.begin() + 1,
                    open_batches.end());  // The other batches are served next.
      } else {
        open_batches.erase(open_batches.begin());
      }
      batch.tasks_at_workers++;
      worker_count++;
      worker_batch = &batch;
      RunTask(batch, index);
      worker_count--;
      NoteCrowd();
      // Notified under the lock: once it is released, the caller may return and the batch is gone.
      if (--batch.tasks_at_workers == 0) batch.workers_done.NotifyOne();
    }
  }

  // Waits for the batch's tasks at workers. The caller's slot is free for a worker meanwhile.
  void WaitForWorkers(Batch& batch) SCAUP_REQUIRES_LOCK(mutex) {
    size_t& count = worker_of == this ? worker_count : caller_count;
    count--;
    NoteCrowd();
    batch.caller_waits = true;
    caller_waits.NotifyAll();
    if (!open_batches.empty()) work_available.NotifyOne();
    while (batch.tasks_at_workers != 0) batch.workers_done.Wait(mutex);
    count++;
    NoteCrowd();
  }

  void Pause() {
    if (worker_of != this) return;
    MutexLock lock(mutex);
    if (stopping || caller_count + worker_count <= thread_count || worker_batch->caller_waits) return;
    worker_count--;
    NoteCrowd();
    const Clock::time_point until = Clock::now() + kPause;
    while (!worker_batch->caller_waits && caller_waits.WaitUntil(mutex, until)) continue;
    worker_count++;
    NoteCrowd();
  }

  void RunBatch(Batch& batch) {
    ReleasableMutexLock lock(mutex);
    open_batches.push_back(&batch);
    // The caller runs tasks itself, so two tasks need only one worker.
    if (batch.task_count > 2) {
      work_available.NotifyAll();
    } else {
      work_available.NotifyOne();
    }
    // The caller takes only its own tasks; it never runs another caller's, which could take longer.
    while (batch.next_task < batch.task_count) {
      const size_t index = batch.next_task++;
      if (batch.next_task == batch.task_count) std::erase(open_batches, &batch);
      RunTask(batch, index);
    }
    if (batch.tasks_at_workers != 0) WaitForWorkers(batch);
    lock.Unlock();
    if (batch.error != nullptr) std::rethrow_exception(batch.error);
  }
};

TaskScheduler::TaskScheduler(size_t thread_count) : impl_(std::make_unique<Impl>(is_crowded_)) {
  SetThreadCount(thread_count);
}

TaskScheduler::~TaskScheduler() = default;

size_t TaskScheduler::thread_count() const { return impl_->ThreadCount(); }

void TaskScheduler::SetThreadCount(size_t thread_count) {
  if (thread_count == 0) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "the number of threads must be at least 1");
  }
  if (worker_of == impl_.get()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "the number of threads cannot be changed from inside a running task");
  }
  const MutexLock resize_lock(impl_->resize_mutex);
  if (impl_->ThreadCount() == thread_count) return;
  impl_->StopWorkers();
  const MutexLock lock(impl_->mutex);
  impl_->thread_count = thread_count;
}

void TaskScheduler::RunAll(size_t task_count, const std::function<void(size_t)>& task) {
  if (thread_count() == 1) {
    for (size_t i = 0; i < task_count; i++) task(i);
    return;
  }
  const Impl::Caller caller(*impl_);
  if (task_count == 1) return task(0);
  if (task_count == 0) return;
  impl_->StartWorkers();
  Batch batch{task, task_count};
  impl_->RunBatch(batch);
}

void TaskScheduler::Pause() { impl_->Pause(); }

}  // namespace scaup
