// The background thread that reads blocks before a query needs them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A bounded queue of requests, and the thread that serves them. The first request starts the thread.
/// Thread-safe. Owned by the buffer manager. The destructor waits for one block read at most.
class ReadAhead {
 public:
  /// Requests beyond this many are dropped.
  static constexpr size_t kMaxRequests = 256;

  /// The thread calls `read` for each request and ignores its exceptions: a query that needs the block will
  /// meet the same error.
  explicit ReadAhead(std::function<void(const BlockPointer&)> read);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Adds requests. Never fails; drops those that it cannot take.
  void Request(std::span<const BlockPointer> pointers) noexcept;
  /// Drops all waiting requests and ends the thread; later requests are dropped.
  void Stop() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
