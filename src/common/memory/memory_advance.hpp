// Memory beyond the limit, for what must be done so that memory becomes free again.
#pragma once

#include <cstddef>

namespace scaup {

class MemoryTracker;

/// As long as it lives, its thread may reserve up to `size_bytes` beyond the limit of a tracker (not of a
/// sub-account) where it would be refused otherwise: a checkpoint, which frees what commits keep in memory,
/// must not fail because they keep so much. Belongs to the thread that made it; the latest of several counts.
class MemoryAdvance {
 public:
  MemoryAdvance(const MemoryTracker& tracker, size_t size_bytes) noexcept;
  ~MemoryAdvance();
  MemoryAdvance(const MemoryAdvance&) = delete;
  MemoryAdvance& operator=(const MemoryAdvance&) = delete;

  /// How far the calling thread may exceed the limit of `tracker`.
  static size_t OfThread(const MemoryTracker& tracker) noexcept;

 private:
  const MemoryTracker& tracker_;
  const size_t size_bytes_;
  const MemoryAdvance* const outer_;
};

}  // namespace scaup
