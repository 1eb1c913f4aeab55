// Calling statement: the statement that calls a function of the program, which the function may query in.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scaup/export.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The statement that calls the function, aggregate or table function whose body the current thread runs.
class SCAUP_API CallingStatement {
 public:
  /// Runs a query within the statement: in its transaction and snapshot, in which it sees the changes that
  /// the transaction has made. What it reads counts as read by the transaction. Queries of several threads
  /// wait for each other. REQUIRES: the values match the parameters $1, $2, ...
  ///
  /// INSERT, UPDATE, DELETE and MERGE are possible if the function is declared to have effects (VOLATILE) and
  /// the statement that calls it reads no tables; they are undone alone if they fail. All other statements
  /// are refused with Error(kNotSupported, 0A000), changes that are not possible with Error(kTransaction,
  /// 25006). Functions that these queries call may query again, 16 deep; then this throws Error(54001).
  /// Errors have no position. Throws Error(kUsage, 55000) if the thread runs no body.
  static QueryResult Query(std::string_view sql, std::span<const Value> parameters = {});
  /// Returns when the statement must have ended, by the setting statement_timeout, in microseconds of
  /// std::chrono::steady_clock; 0 if it may run as long as it takes, or if the thread runs no body. The
  /// engine notices that the time is over when the body returns. A body that runs long can look at it now and
  /// then, and throw an Error with SQLSTATE 57014.
  static int64_t DeadlineMicros();
};

}  // namespace scaup
