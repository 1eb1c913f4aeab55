// MemoryArbiter: who waits for whom, and that all waiting ends.
#include "common/memory/memory_arbiter.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "fake_consumer.hpp"
#include "scaup/error.hpp"

using namespace scaup;
using namespace scaup::test;

TEST_CASE("who can do with less waits for others to spill all the same", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer modest(arbiter);
  std::atomic<bool> has_rows = false, is_done = false;
  std::thread other([&] {
    FakeConsumer large(arbiter);
    large.Add(8 * kMiB);
    has_rows = true;
    while (!is_done) {
      if (large.reservation.spill_requested()) large.Spill();
      std::this_thread::yield();
    }
  });
  REQUIRE(Eventually([&] { return has_rows.load(); }));
  CHECK(WithoutWaiting([&] { CHECK(modest.reservation.TryGrow(5 * kMiB)); }));
  is_done = true;
  other.join();
}

TEST_CASE("a consumer waits until a larger one of another thread has spilled", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, {.with_own_milliseconds = 5000, .alone_milliseconds = 5000});
  FakeConsumer large(arbiter);
  large.Add(9 * kMiB);
  std::atomic<bool> done = false;
  size_t small_spills = 0;
  std::thread other([&] {
    FakeConsumer small(arbiter);
    small.Add(kMiB / 2);
    small.Add(3 * kMiB);
    small_spills = small.spill_count;
    done = true;
  });
  CHECK(Eventually([&] { return large.reservation.spill_requested(); }));
  CHECK(arbiter.waiting_count() == 1);
  CHECK_FALSE(done);
  large.Spill();
  other.join();
  CHECK(small_spills == 0);
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("memory that was granted and is not in use yet is waited for", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer first(arbiter);
  CHECK(first.reservation.Grow(9 * kMiB) == GrowResult::kGranted);
  std::atomic<bool> is_refused = false;
  std::thread other([&] {
    FakeConsumer second(arbiter);
    is_refused = !second.TryAdd(9 * kMiB);
  });
  CHECK(Eventually([&] { return first.reservation.spill_requested() || is_refused; }));
  first.rows.Resize(9 * kMiB);
  first.Add(kMiB / 2);
  first.Spill();
  other.join();
  CHECK_FALSE(is_refused);
  CHECK(first.spill_count == 2);
}

TEST_CASE("who waits holds no memory that it does not use", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer first(arbiter), second(arbiter);
  CHECK(first.reservation.Grow(6 * kMiB) == GrowResult::kGranted);
  second.Add(4 * kMiB);
  bool has_waited_long = true;
  std::thread other([&] { has_waited_long = !WithoutWaiting([&] { first.Add(9 * kMiB); }); });
  CHECK(Eventually([&] { return second.reservation.spill_requested(); }));
  CHECK(memory.used_bytes() == 4 * kMiB);
  second.Spill();
  other.join();
  CHECK_FALSE(has_waited_long);
}

TEST_CASE("a consumer that cannot spill is waited for less long", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  ArbiterPatience patience = kLongPatience;
  patience.work_milliseconds = 50;
  MemoryArbiter arbiter(memory, patience);
  FakeConsumer large(arbiter);
  large.Add(9 * kMiB);
  large.reservation.SetFixed(SpillableReservation::kAll);
  CHECK(large.reservation.spillable_bytes() == 0);
  std::thread([&] {
    FakeConsumer small(arbiter);
    CHECK(WithoutWaiting([&] { CHECK_THROWS_AS(small.Add(2 * kMiB), Error); }));
  }).join();
  large.reservation.SetFixed(2 * kMiB);
  CHECK(large.reservation.spillable_bytes() == 7 * kMiB);
}

