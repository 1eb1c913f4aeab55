// The background thread that reads blocks before a query asks for them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A bounded queue of wishes and the one thread that serves them, started by the first. Thread-safe. Owned by
/// the buffer manager; its destructor waits for one block at most.
class ReadAhead {
 public:
  /// More wishes than this are dropped.
  static constexpr size_t kMaxRequests = 256;

  /// `read` is called by the thread; what it throws is ignored, as whoever wants the block will meet the
  /// same.
  explicit ReadAhead(std::function<void(const BlockPointer&)> read);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Never fails: what cannot be done is dropped.
  void Request(std::span<const BlockPointer> pointers) noexcept;
  /// Drops what waits and ends the thread; later requests are dropped.
  void Stop() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scaup
