// Rewrites row groups of documents in idle time, so that frequent attributes have columns of their own.
#pragma once

#include <functional>
#include <memory>

#include "common/lock/mutex.hpp"
#include "storage/table/table.hpp"

namespace scaup {

class DatabaseInstance;

/// Materializes documents of a database in a file (Sinew, SIGMOD 2014, section 3.1.3). Each step rewrites one
/// row group and exchanges it for the old one. Queries have the same answers before, during and after a step,
/// and an interruption or a crash loses at most that step. Owned by the database. Thread-safe. Its thread is
/// started when there is work for the first time.
class DocumentMaterializer {
 public:
  /// The database must outlive it.
  explicit DocumentMaterializer(DatabaseInstance& database);
  /// Waits for the end of a running step.
  ~DocumentMaterializer();

  /// Notifies the thread that there may be work. Called after every commit, so it searches for work only now
  /// and then.
  void Notify() noexcept;
  /// Does one step now, for any collection that needs it. Returns false if there is nothing to do. Throws
  /// Error(kIo) and Error(kOutOfMemory).
  bool Step();
  /// Does all steps for a collection now. `check_interrupt` is called between two steps and may throw.
  void Run(Table& table, const std::function<void()>& check_interrupt);

 private:
  struct Worker;
  void Work() noexcept;
  std::shared_ptr<Table> FindWork() const;

  DatabaseInstance& database_;
  Mutex step_mutex_;  // held during a step
  std::unique_ptr<Worker> worker_;
};

}  // namespace scaup
