// Rewrites row groups of documents in idle time.
#include "main/database/document_materializer.hpp"

#include <chrono>

#include "common/blocked_signals.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/worker_thread.hpp"
#include "document/shredding_policy.hpp"
#include "main/database/database_instance.hpp"
#include "storage/compression/compression.hpp"
#include "storage/table/table_shredding.hpp"

namespace scaup {

namespace {

/// The least time between two searches for work. A search reads the whole catalog, so commits must not cause
/// one each.
constexpr int64_t kMillisecondsBetweenLooks = 100;
/// No statement has run for this long. A program that runs statement after statement leaves shorter gaps, and
/// a step in a gap would delay its next statement.
constexpr int64_t kIdleMilliseconds = 50;

}  // namespace

/// The thread and its state. Owned by the materializer.
struct DocumentMaterializer::Worker {
  Mutex mutex;
  ConditionVariable changed;
  WorkerThread thread SCAUP_GUARDED_BY(mutex);
  bool has_work SCAUP_GUARDED_BY(mutex) = false;
  bool is_stopping SCAUP_GUARDED_BY(mutex) = false;
  int64_t looked_at SCAUP_GUARDED_BY(mutex) = 0;
};

DocumentMaterializer::DocumentMaterializer(DatabaseInstance& database)
    : database_(database), worker_(std::make_unique<Worker>()) {}

DocumentMaterializer::~DocumentMaterializer() {
  {
    const MutexLock lock(worker_->mutex);
    worker_->is_stopping = true;
  }
  worker_->changed.NotifyAll();
  if (worker_->thread.joinable()) worker_->thread.join();
}

std::shared_ptr<Table> DocumentMaterializer::FindWork() const {
  const ShreddingPolicy policy = ShreddingPolicy::Of(database_.settings().Current());
  const ReadTransaction transaction(database_.transactions());
  for (const auto& schema : database_.catalog().Schemas(*transaction)) {
    for (const auto& table : database_.catalog().List<TableEntry>(*transaction, *schema)) {
      if (table->is_collection() && CountUnlike(*table->storage, policy) != 0) return table->storage;
    }
  }
  return nullptr;
}

void DocumentMaterializer::Notify() noexcept {
  try {
    Worker& worker = *worker_;
    {
      const MutexLock lock(worker.mutex);
      const int64_t now = Activity::Now();
      if (worker.has_work || worker.is_stopping || now - worker.looked_at < kMillisecondsBetweenLooks) return;
      // The time is noted before the search, so that only one of several committing threads searches.
      worker.looked_at = now;
    }
    // The search runs without the mutex: it may take long in a large catalog, and commits call this.
    if (!database_.settings().Current().document_materializer || !FindWork()) return;
    const MutexLock lock(worker.mutex);
    if (worker.is_stopping) return;
    worker.has_work = true;
    // Most databases have no collections, so the thread is started only once there is work. It blocks all
    // signals, which belong to the program's own threads.
    if (!worker.thread.joinable()) {
      const BlockedSignals blocked;
      worker.thread = WorkerThread([this] { Work(); });
    }
    worker.changed.NotifyAll();
  } catch (const std::exception&) {
    // No memory, no thread, or an unreadable row group. The commit has succeeded, and a query that reads the
    // row group will report it.
  }
}

bool DocumentMaterializer::Step() {
  const MutexLock lock(step_mutex_);
  const Settings settings = database_.settings().Current();
  // The table is searched for again in each step: since the last one, it may have been dropped.
  const auto table = FindWork();
  return table && ShredNext(*table, database_.transactions(), ShreddingPolicy::Of(settings),
                            settings.force_compression);
}

void DocumentMaterializer::Work() noexcept {
  Worker& worker = *worker_;
  MutexLock lock(worker.mutex);
  while (true) {
    while (!worker.has_work && !worker.is_stopping) worker.changed.Wait(worker.mutex);
    if (worker.is_stopping) return;
    // The thread first waits for the idle time, then tests whether it was idle. If not, it waits again.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kIdleMilliseconds);
    while (!worker.is_stopping && worker.changed.WaitUntil(worker.mutex, until)) continue;
    if (worker.is_stopping) return;
    if (!database_.activity().IsIdleFor(kIdleMilliseconds)) continue;
    bool has_done = false;
    {
      const MutexUnlock unlocked(worker.mutex);
      try {
        has_done = database_.settings().Current().document_materializer && Step();
      } catch (const std::exception&) {
        // No memory or no space on disk. Everything is as it was. The thread then waits for the next commit,
        // so that it does not fail again and again.
      }
    }
    worker.has_work = has_done;
  }
}

void DocumentMaterializer::Run(Table& table, const std::function<void()>& check_interrupt) {
  while (true) {
    check_interrupt();
    // The mutex is released between steps, so that the destructor's thread and other callers get their turn.
    // The settings are read in each step, as SET may change the policy meanwhile.
    const MutexLock lock(step_mutex_);
    const Settings settings = database_.settings().Current();
    if (!ShredNext(table, database_.transactions(), ShreddingPolicy::Of(settings),
                   settings.force_compression))
      return;
  }
}

}  // namespace scaup
