// Histories: what concurrent transactions did and were told, and how they are made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "histories/reference_system.hpp"
#include "histories/tested_sessions.hpp"

namespace scaup::test {

struct Step {
  Operation operation;
  Outcome outcome;
};

/// One transaction. Times are of one counter for the whole history: of when calls began and had returned.
struct TransactionRecord {
  size_t session = 0;
  bool read_only = false;
  bool committed = false;
  std::vector<Step> steps;
  uint64_t begin_called = 0;
  uint64_t snapshot_taken = 0;  ///< when its first statement had returned
  uint64_t commit_called = 0;
  uint64_t commit_returned = 0;
};

struct History {
  Level level = Level::kSerializable;
  std::vector<TransactionRecord> transactions;
  std::vector<std::string> final_rows;  ///< by table
  /// What the tested system did differently from the reference, if it ran beside; empty for nothing.
  std::string fault;
  size_t needless_refusals = 0;  ///< COMMITs refused though no outcome would have changed
};

struct HistoryOptions {
  Level level = Level::kSerializable;
  size_t session_count = 4;
  size_t action_count = 80;    ///< of all sessions together
  int64_t row_count = 10;      ///< at the beginning, in each table
  bool has_many_rows = false;  ///< they are put in at once, with their numbers as keys
  bool compares_each = true;   ///< with the reference, where sessions take turns; stops at the first fault
  OperationOptions operations;
};

/// The same seed and options give the same actions, as long as the system answers the same.
/// Sessions take turns on this thread; each answer is compared with the reference's.
History RunInterleaved(TestedSystem& system, const HistoryOptions& options, uint64_t seed);
/// A thread for each session.
History RunThreads(TestedSystem& system, const HistoryOptions& options, uint64_t seed);

/// What both tables contain.
std::vector<std::string> ReadTables(TestedSystem& system);

/// All of a history, for a failure's report.
std::string ToString(const History& history);

}  // namespace scaup::test
