// MemoryArbiter: consumers share the limit, the largest spills, nobody hangs or starves.
#include "common/memory_arbiter.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "scaup/error.hpp"

using namespace scaup;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
const std::atomic<bool> kNotCancelled = false;

// So long that one who waits to the end is told from a machine that was busy.
constexpr ArbiterPatience kLongPatience = {
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

}  // namespace

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
    try {
      second.Add(9 * kMiB);
    } catch (const Error&) {
      is_refused = true;
    }
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
    try {
      small.Add(2 * kMiB);
    } catch (const Error&) {
      is_refused = true;
    }
  });
  CHECK(Eventually([&] { return arbiter.waiting_count() == 1 || is_refused; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // It works.
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
      try {
        first.Add(3 * kMiB);
      } catch (const Error&) {
        is_refused = true;
      }
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
        try {
          consumer.Add(4 * kMiB);
        } catch (const Error&) {
          refused++;
        }
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
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
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
