// Undisturbed runs, crashes at a call, and calls that fail.
#include "simulation/simulation_checks.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/check_failure.hpp"

namespace scaup::test {

namespace {

/// How far a run came.
struct Progress {
  size_t acknowledged = 0;
  bool in_flight = false;
  bool has_crashed = false;
};

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Closes a database: its destructor must not let any exception out.
void Close(std::unique_ptr<TestedDatabase>& database) { database.reset(); }

/// A transaction that began some statements ago, and sees what was there then.
class HeldSnapshot {
 public:
  void Take(TestedDatabase& database, size_t state) {
    session_ = database.OpenSession();
    state_ = state;
    if (session_) session_->Execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
  }
  void Drop() { session_.reset(); }
  /// Throws CheckFailure where it sees anything else.
  void Release(const Workload& workload) {
    if (!session_) return;
    const std::string difference = Difference(workload.states[state_], ReadDatabase(*session_));
    if (!difference.empty())
      throw CheckFailure{fmt::format("a transaction begun after {} statements: {}", state_, difference)};
    session_->Execute("ROLLBACK");
    session_.reset();
  }

 private:
  std::unique_ptr<TestedDatabase> session_;
  size_t state_ = 0;
};

/// Opens, executes statements from `first` up to `end`, and closes; ends early at a crash. Older transactions
/// look on, so that versions of rows pile up.
Progress Run(const OpenDatabase& open, SimulatedFileSystem& files, const Workload& workload, size_t first,
             size_t end) {
  Progress progress{first, false, false};
  std::unique_ptr<TestedDatabase> database;
  HeldSnapshot held;
  try {
    database = open(files);
    while (progress.acknowledged < end) {
      if (progress.acknowledged % 8 == 1) held.Take(*database, progress.acknowledged);
      progress.in_flight = true;
      ExecuteStatement(*database, workload, progress.acknowledged);
      progress.in_flight = false;
      progress.acknowledged++;
    }
  } catch (const SimulatedCrash&) {
  } catch (const Error& error) {
    // Threads that were stopped by a crash may make others fail with anything.
    if (!files.is_down()) {
      const std::string statement =
          progress.in_flight ? workload.statements[progress.acknowledged] : "opening";
      throw CheckFailure{
          fmt::format("<{}> fails with {}: {}", statement.substr(0, 500), error.sqlstate(), error.message())};
    }
  }
  held.Drop();
  Close(database);
  progress.has_crashed = files.is_down();
  return progress;
}

void ArmCrash(SimulatedFileSystem& files, std::mt19937_64& random, uint64_t within_calls) {
  files.FailAt(files.call_count() + 1 + random() % within_calls,
               random() % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside);
}

/// What no query shows: indexes fit the rows.
void RequireIntegrity(TestedDatabase& database) {
  const QueryResult problems = database.Execute("SELECT * FROM pragma_integrity_check()");
  for (size_t row = 0; row < problems.row_count(); row++) {
    if (problems.GetString(0, row) == "ok") continue;
    throw CheckFailure{"integrity check: " + std::string(problems.GetString(0, row))};
  }
}

/// Opens again after a crash, with more crashes on the way at times, and finds which state is there.
size_t Recover(const OpenDatabase& open, SimulatedFileSystem& files, const Workload& workload, size_t first,
               size_t last, std::mt19937_64& random) {
  files.ClearFaults();
  for (int attempt = 0;; attempt++) {
    const bool may_crash = attempt < 3;
    if (may_crash && random() % 3 == 0) ArmCrash(files, random, 40);
    std::unique_ptr<TestedDatabase> database;
    try {
      database = open(files);
      const DatabaseModel found = ReadDatabase(*database);
      files.ClearFaults();
      // What was found once must be found again, if closing crashes.
      first = last = RequireState(*database, found, workload, first, last);
      RequireIntegrity(*database);
      if (may_crash && random() % 4 == 0) ArmCrash(files, random, 15);
    } catch (const SimulatedCrash&) {
      if (!files.is_down()) throw;
    } catch (const Error& error) {
      if (!files.is_down()) {
        throw CheckFailure{fmt::format("after the crash: {}: {}", error.sqlstate(), error.message())};
      }
    }
    Close(database);
    files.ClearFaults();
    if (!files.is_down()) return first;
    files.Crash(random());
  }
}

// Goes on with some more statements from a state, closes, and compares.
void GoOn(const OpenDatabase& open, SimulatedFileSystem& files, const Workload& workload, size_t state) {
  const size_t end = std::min(state + 3, workload.statements.size());
  Run(open, files, workload, state, end);
  auto database = open(files);
  RequireState(*database, workload, end);
}

const char* FaultName(FaultKind kind) {
  switch (kind) {
    case FaultKind::kError: return "error";
    case FaultKind::kPartialError: return "partial error";
    case FaultKind::kDiskFull: return "full disk";
    case FaultKind::kSyncLost: return "lost sync";
    case FaultKind::kSyncLies: return "lying sync";
    case FaultKind::kCrash: return "crash";
    case FaultKind::kCrashInside: return "crash inside";
    case FaultKind::kKill: return "kill";
    case FaultKind::kKillInside: return "kill inside";
  }
  return "?";
}

void RequireIoError(const Error& error, const std::string& statement) {
  const std::string state = error.sqlstate();
  if (error.kind() == ErrorKind::kIo && (state == sqlstate::kIoError || state == sqlstate::kDiskFull)) return;
  throw CheckFailure{fmt::format("<{}> fails with {}: {}", statement.substr(0, 300), state, error.message())};
}

/// Executes everything; a statement that fails must fail well, change nothing, and succeed once there is
/// space, perhaps after a crash. Ends with a crash or a clean close.
void RunWithFaults(const OpenDatabase& open, SimulatedFileSystem& files, const Workload& workload,
                   uint64_t seed) {
  std::mt19937_64 random(seed);
  std::unique_ptr<TestedDatabase> database;
  const auto retry = [&](const std::string& what, const std::function<void()>& action) {
    bool has_failed = false;
    try {
      action();
    } catch (const Error& error) {
      RequireIoError(error, what);
      has_failed = true;
    }
    if (!has_failed) return false;
    files.FreeSpace();
    return true;
  };
  if (retry("opening", [&] { database = open(files); })) database = open(files);
  for (size_t i = 0; i < workload.statements.size(); i++) {
    const std::string& statement = workload.statements[i];
    if (!retry(statement, [&] { ExecuteStatement(*database, workload, i); })) continue;
    RequireState(*database, workload, i);
    if (random() % 2 == 0) {  // What failed must not come back.
      files.Crash(random());
      Close(database);
      Recover(open, files, workload, i, i, random);
      database = open(files);
    }
    ExecuteStatement(*database, workload, i);
  }
  const size_t end = workload.statements.size();
  // A fault may be waiting still, and strike while we look.
  files.ClearFaults();
  files.FreeSpace();
  RequireState(*database, workload, end);
  if (random() % 2 == 0) files.Crash(random());
  Close(database);
  Recover(open, files, workload, end, end, random);
}

}  // namespace

static std::string StateDifference(TestedDatabase& database, const DatabaseModel& found,
                                   const DatabaseModel& expected) {
  const std::string difference = Difference(expected, found);
  if (!difference.empty()) return difference;
  const std::string schema = MissingSchema(expected, database);
  return schema.empty() ? "" : "schema " + schema + " is missing";
}

size_t RequireState(TestedDatabase& database, const DatabaseModel& found, const Workload& workload,
                    size_t first, size_t last) {
  std::string differences;
  for (size_t state = last + 1; state-- > first;) {
    const std::string difference = StateDifference(database, found, workload.states[state]);
    if (difference.empty()) return state;
    differences += fmt::format("\n  not the state after {} statements: {}", state, difference);
    if (state != 0) differences += fmt::format(" (<{}>)", workload.statements[state - 1].substr(0, 300));
  }
  throw CheckFailure{"the database contains what it should not:" + differences};
}

void RequireState(TestedDatabase& database, const Workload& workload, size_t state) {
  RequireState(database, ReadDatabase(database), workload, state, state);
  RequireIntegrity(database);
}

std::string Checked(const SimulatedFileSystem& files, const std::string& what,
                    const std::function<void()>& check) {
  std::string message;
  try {
    check();
    return "";
  } catch (const CheckFailure& failure) {
    message = failure.message;
  } catch (const SimulatedCrash&) {
    message = "an I/O call of a process that has ended";
  } catch (const Error& error) {
    message = fmt::format("error {}: {}", error.sqlstate(), error.message());
  } catch (const std::exception& error) {
    message = fmt::format("exception: {}", error.what());
  }
  return fmt::format("{}: {}\nlast calls:\n{}", what, message, files.DescribeLastCalls());
}

SeedRange SeedsFromEnvironment(uint64_t usual) {
  const uint64_t first = FromEnvironment("SCAUP_SIMULATION_FIRST_SEED", 1);
  return {first, first + FromEnvironment("SCAUP_SIMULATION_SEEDS", usual)};
}

std::string CheckUndisturbed(const OpenDatabase& open, const Workload& workload, bool reopens) {
  SimulatedFileSystem files;
  return Checked(files, "undisturbed", [&] {
    auto database = open(files);
    HeldSnapshot held;
    for (size_t i = 0; i < workload.statements.size(); i++) {
      if (i % 4 == 1) held.Take(*database, i);
      try {
        ExecuteStatement(*database, workload, i);
      } catch (const Error& error) {
        throw CheckFailure{fmt::format("<{}> fails with {}: {}", workload.statements[i].substr(0, 1000),
                                       error.sqlstate(), error.message())};
      }
      RequireState(*database, workload, i + 1);
      if (i % 4 == 3) held.Release(workload);
    }
    held.Release(workload);
    Close(database);
    if (reopens) {
      database = open(files);
      RequireState(*database, workload, workload.statements.size());
    }
  });
}

uint64_t CountCalls(const OpenDatabase& open, const Workload& workload) {
  SimulatedFileSystem files;
  Run(open, files, workload, 0, workload.statements.size());
  return files.call_count();
}

std::string CheckCrash(const OpenDatabase& open, const Workload& workload, uint64_t seed, uint64_t call,
                       FaultKind fault) {
  SimulatedFileSystem files;
  return Checked(files, fmt::format("seed {}, {} at call {}", seed, FaultName(fault), call), [&] {
    std::mt19937_64 random(seed * 1'000'003 + call);
    files.FailAt(call, fault);
    const Progress progress = Run(open, files, workload, 0, workload.statements.size());
    if (!progress.has_crashed) {
      files.ClearFaults();
    } else if (random() % 4 == 0) {
      files.Kill();
    } else {
      files.Crash(random());
    }
    const size_t last = progress.acknowledged + (progress.in_flight ? 1 : 0);
    GoOn(open, files, workload, Recover(open, files, workload, progress.acknowledged, last, random));
  });
}

std::string CheckFault(const OpenDatabase& open, const Workload& workload, uint64_t seed, uint64_t call,
                       FaultKind fault) {
  SimulatedFileSystem files;
  return Checked(files, fmt::format("seed {}, {} at call {}", seed, FaultName(fault), call), [&] {
    files.FailAt(call, fault);
    RunWithFaults(open, files, workload, seed);
  });
}

std::string CheckFullDisk(const OpenDatabase& open, const Workload& workload, uint64_t seed,
                          uint64_t capacity) {
  SimulatedFileSystem files;
  return Checked(files, fmt::format("seed {}, disk of {} bytes", seed, capacity), [&] {
    files.SetCapacity(capacity);
    RunWithFaults(open, files, workload, seed);
  });
}

}  // namespace scaup::test
