// Memory use: what one operator takes of the memory limit and of temporary storage.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scaup {

/// Counts what an operator was granted, what it has taken of that, and what it has spilled. Thread-safe; the
/// counters may be read while the operator is at work. `owner` and `transaction` are set before it begins.
class MemoryUse {
 public:
  void NoteGranted(size_t size_bytes) { Raise(granted_, size_bytes); }
  void Add(size_t size_bytes) {
    Raise(peak_, used_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes);
  }
  void Remove(size_t size_bytes) { used_.fetch_sub(size_bytes, std::memory_order_relaxed); }
  void AddSpilled(size_t size_bytes) { spilled_.fetch_add(size_bytes, std::memory_order_relaxed); }

  /// The bytes of the largest grant when it was opened.
  size_t granted_bytes() const { return granted_.load(std::memory_order_relaxed); }
  size_t used_bytes() const { return used_.load(std::memory_order_relaxed); }
  size_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }
  /// The bytes written to temporary storage, however often.
  size_t spilled_bytes() const { return spilled_.load(std::memory_order_relaxed); }

  const std::string* owner = nullptr;  ///< name of the operator; null while it is not known
  uint64_t transaction = 0;

 private:
  static void Raise(std::atomic<size_t>& most, size_t value) {
    size_t old = most.load(std::memory_order_relaxed);
    while (old < value && !most.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
    }
  }

  std::atomic<size_t> granted_{0};
  std::atomic<size_t> used_{0};
  std::atomic<size_t> peak_{0};
  std::atomic<size_t> spilled_{0};
};

}  // namespace scaup
