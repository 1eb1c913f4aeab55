// Sole reader: chooses the one task that reads from a source that only one task at a time can read.
#pragma once

#include <atomic>

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// Lets the first task that asks read all rows; every other task finds no rows. Several tasks may ask below a
/// union. If the tasks took turns instead, a waiting task could hold memory that the reading task needs. Part
/// of a shared state. Thread-safe.
class SoleReader {
 public:
  /// Returns whether the task with this state is the reader.
  bool IsTask(const LocalState& local) {
    const LocalState* reader = nullptr;
    return reader_.compare_exchange_strong(reader, &local) || reader == &local;
  }

 private:
  std::atomic<const LocalState*> reader_{nullptr};
};

}  // namespace scaup
