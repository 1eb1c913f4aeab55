// Decides whether a commit group should wait for more commits before it is written to the log.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Learns from past groups how long a log write takes, and how soon the committing threads return with their
/// next commit. If they usually return well before a write would have ended, the next group waits for them,
/// so that one write serves all threads. Without the wait, half of the threads would wait while the log
/// writes for the other half.
/// Times are nanoseconds of one steady clock. Not thread-safe.
class CommitPace {
 public:
  /// Notes that the log wrote a group of `commit_count` commits in `write_time`, and that their threads go
  /// on.
  void Wrote(size_t commit_count, int64_t write_time, int64_t now);
  /// Notes that a commit has come. Returns true if all threads of the last group are now back.
  bool Arrived(int64_t now);
  /// The time until which to wait for threads that are not back; lies in the past if waiting does not pay.
  int64_t WaitsUntil() const;

 private:
  void NoteReturn(int64_t time);

  int64_t write_time_ = 0;   // exponential average; recent writes count more
  int64_t return_time_ = 0;  // exponential average, too
  int64_t last_write_ = 0;
  size_t away_count_ = 0;  // threads of the last group that have not committed again
};

}  // namespace scaup
