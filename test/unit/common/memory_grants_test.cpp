// MemoryGrants: phases share the limit, each has its minimum, nobody waits.
#include "common/memory/memory_grants.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "scaup/error.hpp"

using namespace scaup;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kKiB = size_t{1} << 10;

/// An operator that retains rows in memory, and counts what it would have spilled.
class FakeOperator {
 public:
  explicit FakeOperator(MemoryGrant& grant) : memory(grant), rows(memory.account()) {}

  void Add(size_t size_bytes) {
    if (memory.is_short()) Spill();
    memory.Grow([&] { return size_bytes; }, [&] { Spill(); });
    rows.Resize(rows.size_bytes() + size_bytes);
  }
  void Spill() {
    spilled_bytes += rows.size_bytes();
    spill_count++;
    rows.Reset();
    memory.GiveBack();
  }

  TaskMemory memory;
  MemoryReservation rows;
  size_t spilled_bytes = 0;
  size_t spill_count = 0;
};

/// A cache that gives everything when it is asked.
class FakeCache final : public MemoryReclaimer {
 public:
  FakeCache(MemoryTracker& memory, size_t size_bytes) : memory_(memory), size_bytes_(size_bytes) {
    memory_.Reserve(size_bytes);
    memory_.AddReclaimer(*this);
  }
  ~FakeCache() override {
    memory_.RemoveReclaimer(*this);
    memory_.Release(size_bytes_);
  }
  size_t Reclaim(size_t wanted_bytes) noexcept override {
    const size_t given = std::min(wanted_bytes, size_bytes_.load());
    size_bytes_ -= given;
    memory_.Release(given);
    return given;
  }
  size_t reclaimable_bytes() const noexcept override { return size_bytes_; }

 private:
  MemoryTracker& memory_;
  std::atomic<size_t> size_bytes_;
};

}  // namespace

