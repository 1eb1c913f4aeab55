// Counts the sessions of a database and the statements that run on it, and tells whether it is idle.
#pragma once

#include <atomic>
#include <cstdint>

namespace scaup {

/// Numbers sessions, counts running statements and notes when the last one ended. Owned by the database.
/// Thread-safe.
class Activity {
 public:
  /// Marks a statement as running for the lifetime of the object. Used by one thread. The Activity must
  /// outlive it.
  class Mark {
   public:
    explicit Mark(Activity& activity) : activity_(activity) { activity_.at_work_.fetch_add(1); }
    ~Mark() {
      // The time is stored before the count falls. In the other order IsIdleFor could see no running
      // statement and an old time.
      activity_.last_.store(Now());
      activity_.at_work_.fetch_sub(1);
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Activity& activity_;
  };

  /// Returns the number of a new session, from 1.
  int32_t NewSessionNumber() { return last_session_.fetch_add(1) + 1; }
  /// Returns the milliseconds since an arbitrary moment, by a clock that never goes back.
  static int64_t Now();
  /// Returns whether no statement runs, and none has run during the last `milliseconds`.
  bool IsIdleFor(int64_t milliseconds) const {
    return at_work_.load() == 0 && Now() - last_.load() >= milliseconds;
  }

 private:
  std::atomic<uint32_t> at_work_{0};
  std::atomic<int64_t> last_{0};
  std::atomic<int32_t> last_session_{0};
};

}  // namespace scaup
