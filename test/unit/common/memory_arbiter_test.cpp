// MemoryArbiter: consumers share the limit, the largest spills, nobody starves.
#include "common/memory/memory_arbiter.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "fake_consumer.hpp"
#include "scaup/error.hpp"

using namespace scaup;
using namespace scaup::test;

TEST_CASE("one consumer spills its own and goes on", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory);
  {
    FakeConsumer consumer(arbiter);
    CHECK(arbiter.consumer_count() == 1);
    for (int i = 0; i < 400; i++) consumer.Add(100'000);
    CHECK(consumer.spilled_bytes + consumer.rows.size_bytes() == 40'000'000);
    CHECK(consumer.spill_count >= 3);
    CHECK(consumer.spill_count <= 5);
    CHECK(memory.used_bytes() <= 10 * kMiB);
    // More than the limit is refused, and not waited for.
    CHECK_THROWS_AS(consumer.Add(11 * kMiB), Error);
  }
  CHECK(arbiter.consumer_count() == 0);
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("a part of the memory is kept for those that cannot spill", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, {}, 4);
  FakeConsumer first(arbiter), second(arbiter);
  for (int i = 0; i < 200; i++) {
    first.Add(100'000);
    second.Add(100'000);
    CHECK(arbiter.granted_bytes() <= 12 * kMiB);
  }
  CHECK(first.spill_count + second.spill_count >= 3);
  CHECK(memory.TryReserve(4 * kMiB));
  memory.Release(4 * kMiB);
}

TEST_CASE("some memory is free of consumers whatever else is in use", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, {}, 4);
  memory.Reserve(12 * kMiB);
  {
    FakeConsumer first(arbiter), second(arbiter);
    for (int i = 0; i < 200; i++) {
      first.Add(100'000);
      second.Add(100'000);
      REQUIRE(memory.TryReserve(kMiB / 2));
      memory.Release(kMiB / 2);
    }
    CHECK(first.spill_count + second.spill_count >= 3);
    // Where nothing else is left, a consumer gets that, too.
    first.Spill();
    second.Spill();
    first.Add(7 * kMiB / 2);
    CHECK(memory.free_bytes() < kMiB);
  }
  CHECK(memory.used_bytes() == 12 * kMiB);
  memory.Release(12 * kMiB);
}

TEST_CASE("who can do with less leaves what is kept, and is not refused by an error", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, {}, 4);
  memory.Reserve(12 * kMiB);
  {
    FakeConsumer consumer(arbiter);
    CHECK_FALSE(consumer.reservation.TryGrow(7 * kMiB / 2));
    CHECK_FALSE(consumer.reservation.TryGrow(17 * kMiB));
    CHECK(consumer.reservation.size_bytes() == 0);
    CHECK(consumer.reservation.TryGrow(2 * kMiB));
    CHECK(consumer.reservation.size_bytes() == 2 * kMiB);
  }
  CHECK(memory.used_bytes() == 12 * kMiB);
  memory.Release(12 * kMiB);
}

TEST_CASE("all is available but what is held for good", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, {}, 4);
  CHECK(arbiter.AvailableBytes() == 16 * kMiB);
  MemoryReservation table(memory);
  table.Resize(9 * kMiB);
  CHECK(arbiter.AvailableBytes() == 7 * kMiB);
  {
    FakeConsumer consumer(arbiter);
    consumer.Add(5 * kMiB);
    CHECK(arbiter.AvailableBytes() == 7 * kMiB);
  }
  memory.SetLimit(8 * kMiB);
  CHECK(arbiter.AvailableBytes() == 0);
}

TEST_CASE("the larger of two consumers of one thread is asked", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer large(arbiter), small(arbiter);
  large.Add(8 * kMiB);
  small.Add(kMiB);
  // Cannot wait for its own thread: spills the little it has, and the other is asked.
  CHECK(WithoutWaiting([&] { small.Add(2 * kMiB); }));
  CHECK(small.spill_count == 1);
  CHECK(large.reservation.spill_requested());
  large.Add(10);
  CHECK(large.spill_count == 1);
  CHECK_FALSE(large.reservation.spill_requested());
  small.Add(7 * kMiB);
  CHECK(small.spill_count == 1);
}

TEST_CASE("consumers of several threads share the limit", "[common][arbiter]") {
  for (const size_t thread_count : {1, 2, 4}) {
    MemoryTracker memory(16 * kMiB);
    MemoryArbiter arbiter(memory);
    std::vector<size_t> spilled(thread_count), added(thread_count);
    std::atomic<bool> exceeded = false;
    std::vector<std::thread> threads;
    for (size_t t = 0; t < thread_count; t++) {
      threads.emplace_back([&, t] {
        // As a join under an aggregate: two consumers of a thread, one growing more slowly.
        FakeConsumer join(arbiter), aggregate(arbiter);
        for (int i = 0; i < 600; i++) {
          join.Add(60'000);
          if (i % 4 == 0) aggregate.Add(40'000);
          if (memory.used_bytes() > 16 * kMiB) exceeded = true;
          if (i % 16 == 0) std::this_thread::yield();
        }
        added[t] = join.rows.size_bytes() + aggregate.rows.size_bytes();
        spilled[t] = join.spilled_bytes + aggregate.spilled_bytes;
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_FALSE(exceeded);
    for (size_t t = 0; t < thread_count; t++) CHECK(added[t] + spilled[t] == 600 * 60'000 + 150 * 40'000);
    CHECK(memory.used_bytes() == 0);
    CHECK(arbiter.waiting_count() == 0);
  }
}

TEST_CASE("a small consumer does not starve beside greedy ones", "[common][arbiter]") {
  MemoryTracker memory(8 * kMiB);
  MemoryArbiter arbiter(memory, {.with_own_milliseconds = 2000, .alone_milliseconds = 2000});
  std::atomic<bool> stop = false;
  std::vector<std::thread> greedy;
  for (int t = 0; t < 3; t++) {
    greedy.emplace_back([&] {
      FakeConsumer consumer(arbiter);
      while (!stop) {
        consumer.Add(200'000);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  }
  CHECK(Eventually([&] { return memory.used_bytes() > 6 * kMiB; }));
  size_t spills = 0;
  {
    FakeConsumer small(arbiter);
    small.reservation.SetFixed(SpillableReservation::kAll);  // So that it depends on the others.
    for (int i = 0; i < 30; i++) {
      small.Add(100'000);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    spills = small.spill_count;
    CHECK(small.rows.size_bytes() == 3'000'000);
  }
  stop = true;
  for (std::thread& thread : greedy) thread.join();
  CHECK(spills == 0);
  CHECK(memory.used_bytes() == 0);
}
