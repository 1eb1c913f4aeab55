// How the tasks of an operator share out what it gives: each a run of pieces that follow one another, so that
// who keeps them, as a table does, can keep them together.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scaup {

/// The numbers [next, end) that a task has been given and has not done yet.
struct Turn {
  size_t next = 0;
  size_t end = 0;
};

/// Hands out the numbers of pieces in their order. Turns are long while there is much left, and short at the
/// end, so that all tasks end together. Any number of tasks.
class TurnCounter {
 public:
  /// The task's next number below `count`; `count` where there is none left.
  size_t Next(Turn& turn, size_t count) {
    constexpr size_t kMost = 128;  // As many vectors as a row group has.
    if (turn.next == turn.end && !Take(turn, count, 1, kMost)) return count;
    return turn.next++;
  }
  /// Makes `turn` the next numbers below `count`, `least` to `most` of them; false where there is none left.
  bool Take(Turn& turn, size_t count, size_t least, size_t most) {
    constexpr size_t kTurnsLeft = 8;
    size_t begin = next_.load(std::memory_order_relaxed), end = 0;
    do {
      if (begin >= count) return false;
      end = std::min(count, begin + std::clamp((count - begin) / kTurnsLeft, least, most));
    } while (!next_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    turn = {begin, end};
    return true;
  }

 private:
  std::atomic<size_t> next_{0};
};

/// Numbers of batches whose order means nothing: a task gets some that follow one another.
class BatchCounter {
 public:
  uint64_t Next(Turn& turn) {
    constexpr size_t kBatchesOfTurn = 128;
    if (turn.next == turn.end) {
      turn.next = next_.fetch_add(kBatchesOfTurn, std::memory_order_relaxed);
      turn.end = turn.next + kBatchesOfTurn;
    }
    return turn.next++;
  }

 private:
  std::atomic<size_t> next_{0};
};

}  // namespace scaup
