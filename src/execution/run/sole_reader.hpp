// Sole reader: the one task that reads what only one at a time can.
#pragma once

#include <atomic>

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Lets the task that comes first read all, whoever else comes: below a union several tasks may, and find no
/// rows. If they took turns instead, those that wait could hold memory that the one at work waits for.
/// Part of a shared state. Thread-safe.
class SoleReader {
 public:
  /// Whether the task with this state is the one.
  bool IsTask(const LocalState& local) {
    const LocalState* reader = nullptr;
    return reader_.compare_exchange_strong(reader, &local) || reader == &local;
  }

 private:
  std::atomic<const LocalState*> reader_{nullptr};
};

}  // namespace scaup
