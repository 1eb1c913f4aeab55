// Lazy result: the rows of a query as a stream of Arrow arrays, computed while they are read.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "connection.hpp"
#include "edge.hpp"
#include "owned.hpp"
#include "scaup/result.hpp"

namespace scaup::adbc {

/// The rows behind an Arrow stream. Shared by the stream and, weakly, by its connection and statement. A
/// session computes one query at a time, so before it begins another one, it lets the remaining rows of this
/// one be materialized. Thread-safe; the stream is read by one thread at a time.
class LazyResult {
 public:
  /// Rows that a session computes. The result keeps the connection open until they end.
  LazyResult(std::shared_ptr<ConnectionState> connection, StreamingResult rows, const ArrowOptions& options);
  /// Rows that are in memory. Results without rows, such as those of INSERT, become a table without columns.
  LazyResult(std::vector<ResultColumn> columns, std::string time_zone, std::deque<QueryResult> rows,
             const ArrowOptions& options);

  /// Materializes the remaining rows. An error is that of the next read.
  void Materialize();
  /// Ends the result: the next read fails, and the query with it. Returns false if it had ended before. Does
  /// not wait.
  bool Cancel();
  /// Ends the result because its statement is executed anew, unless all of its rows were read.
  void Invalidate();

  /// Initializes `out` as the stream of a result.
  static void Publish(std::shared_ptr<LazyResult> result, ArrowArrayStream* out);
  /// Returns the error of a stream of this driver, and its status; null if it has none, or is of another one.
  static const AdbcError* ErrorOf(ArrowArrayStream* stream, AdbcStatusCode* status);

 private:
  struct Reader;
  /// Returns the next array, which is released at the end. Throws the errors of the query.
  void Next(ArrowArray* out);
  /// Makes the next rows the source of the next arrays. Returns false at the end.
  bool NextRows();
  void End();

  const std::vector<ResultColumn> columns_;
  const std::string time_zone_;
  const ArrowOptions options_;
  std::atomic<bool> has_ended_{false};
  std::atomic<bool> is_cancelled_{false};
  std::atomic<ConnectionState*> fetching_{nullptr};
  std::mutex mutex_;
  // The members below are guarded by mutex_.
  std::shared_ptr<ConnectionState> connection_;  // null once the query has ended
  std::optional<StreamingResult> query_;         // destroyed before the connection
  std::deque<QueryResult> rows_;
  OwnedStream arrays_;  // of the rows that were taken last
  std::optional<Error> error_;
  std::mutex cancel_mutex_;  // held while `fetching_` is changed or used
};

}  // namespace scaup::adbc
