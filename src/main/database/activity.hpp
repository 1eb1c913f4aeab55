// Whether anybody works with a database.
#pragma once

#include <atomic>
#include <cstdint>

namespace scaup {

/// Counts statements that are at work, and knows when the last one was. Thread-safe.
class Activity {
 public:
  /// A statement at work, from its making to its end.
  class Mark {
   public:
    explicit Mark(Activity& activity) : activity_(activity) { activity_.at_work_.fetch_add(1); }
    ~Mark() {
      activity_.last_.store(Now());
      activity_.at_work_.fetch_sub(1);
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Activity& activity_;
  };

  /// Milliseconds since some moment.
  static int64_t Now();
  /// Whether nobody has been at work for so long.
  bool IsIdleFor(int64_t milliseconds) const {
    return at_work_.load() == 0 && Now() - last_.load() >= milliseconds;
  }

 private:
  std::atomic<uint32_t> at_work_{0};
  std::atomic<int64_t> last_{0};
};

}  // namespace scaup
