// Lazy rows: rows that are computed while they are read, and survive the connection's next statement.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arrow_stream.hpp"
#include "scaup/result.hpp"

namespace scaup::python {

class Session;

/// The remaining rows of a query as Arrow arrays. A session computes one query at a time. So before it begins
/// another one, LazyRowsOfSession computes the remaining rows of this one and materializes them in memory.
/// Owned by its reader; shares ownership of the session until the rows end. Thread-safe.
class LazyRows {
 public:
  /// REQUIRES: `rows` is a query of `session`.
  LazyRows(std::shared_ptr<Session> session, StreamingResult rows, const ArrowOptions& options);
  LazyRows(const LazyRows&) = delete;
  LazyRows& operator=(const LazyRows&) = delete;

  /// Computes and materializes the remaining rows. REQUIRES: the caller does not have the GIL, which tables
  /// of Python may need meanwhile.
  void ComputeRest();
  /// Returns a stream that owns `rows`. Its schema can be read once.
  static OwnedStream MakeStream(std::shared_ptr<LazyRows> rows);

 private:
  struct Reader;
  /// Returns the next array, which is released at the end; false after an error.
  bool Next(ArrowArray* out, std::string& error);
  /// Computes the next array by the query, like Next. REQUIRES: mutex_ is locked.
  bool Compute(ArrowArray* out);

  OwnedSchema type_;  // until the reader has it
  std::mutex mutex_;
  // The members below are guarded by mutex_.
  std::shared_ptr<Session> session_;  // null at the end
  OwnedStream query_;
  std::deque<std::unique_ptr<ArrowArray, ArrowReleaser>> computed_;
  std::string error_;
};

/// The lazy rows of one session. Thread-safe.
class LazyRowsOfSession {
 public:
  void Add(const std::shared_ptr<LazyRows>& rows);
  /// Materializes all lazy rows. Called before another statement of the session begins, without the GIL.
  void ComputeAll();

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<LazyRows>> open_;  // guarded by mutex_
};

}  // namespace scaup::python
