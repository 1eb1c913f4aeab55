// What functions may use of the database and the running query.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "vector/kernel_table.hpp"

namespace scaup {

class FileSystem;
class MemoryTracker;
class DatabaseListing;
class SequenceAccess;
struct Settings;
class TaskScheduler;
class TimeZone;
class Value;

/// Services that functions borrow while a query is bound or run. Everything is thread-safe.
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
  /// When the statement began, in microseconds since 1970-01-01 (UTC): what now() gives, the same for every
  /// row.
  int64_t now_micros = 0;
  /// The sequences that the statement sees; null where there are none.
  SequenceAccess* sequences = nullptr;
  /// That of the session; null: UTC.
  std::shared_ptr<const TimeZone> time_zone = nullptr;
  /// When the transaction began; 0: with the statement.
  int64_t transaction_micros = 0;
  /// Values of $1, $2, ... in a plan that was made for any values, in the types that it wants. Borrowed.
  std::span<const Value> parameters = {};

  /// Throws Error(kInterrupted) when the user asked to stop. Loops over data call it at least once per chunk.
  void CheckInterrupt() const;
  /// The session's time zone. Valid as long as the context.
  const TimeZone& Zone() const;
};

/// Data that a function remembers from binding: constants, formats, compiled patterns. Immutable, shared by
/// threads.
class FunctionData {
 public:
  virtual ~FunctionData() = default;
};

}  // namespace scaup