TEST_CASE("a grant holds no more than its size, and its owner spills", "[common][grants]") {
  MemoryTracker memory(16 * kMiB);
  MemoryGrants grants(memory);
  {
    MemoryGrant grant(grants, 1, 100 * kKiB);
    FakeOperator sort(grant);
    // A quarter of the limit is for scratch memory, an eighth for minima of grants to come.
    CHECK(grant.size_bytes() == 10 * kMiB);
    for (int i = 0; i < 400; i++) sort.Add(100'000);
    CHECK(sort.spilled_bytes + sort.rows.size_bytes() == 40'000'000);
    CHECK(sort.spill_count >= 3);
    CHECK(sort.spill_count <= 5);
    CHECK(memory.used_bytes() <= 10 * kMiB + 100 * kKiB);
    CHECK(grants.held_bytes() == memory.used_bytes());
    // More than the limit is refused.
    CHECK_THROWS_AS(sort.Add(17 * kMiB), Error);
  }
  CHECK(grants.grant_count() == 0);
  CHECK(grants.held_bytes() == 0);
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("sizes shrink when grants open, and never grow", "[common][grants]") {
  MemoryTracker memory(32 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant first(grants, 1, 0);
  const size_t alone = first.size_bytes();
  CHECK(alone == 24 * kMiB);
  FakeOperator sort(first);
  sort.Add(22 * kMiB);
  {
    MemoryGrant second(grants, 2, kMiB);
    CHECK(second.task_count() == 2);
    CHECK(first.size_bytes() == 11 * kMiB);
    CHECK(second.size_bytes() == 13 * kMiB);
    // The memory is not there yet, but the minimum is.
    FakeOperator join(second);
    join.Add(kMiB);
    CHECK(join.memory.uses_least());
    CHECK(join.spill_count == 0);
    join.Add(kMiB);
    CHECK(join.spill_count == 1);
    CHECK(sort.memory.is_short());
    sort.Add(kMiB);
    CHECK(sort.spill_count == 1);
    CHECK_FALSE(sort.memory.is_short());
    join.Add(10 * kMiB);
    CHECK(join.spill_count == 1);
  }
  CHECK(first.size_bytes() == 11 * kMiB);
}

TEST_CASE("a finished phase counts with what it holds", "[common][grants]") {
  MemoryTracker memory(32 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant build(grants, 1, 0);
  FakeOperator table(build);
  table.Add(4 * kMiB);
  table.memory.SetFixed(TaskMemory::kAll);
  build.Finish();
  CHECK(table.memory.spillable_bytes() == 0);
  const MemoryGrant probe(grants, 1, 0);
  CHECK(probe.size_bytes() == 20 * kMiB);
}

TEST_CASE("the tasks of a grant share it, and the largest spill", "[common][grants]") {
  MemoryTracker memory(32 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 3, 64 * kKiB);
  FakeOperator large(grant), small(grant), other(grant);
  large.Add(20 * kMiB);
  small.Add(kMiB);
  const MemoryGrant next(grants, 1, 0);
  CHECK(large.memory.is_short());
  CHECK_FALSE(small.memory.is_short());
  CHECK_FALSE(other.memory.is_short());
  large.Add(1);
  CHECK(large.spill_count == 1);
  CHECK_FALSE(large.memory.is_short());
}

TEST_CASE("a task that could not grow gets what others hold beyond an equal part", "[common][grants]") {
  MemoryTracker memory(32 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 2, 128 * kKiB);
  FakeOperator large(grant), small(grant);
  large.Add(23 * kMiB);
  CHECK_FALSE(large.memory.is_short());
  small.Add(kMiB / 16);
  CHECK_FALSE(large.memory.is_short());
  CHECK_FALSE(small.memory.TryGrow(2 * kMiB));
  CHECK_FALSE(small.memory.is_short());
  large.Add(1);
  CHECK(large.spill_count == 1);
  small.Add(10 * kMiB);
  CHECK(small.spill_count == 0);
  // A task that wants more than its part asks nobody.
  large.Add(12 * kMiB);
  CHECK_FALSE(small.memory.TryGrow(3 * kMiB));
  CHECK_FALSE(large.memory.is_short());
}

TEST_CASE("a minimum is there whatever else takes memory", "[common][grants]") {
  MemoryTracker memory(8 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 2, 256 * kKiB);
  REQUIRE(grant.task_count() == 2);
  MemoryReservation table(memory);
  table.Resize(memory.free_bytes());
  FakeOperator first(grant), second(grant);
  for (int i = 0; i < 100; i++) {
    first.Add(50'000);
    second.Add(50'000);
  }
  CHECK(first.spill_count >= 19);
  CHECK(memory.used_bytes() == 8 * kMiB);
  // A task cannot take another one's.
  CHECK_FALSE(first.memory.TryGrow(300 * kKiB));
  CHECK_THROWS_AS(first.memory.Require(300 * kKiB), Error);
}

TEST_CASE("fewer tasks begin where there is little memory, and at last none", "[common][grants]") {
  MemoryTracker memory(4 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 8, kMiB);
  CHECK(grant.task_count() == 2);
  {
    TaskSeat first(grant), second(grant);
    const TaskSeat third(grant);
    CHECK(first.is_taken());
    CHECK(second.is_taken());
    CHECK_FALSE(third.is_taken());
    second.Leave();
    TaskSeat fourth;
    fourth = TaskSeat(grant);
    CHECK(fourth.is_taken());
  }
  // The last task may take scratch memory.
  const MemoryGrant last(grants, 4, 2 * kMiB);
  CHECK(last.task_count() == 1);
  try {
    const MemoryGrant none(grants, 1, kMiB);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kOutOfMemory);
    CHECK(std::string(error.message()).find("2 others are at work") != std::string::npos);
  }
  CHECK(grants.grant_count() == 2);
}

TEST_CASE("growing evicts caches, and leaves the margin", "[common][grants]") {
  MemoryTracker memory(16 * kMiB);
  MemoryGrants grants(memory);
  FakeCache cache(memory, 15 * kMiB);
  CHECK(grants.AvailableBytes() == 16 * kMiB);
  MemoryGrant grant(grants, 1, 0);
  CHECK(grant.size_bytes() == 10 * kMiB);
  FakeOperator sort(grant);
  sort.Add(9 * kMiB);
  CHECK(sort.spill_count == 0);
  CHECK(memory.free_bytes() >= grants.margin_bytes());
  CHECK(cache.reclaimable_bytes() > 0);
}

TEST_CASE("while tables take memory, grants hold less", "[common][grants]") {
  MemoryTracker memory(16 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 1, 0);
  FakeOperator sort(grant);
  sort.Add(9 * kMiB);
  CHECK_FALSE(sort.memory.is_short());
  MemoryReservation table(memory);
  table.Resize(6 * kMiB);
  CHECK(sort.memory.is_short());
  CHECK(grants.AvailableBytes() == 10 * kMiB);
  sort.Add(kMiB);
  CHECK(sort.spill_count == 1);
  CHECK_FALSE(sort.memory.is_short());
  sort.Add(5 * kMiB);
  CHECK(sort.spill_count == 1);
  sort.Add(kMiB);
  CHECK(sort.spill_count == 2);
  // The share is as large as before when the memory is free again.
  table.Reset();
  sort.Add(8 * kMiB);
  CHECK(sort.spill_count == 2);
}

TEST_CASE("what a task leaves in use of its minimum becomes the grant's", "[common][grants]") {
  MemoryTracker memory(16 * kMiB);
  MemoryGrants grants(memory);
  MemoryGrant grant(grants, 1, 512 * kKiB);
  MemoryReservation others(memory);
  others.Resize(memory.free_bytes() - grants.margin_bytes());
  FakeOperator first(grant);
  first.Add(300 * kKiB);
  CHECK(first.memory.uses_least());
  others.Reset();
  first.memory.SetFixed(TaskMemory::kAll);
  CHECK_FALSE(first.memory.uses_least());
  others.Resize(memory.free_bytes() - grants.margin_bytes());
  FakeOperator second(grant);
  second.Add(500 * kKiB);
  CHECK(second.spill_count == 0);
}

TEST_CASE("many phases in many threads end, within the limit", "[common][grants]") {
  MemoryTracker memory(24 * kMiB);
  MemoryGrants grants(memory);
  std::atomic<size_t> spills = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 6; thread++) {
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      for (int phase = 0; phase < 30; phase++) {
        MemoryGrant grant(grants, 2, 128 * kKiB);
        std::deque<FakeOperator> tasks;
        for (size_t task = 0; task < grant.task_count(); task++) tasks.emplace_back(grant);
        const size_t total = random() % (20 * kMiB);
        for (size_t added = 0; added < total; added += 100'000) {
          tasks[random() % tasks.size()].Add(100'000);
          if (memory.used_bytes() > memory.limit_bytes()) abort();
        }
        for (const FakeOperator& task : tasks) spills += task.spill_count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(spills > 0);
  CHECK(memory.used_bytes() == 0);
  CHECK(grants.held_bytes() == 0);
}
