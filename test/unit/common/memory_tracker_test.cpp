// MemoryTracker and MemoryReservation: the limit holds, and what is reserved comes back.
#include "common/memory/memory_tracker.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "common/memory/memory_advance.hpp"
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

namespace {

// A cache of which any part can be freed.
class FakeCache final : public MemoryReclaimer {
 public:
  FakeCache(MemoryTracker& tracker, size_t size_bytes) : tracker_(tracker), size_bytes_(size_bytes) {
    tracker_.Reserve(size_bytes);
    tracker_.AddReclaimer(*this);
  }
  ~FakeCache() override {
    tracker_.RemoveReclaimer(*this);
    tracker_.Release(size_bytes_);
  }
  size_t Reclaim(size_t wanted_bytes) noexcept override {
    calls++;
    last_wanted = wanted_bytes;
    const size_t freed = std::min(wanted_bytes, size_bytes_.load());
    size_bytes_ -= freed;
    tracker_.Release(freed);
    return freed;
  }
  size_t reclaimable_bytes() const noexcept override { return size_bytes_; }
  size_t size_bytes() const { return size_bytes_; }
  std::atomic<int> calls = 0;
  std::atomic<size_t> last_wanted = 0;

 private:
  MemoryTracker& tracker_;
  std::atomic<size_t> size_bytes_;
};

}  // namespace

TEST_CASE("reclaimers are asked, in order, for what is missing", "[common][memory]") {
  MemoryTracker tracker(100);
  {
    FakeCache first(tracker, 30), second(tracker, 40);
    tracker.Reserve(30);
    CHECK(first.calls == 0);
    CHECK(tracker.ReclaimableBytes() == 70);
    CHECK_FALSE(tracker.TryReserveFree(1));
    CHECK(first.calls == 0);
    tracker.Reserve(10);
    CHECK(first.last_wanted == 10);
    CHECK(second.calls == 0);
    CHECK(tracker.TryReserve(30));
    CHECK(first.size_bytes() == 0);
    CHECK(second.size_bytes() == 30);
    CHECK(tracker.used_bytes() == 100);
    // More than the limit, or with a margin more than they have: not worth asking.
    const int calls = first.calls;
    CHECK_FALSE(tracker.TryReserve(101));
    CHECK_FALSE(tracker.TryReserveLeaving(1, 30));
    CHECK(first.calls == calls);
    CHECK(second.size_bytes() == 30);
    // More than all of it: refused, after they have tried.
    CHECK_THROWS_AS(tracker.Reserve(31), Error);
    CHECK(second.size_bytes() == 0);
    tracker.Release(70);
  }
  CHECK(tracker.used_bytes() == 0);
  FakeCache cache(tracker, 80);
  tracker.SetLimit(50);
  CHECK(cache.size_bytes() == 50);
  tracker.Reserve(20);
  CHECK(cache.size_bytes() == 30);
  tracker.Release(20);
}

TEST_CASE("threads share what reclaimers free", "[common][memory]") {
  MemoryTracker tracker(1000);
  FakeCache cache(tracker, 900);
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; i++) {
        if (!tracker.TryReserve(200))
          refused++;
        else
          tracker.Release(200);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(refused == 0);
  CHECK(cache.size_bytes() >= 200);
}

TEST_CASE("an advance lets its thread exceed the limit by so much", "[common][memory]") {
  MemoryTracker tracker(100), other(100);
  tracker.Reserve(90);
  {
    const MemoryAdvance advance(tracker, 50);
    CHECK_FALSE(other.TryReserve(101));
    tracker.Reserve(60);
    CHECK(tracker.used_bytes() == 150);
    CHECK_FALSE(tracker.TryReserve(1));
    std::thread([&] { CHECK_FALSE(tracker.TryReserve(1)); }).join();
    {
      const MemoryAdvance larger(tracker, 60);
      CHECK(tracker.TryReserve(10));
      CHECK_FALSE(tracker.TryReserve(1));
    }
    tracker.Release(10);
    MemoryTracker part(&tracker);
    CHECK_FALSE(part.TryReserve(1));
  }
  CHECK_FALSE(tracker.TryReserve(1));
  tracker.Release(60);
  tracker.Reserve(10);
  CHECK(tracker.used_bytes() == 100);
}

TEST_CASE("a sub-account takes from its parent and gives back", "[common][memory]") {
  MemoryTracker parent(100);
  {
    MemoryTracker account(&parent);
    account.Reserve(40);
    CHECK(parent.used_bytes() == 40);
    account.Release(30);
    CHECK(parent.used_bytes() == 40);
    account.Reserve(20);  // From what it has.
    CHECK(parent.used_bytes() == 40);
    CHECK_THROWS_WITH(account.Reserve(200), Catch::Contains("memory limit"));
    CHECK_FALSE(account.TryReserve(100));
    CHECK(account.used_bytes() == 30);
    parent.Release(account.TakeUnused());
    CHECK(parent.used_bytes() == 30);
    CHECK(account.limit_bytes() == 30);
    account.Release(30);
  }
  CHECK(parent.used_bytes() == 0);
}

TEST_CASE("a margin stays free", "[common][memory]") {
  MemoryTracker tracker(100);
  CHECK_FALSE(tracker.TryReserveLeaving(60, 50));
  CHECK_FALSE(tracker.TryReserveLeaving(60, 200));
  CHECK(tracker.TryReserveLeaving(60, 40));
  CHECK_FALSE(tracker.TryReserveLeaving(1, 40));
  CHECK(tracker.TryReserve(40));
  MemoryReservation reservation(tracker);
  CHECK_FALSE(reservation.TryResize(1, 0));
  tracker.Release(100);
  CHECK(reservation.TryResize(70, 30));
  CHECK_FALSE(reservation.TryResize(71, 30));
  CHECK(reservation.TryResize(20, 90));
  CHECK(tracker.used_bytes() == 20);
}

TEST_CASE("a simulated shortage refuses some requests, and ends", "[common][memory]") {
  for (uint64_t seed = 1; seed <= 8; seed++) {
    MemoryTracker tracker(1000000);
    tracker.SimulateShortage(seed);
    CHECK(tracker.limit_bytes() == 1000000);
    size_t refused = 0, thrown = 0, granted = 0;
    const auto run = [&] {
      for (int i = 0; i < 20000; i++) {
        if (!tracker.TryReserve(1)) {
          refused++;
          continue;
        }
        granted++;
        try {
          tracker.Reserve(1);
          granted++;
        } catch (const Error& error) {
          CHECK(std::string(error.sqlstate()) == "53200");
          thrown++;
        }
      }
    };
    run();
    INFO("seed " << seed << ": " << refused << " refused, " << thrown << " thrown");
    CHECK(refused + thrown > 0);
    CHECK(refused + thrown < granted);
    CHECK(tracker.used_bytes() == granted);
    {
      const MemoryAdvance advance(tracker, 1000);
      refused = thrown = 0;
      run();
      CHECK(refused + thrown == 0);
    }
    tracker.SetLimit(500000);
    CHECK(tracker.limit_bytes() == 500000);
    tracker.SimulateShortage(0);
    CHECK(tracker.limit_bytes() == 500000);
    CHECK(tracker.shortage() == nullptr);
    run();
    CHECK(refused + thrown == 0);
    tracker.Release(granted);
    CHECK(tracker.used_bytes() == 0);
  }
}
