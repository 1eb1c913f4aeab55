// Keeps the documents of collections attribute by attribute, when nobody else is at work.
#pragma once

#include <functional>
#include <memory>

#include "common/lock/mutex.hpp"
#include "storage/table/table.hpp"

namespace scaup {

class DatabaseInstance;

/// Materializes documents of a database in a file (Sinew, SIGMOD 2014, section 3.1.3). Each step writes one
/// row group anew and exchanges it for the old one. Queries have the same answer before, during and after it,
/// and an interruption, even a crash, loses nothing but that step. Thread-safe. Its thread is made when there
/// is something to do for the first time.
class DocumentMaterializer {
 public:
  /// The database must outlive it.
  explicit DocumentMaterializer(DatabaseInstance& database);
  /// Waits for the step that is being done.
  ~DocumentMaterializer();

  /// Says that there may be something to do. Looks for it at times only, so that every commit can call it.
  void Notify() noexcept;
  /// One step, now, of whichever collection has something to do. False: nothing to do.
  bool Step();
  /// Does all there is for a collection, now. `check_interrupt` may throw between two steps.
  void Run(Table& table, const std::function<void()>& check_interrupt);

 private:
  struct Worker;
  void Work() noexcept;
  std::shared_ptr<Table> FindWork() const;

  DatabaseInstance& database_;
  Mutex step_mutex_;  // Held during a step.
  std::unique_ptr<Worker> worker_;
};

}  // namespace scaup
