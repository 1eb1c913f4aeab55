// The services of the database and the running query that functions may use.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

namespace scaup {

class DatabaseListing;
class FileSystem;
class KernelTable;
class MemoryTracker;
class SequenceAccess;
class SettingAccess;
struct Settings;
class TaskScheduler;
class TimeZone;
class Value;

/// Returns the time of the steady clock, in microseconds since some past moment.
int64_t SteadyMicros();

/// The queries that functions of the program run within the statement that calls them. Thread-safe.
class InnerQueries {
 public:
  virtual ~InnerQueries() = default;
  /// Whether they may change rows: the statement around them, and that around it, touch no tables.
  std::atomic<bool> may_change{true};
};

/// Services that functions borrow while a query is bound or executed. All are thread-safe.
struct FunctionContext {
  FileSystem& files;
  MemoryTracker& memory;
  TaskScheduler& scheduler;
  const Settings& settings;
  const KernelTable& kernels;
  /// Set when the user interrupts the query.
  const std::atomic<bool>& interrupted;
  /// The part of the catalog that the statement sees, for functions that list it.
  const DatabaseListing& listing;
  /// The start of the statement, in microseconds since 1970-01-01 UTC: the result of now(), the same for
  /// every row.
  int64_t now_micros = 0;
  /// The sequences that the statement sees; null if there are none.
  SequenceAccess* sequences = nullptr;
  /// The session's time zone; null means UTC.
  std::shared_ptr<const TimeZone> time_zone = nullptr;
  /// The start of the transaction; 0 means the start of the statement.
  int64_t transaction_micros = 0;
  /// The values of $1, $2, ... for a generic plan, cast to the types that it needs. Borrowed.
  std::span<const Value> parameters = {};
  /// The position of random() in the sequence that setseed() has begun in the session; 0 before setseed().
  /// Null where there is no session.
  std::atomic<uint64_t>* random_position = nullptr;
  /// The settings that the statement may change; null where there is no session.
  SettingAccess* setting_access = nullptr;
  /// The queries that functions of the program can run within the statement; null where they can run none.
  InnerQueries* inner = nullptr;
  /// When the statement must have ended, in microseconds of the steady clock; 0: no such time.
  int64_t deadline_micros = 0;

  /// Throws Error(kInterrupted) if the user has interrupted the query, or its time is over. Loops over data
  /// call it at least once per chunk.
  void CheckInterrupt() const;
  /// Returns the same services, but for what is listed.
  FunctionContext With(const DatabaseListing& other) const;
  /// The session's time zone. Valid as long as the context.
  const TimeZone& Zone() const;
};

/// Data computed when a function is bound: constants, formats, compiled patterns. Immutable, shared by
/// threads.
class FunctionData {
 public:
  virtual ~FunctionData() = default;
  /// Whether calls of one function with this data and with the other one's, and with equal arguments, are the
  /// same. Data that follows from the arguments need not be compared.
  virtual bool IsSame(const FunctionData&) const { return true; }
};

}  // namespace scaup
