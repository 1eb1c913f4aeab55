// Consumers of the arbiter's memory for its tests, and how these wait.
#pragma once

#include <chrono>
#include <thread>

#include "common/memory/memory_arbiter.hpp"
#include "scaup/error.hpp"

namespace scaup::test {

inline constexpr size_t kMiB = size_t{1} << 20;
inline const std::atomic<bool> kNotCancelled = false;

// So long that one who waits to the end is told from a machine that was busy.
inline constexpr ArbiterPatience kLongPatience = {
    .with_own_milliseconds = 120'000, .alone_milliseconds = 120'000, .work_milliseconds = 120'000};

// Whether the work was done without waiting to the end of kLongPatience.
template <typename Work>
bool WithoutWaiting(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::steady_clock::now() - begin <
         std::chrono::milliseconds(kLongPatience.with_own_milliseconds);
}

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 60'000 && !condition(); i++) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

// An operator that keeps rows in memory and counts what it would have written away.
class FakeConsumer {
 public:
  explicit FakeConsumer(MemoryArbiter& arbiter, const std::atomic<bool>& cancelled = kNotCancelled)
      : reservation(arbiter, cancelled), rows(reservation.account()) {}

  void Add(size_t size_bytes) {
    if (reservation.spill_requested()) Spill();
    while (reservation.Grow(size_bytes) == GrowResult::kSpillFirst) Spill();
    rows.Resize(rows.size_bytes() + size_bytes);
  }
  // Whether there was memory.
  bool TryAdd(size_t size_bytes) {
    try {
      Add(size_bytes);
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  void Spill() {
    spilled_bytes += rows.size_bytes();
    spill_count++;
    rows.Reset();
    reservation.GiveBack();
  }

  SpillableReservation reservation;
  MemoryReservation rows;
  size_t spilled_bytes = 0;
  size_t spill_count = 0;
};

}  // namespace scaup::test
