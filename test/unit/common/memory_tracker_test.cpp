// MemoryTracker and MemoryReservation: the limit holds, and what is reserved comes back.
#include "common/memory_tracker.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "scaup/error.hpp"

using namespace scaup;

TEST_CASE("the tracker refuses what passes the limit", "[common][memory]") {
  MemoryTracker tracker(100);
  tracker.Reserve(60);
  CHECK_THROWS_AS(tracker.Reserve(41), Error);
  CHECK_THROWS_AS(tracker.Reserve(SIZE_MAX), Error);
  CHECK(tracker.used_bytes() == 60);
  tracker.Reserve(40);
  tracker.SetLimit(50);
  CHECK_THROWS_AS(tracker.Reserve(1), Error);
  tracker.Release(100);
  CHECK(tracker.used_bytes() == 0);
}

TEST_CASE("a reservation follows its size, moves, and ends with its owner", "[common][memory]") {
  MemoryTracker tracker(100);
  {
    MemoryReservation a(tracker);
    a.Resize(70);
    CHECK(tracker.used_bytes() == 70);
    CHECK_THROWS_AS(a.Resize(101), Error);
    CHECK(a.size_bytes() == 70);
    a.Resize(30);
    CHECK(tracker.used_bytes() == 30);
    MemoryReservation b(std::move(a));
    CHECK(b.size_bytes() == 30);
    MemoryReservation c(tracker);
    c.Resize(5);
    c = std::move(b);
    CHECK(tracker.used_bytes() == 30);
  }
  CHECK(tracker.used_bytes() == 0);
}

TEST_CASE("threads never pass the limit together", "[common][memory]") {
  MemoryTracker tracker(1000);
  std::vector<std::thread> threads;
  std::atomic<bool> exceeded = false;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; i++) {
        try {
          tracker.Reserve(300);
          if (tracker.used_bytes() > 1000) exceeded = true;
          tracker.Release(300);
        } catch (const Error&) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_FALSE(exceeded);
  CHECK(tracker.used_bytes() == 0);
}
