// The interface by which code that cannot spill has others release memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Asks consumers to spill for a thread that cannot spill and needs little memory. Thread-safe. In the lock
/// order it comes after all locks but the tracker's and the reclaimers'.
class MemoryKeeper {
 public:
  virtual ~MemoryKeeper() = default;

  /// The hope of a waiting thread, which decides how long it waits.
  enum class Hope : uint8_t {
    kNone = 0,  ///< all threads that hold memory wait themselves
    kWork = 1,  ///< others cannot spill, but are at work and will free memory
    kSpill = 2  ///< others were asked to spill, and can
  };
  /// Asks consumers to spill for all waiting threads, and returns what the calling thread may hope for.
  virtual Hope AskOthers() = 0;

  /// Registers the thread as waiting for `size_bytes` for the lifetime of the object. No other thread then
  /// waits for it to spill.
  class Waiting {
   public:
    Waiting(MemoryKeeper& keeper, size_t size_bytes) : keeper_(keeper), size_bytes_(size_bytes) {
      keeper_.BeginWaiting(size_bytes_);
    }
    ~Waiting() { keeper_.EndWaiting(size_bytes_); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    MemoryKeeper& keeper_;
    const size_t size_bytes_;
  };

 protected:
  virtual void BeginWaiting(size_t size_bytes) = 0;
  virtual void EndWaiting(size_t size_bytes) noexcept = 0;
};

}  // namespace scaup
