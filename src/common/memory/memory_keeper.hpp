// Memory keepers: they know who can spill, for those that cannot.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Has others release memory while a thread that needs little of it waits. Thread-safe. Comes after all locks
/// but the tracker's and those of reclaimers.
class MemoryKeeper {
 public:
  virtual ~MemoryKeeper() = default;

  /// The hope of a thread that waits for memory.
  enum class Hope : uint8_t {
    kNone = 0,  ///< All who have some wait themselves.
    kWork = 1,  ///< Others have some that they cannot spill, but they are at work and will free it.
    kSpill = 2  ///< Others have been asked to spill, and can.
  };
  /// Asks others to spill for all that wait, and says what the calling thread may hope for.
  virtual Hope AskOthers() = 0;

  /// As long as it lives its thread waits for `size_bytes`: nobody waits for that thread to spill.
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
