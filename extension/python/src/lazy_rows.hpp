// Rows of a query that is computed while they are read, without ending at the connection's next statement.
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

/// The rest of a query's rows as arrays. A session computes one query at a time: before it begins another
/// one, LazyRowsOfSession lets this one be computed to its end, into memory. Held by its reader; keeps the
/// session alive until the rows have ended. Thread-safe.
class LazyRows {
 public:
  /// REQUIRES: `rows` is a query of `session`.
  LazyRows(std::shared_ptr<Session> session, StreamingResult rows, const ArrowOptions& options);
  LazyRows(const LazyRows&) = delete;
  LazyRows& operator=(const LazyRows&) = delete;

  /// Needs no GIL, as tables of Python may need it meanwhile.
  void ComputeRest();
  /// A stream that holds `rows`, whose type can be asked for once.
  static OwnedStream MakeStream(std::shared_ptr<LazyRows> rows);

 private:
  struct Reader;
  /// The next array, without `release` behind the last; false where an error ends them.
  bool Next(ArrowArray* out, std::string& error);
  /// The same from the query. With mutex_ held.
  bool Compute(ArrowArray* out);

  OwnedSchema type_;  // until the reader asks for it
  std::mutex mutex_;
  // All guarded by mutex_.
  std::shared_ptr<Session> session_;  // null at the end
  OwnedStream query_;
  std::deque<std::unique_ptr<ArrowArray, ArrowReleaser>> computed_;
  std::string error_;
};

/// The lazy rows of one session. Thread-safe.
class LazyRowsOfSession {
 public:
  void Add(const std::shared_ptr<LazyRows>& rows);
  /// To be called before another statement of the session begins. Needs no GIL.
  void ComputeAll();

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<LazyRows>> open_;  // guarded by mutex_
};

}  // namespace scaup::python
