// When a group of commits should wait for more before it is written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Learns from the groups before how long a write of the log takes, and how soon threads come with their next
/// commit after one. Where they are back well before a write would have ended, waiting for them lets one
/// write do what would otherwise take two: half of the threads would always wait while the log writes for the
/// other half. Times are nanoseconds of one steady clock. Not thread-safe.
class CommitPace {
 public:
  /// The log has taken a group of so many commits, in `write_time`, and their threads go on.
  void Wrote(size_t commit_count, int64_t write_time, int64_t now);
  /// A commit has come. True: with it all are back who took part in the last write.
  bool Arrived(int64_t now);
  /// Until when to wait for those who are not back; in the past where it is not worth it.
  int64_t WaitsUntil() const;

 private:
  void NoteReturn(int64_t time);

  int64_t write_time_ = 0;   // An average in which recent ones count more,
  int64_t return_time_ = 0;  // as this is.
  int64_t last_write_ = 0;
  size_t away_count_ = 0;  // Of the last group, how many have not come again.
};

}  // namespace scaup
