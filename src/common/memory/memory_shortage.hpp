// Simulates that memory is short at random points, for tests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scaup {

/// Decides by a seed at which requests memory seems to be short. Belongs to a MemoryTracker. Thread-safe;
/// with one thread the same requests give the same points.
class MemoryShortage {
 public:
  /// Begins anew; 0 ends it. `limit_bytes`: the limit of the tracker.
  void Begin(uint64_t seed, size_t limit_bytes) noexcept;
  bool is_on() const { return seed_.load() != 0; }
  /// Whether it was ever on.
  bool was_on() const { return was_on_.load(); }
  /// The limit of the tracker that is on.
  size_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  void SetLimit(size_t limit_bytes) noexcept { limit_bytes_.store(limit_bytes, std::memory_order_relaxed); }

  /// Whether memory seems to be short at this moment. Every call is another moment.
  bool Comes() noexcept;
  /// `size_bytes`, or a part of them if memory seems to be short at this moment.
  size_t Shrunk(size_t size_bytes) noexcept;

 private:
  std::atomic<uint64_t> seed_{0}, moment_{0};
  std::atomic<size_t> limit_bytes_{0};
  std::atomic<bool> was_on_{false};
};

}  // namespace scaup
