// Permission to exceed the memory limit, for work that frees memory.
#pragma once

#include <cstddef>

namespace scaup {

class MemoryTracker;

/// Lets the current thread reserve up to `size_bytes` beyond the limit of a tracker (not of a sub-account)
/// for the lifetime of the object. A checkpoint needs this: it frees what commits retain in memory, so it
/// must not fail because they retain so much. Belongs to the thread that made it; the innermost one counts.
class MemoryAdvance {
 public:
  MemoryAdvance(const MemoryTracker& tracker, size_t size_bytes) noexcept;
  ~MemoryAdvance();
  MemoryAdvance(const MemoryAdvance&) = delete;
  MemoryAdvance& operator=(const MemoryAdvance&) = delete;

  /// The bytes by which the calling thread may exceed the limit of `tracker`.
  static size_t OfThread(const MemoryTracker& tracker) noexcept;

 private:
  const MemoryTracker& tracker_;
  const size_t size_bytes_;
  const MemoryAdvance* const outer_;
};

}  // namespace scaup