TEST_CASE("what is at work and cannot spill frees its memory in the end", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer large(arbiter);
  large.Add(9 * kMiB);
  large.reservation.SetFixed(SpillableReservation::kAll);
  std::atomic<bool> is_refused = false;
  std::thread other([&] {
    FakeConsumer small(arbiter);
    is_refused = !small.TryAdd(2 * kMiB);
  });
  CHECK(Eventually([&] { return arbiter.waiting_count() == 1 || is_refused; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // Longer than is waited anyway.
  large.rows.Reset();
  large.reservation.GiveBack();
  other.join();
  CHECK_FALSE(is_refused);
}

TEST_CASE("where all wait, who needs no more than is left goes on", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  std::atomic<int> ready = 0;
  bool is_refused = false;
  CHECK(WithoutWaiting([&] {
    std::thread other([&] {
      FakeConsumer first(arbiter);
      first.Add(4 * kMiB);
      first.reservation.SetFixed(SpillableReservation::kAll);
      ready++;
      Eventually([&] { return ready == 2; });
      is_refused = !first.TryAdd(3 * kMiB);
    });
    FakeConsumer second(arbiter);
    second.Add(4 * kMiB);
    second.reservation.SetFixed(SpillableReservation::kAll);
    ready++;
    Eventually([&] { return arbiter.waiting_count() == 1; });
    second.Add(kMiB);  // The other one waits before it, for more than there is.
    second.rows.Reset();
    second.reservation.GiveBack();
    other.join();
  }));
  CHECK_FALSE(is_refused);
}

TEST_CASE("where all wait for each other one fails at once", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  std::atomic<int> ready = 0, refused = 0;
  CHECK(WithoutWaiting([&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++) {
      threads.emplace_back([&] {
        FakeConsumer consumer(arbiter);
        consumer.Add(4 * kMiB);
        consumer.reservation.SetFixed(SpillableReservation::kAll);
        ready++;
        Eventually([&] { return ready == 2; });
        refused += !consumer.TryAdd(4 * kMiB);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }));
  CHECK(refused == 1);
}

TEST_CASE("waiting ends", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, {.with_own_milliseconds = 100, .alone_milliseconds = 300});
  FakeConsumer large(arbiter);  // Its thread is asleep.
  large.Add(9 * kMiB);
  const auto begin = std::chrono::steady_clock::now();
  const auto waited = [&] { return std::chrono::steady_clock::now() - begin; };
  SECTION("with an error, if there is nothing to spill") {
    std::thread([&] {
      FakeConsumer small(arbiter);
      try {
        small.Add(2 * kMiB);
        FAIL("no error");
      } catch (const Error& error) {
        CHECK(std::string(error.sqlstate()) == "53200");
      }
      CHECK(waited() >= std::chrono::milliseconds(300));
    }).join();
  }
  SECTION("with spilling the own") {
    std::thread([&] {
      FakeConsumer small(arbiter);
      small.Add(kMiB / 2);
      small.Add(kMiB * 3 / 4);
      CHECK(small.spill_count == 1);
      CHECK(waited() >= std::chrono::milliseconds(100));
    }).join();
  }
  SECTION("when the query is cancelled") {
    std::atomic<bool> cancelled = false;
    MemoryArbiter patient(memory, {.with_own_milliseconds = 60'000, .alone_milliseconds = 60'000});
    FakeConsumer other(patient);
    memory.SetLimit(20 * kMiB);
    other.Add(8 * kMiB);
    bool was_interrupted = false;  // Catch's macros are not for two threads at once.
    std::thread waiter([&] {
      FakeConsumer small(patient, cancelled);
      try {
        small.Add(4 * kMiB);
      } catch (const Error& error) {
        was_interrupted = error.kind() == ErrorKind::kInterrupted;
      }
    });
    CHECK(Eventually([&] { return patient.waiting_count() == 1; }));
    cancelled = true;
    waiter.join();
    CHECK(was_interrupted);
  }
  SECTION("when somebody else releases memory") {
    std::thread waiter([&] {
      FakeConsumer small(arbiter);
      small.Add(2 * kMiB);
    });
    CHECK(Eventually([&] { return arbiter.waiting_count() == 1; }));
    memory.SetLimit(12 * kMiB);
    waiter.join();
    CHECK(large.spill_count == 0);
  }
}

TEST_CASE("who needs little and cannot spill waits until a consumer of another thread has",
          "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory);
  FakeConsumer consumer(arbiter);
  consumer.Add(10 * kMiB - 100);
  std::atomic<bool> is_refused = false;
  std::thread other([&] {
    MemoryReservation little(memory);
    try {
      little.Resize(1000);
    } catch (const Error&) {
      is_refused = true;
    }
  });
  CHECK(Eventually([&] { return consumer.reservation.spill_requested() || is_refused; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  CHECK_FALSE(is_refused);
  consumer.Spill();
  other.join();
  CHECK_FALSE(is_refused);
}

TEST_CASE("nobody waits for a consumer whose thread waits for little", "[common][arbiter]") {
  // The larger one is asked, but its thread looks at no request until the smaller one has spilled.
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer large(arbiter);
  large.Add(6 * kMiB);
  size_t small_spills = 0;
  std::thread other([&] {
    FakeConsumer small(arbiter);
    small.Add(7 * kMiB / 2);
    small.Add(3 * kMiB);
    small_spills = small.spill_count;
  });
  CHECK(Eventually([&] { return arbiter.waiting_count() == 1; }));
  MemoryReservation rest(memory), little(memory);
  rest.Resize(memory.free_bytes());
  CHECK(WithoutWaiting([&] {
    little.Resize(1000);
    other.join();
  }));
  CHECK(small_spills == 1);
  CHECK(large.spill_count == 0);
}

TEST_CASE("who needs little does not wait long for its own thread", "[common][arbiter]") {
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer consumer(arbiter);
  consumer.Add(10 * kMiB - 100);
  MemoryReservation little(memory);
  CHECK_THROWS_AS(little.Resize(1000), Error);
  CHECK(consumer.reservation.spill_requested());
}

TEST_CASE("asked consumers that wait themselves spill", "[common][arbiter]") {
  // Each holds near half and wants more: without an answer from inside Grow both would wait for each other.
  MemoryTracker memory(10 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 2; t++) {
    threads.emplace_back([&, t] {
      FakeConsumer consumer(arbiter);
      consumer.Add(4 * kMiB + t * 100'000);
      ready++;
      Eventually([&] { return ready == 2; });
      consumer.Add(3 * kMiB);
    });
  }
  CHECK(WithoutWaiting([&] {
    for (std::thread& thread : threads) thread.join();
  }));
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("idle consumers spill while their threads wait for another one's memory", "[common][arbiter]") {
  // Two pipelines, each with an operator above that holds half of the memory, and one below that wants more.
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  CHECK(WithoutWaiting([&] {
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    std::atomic<size_t> spilled{0}, spilled_below{0};
    for (int i = 0; i < 2; i++) {
      threads.emplace_back([&] {
        FakeConsumer above(arbiter);
        above.reservation.SetIdleSpill([&] { above.Spill(); });
        above.Add(7 * kMiB);
        ready++;
        while (ready < 2) std::this_thread::yield();
        FakeConsumer below(arbiter);
        below.reservation.SetFixed(SpillableReservation::kAll);
        below.Add(6 * kMiB);
        spilled += above.spilled_bytes;
        spilled_below += below.spill_count;
        above.reservation.SetFixed(SpillableReservation::kAll);
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(spilled >= 7 * kMiB);
    CHECK(spilled_below == 0);
  }));
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("a busy consumer is not spilled under its own work", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, {.with_own_milliseconds = 1, .alone_milliseconds = 1});
  FakeConsumer above(arbiter);
  above.reservation.SetIdleSpill([&] { above.Spill(); });
  above.Add(12 * kMiB);
  FakeConsumer below(arbiter);
  below.reservation.SetFixed(SpillableReservation::kAll);
  {
    const SpillableReservation::Busy busy(above.reservation);
    CHECK_THROWS_AS(below.Add(8 * kMiB), Error);
    CHECK(above.spill_count == 0);
  }
  below.Add(8 * kMiB);
  CHECK(above.spill_count == 1);
}

TEST_CASE("idle consumers give back what they do not use, and are waited for once", "[common][arbiter]") {
  MemoryTracker memory(16 * kMiB);
  MemoryArbiter arbiter(memory, kLongPatience);
  FakeConsumer above(arbiter);
  size_t idle_spills = 0;
  above.reservation.SetIdleSpill([&] {
    idle_spills++;
    above.reservation.GiveBack();  // Finds nothing to spill.
  });
  REQUIRE(above.reservation.Grow(12 * kMiB) == GrowResult::kGranted);
  FakeConsumer below(arbiter);
  below.reservation.SetFixed(SpillableReservation::kAll);
  CHECK(WithoutWaiting([&] { below.Add(8 * kMiB); }));
  CHECK(idle_spills == 0);
  above.Add(4 * kMiB);
  CHECK(WithoutWaiting([&] { CHECK_THROWS_AS(below.Add(8 * kMiB), Error); }));
  CHECK(idle_spills == 1);
}
