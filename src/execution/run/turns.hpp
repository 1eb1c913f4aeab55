// // Counters that hand out work to an operator's tasks as runs of consecutive numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scaup {

/// A range [next, end) of numbers that a task has been given and has not yet processed.
struct Turn {
  size_t next = 0;
  size_t end = 0;
};

/// Hands out consecutive numbers in ascending order to any number of tasks. A turn is long while much work is
/// left and short towards the end, so that all tasks end at about the same time. A task gets consecutive
/// numbers so that a sink that stores the rows, such as a table, can place them next to each other.
class TurnCounter {
 public:
  /// Returns the task's next number below `count`, or `count` if none is left.
  size_t Next(Turn& turn, size_t count) {
    constexpr size_t kMost = 128;  // The number of vectors in a row group.
    if (turn.next == turn.end && !Take(turn, count, 1, kMost)) return count;
    return turn.next++;
  }
  /// Assigns the next `least` to `most` numbers below `count` to `turn`. Returns false if none is left.
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

/// Hands out batch numbers whose order has no meaning. Each task gets a run of consecutive numbers.
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
