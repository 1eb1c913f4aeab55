// The cache of metadata: keeps what is used, drops what nobody holds, the longest unused first.
#include "storage/buffer/metadata_cache.hpp"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

namespace scaup {

namespace {

/// Accounts itself, as what is in the cache must.
struct Loaded {
  Loaded(MemoryTracker& memory, size_t size_bytes) : reservation(memory) { reservation.Resize(size_bytes); }
  MemoryReservation reservation;
};

std::shared_ptr<const void> Load(MetadataCache& cache, MetadataCache::Slot& slot, MemoryTracker& memory,
                                 size_t size_bytes) {
  auto found = cache.Find(slot);
  if (found != nullptr) return found;
  return cache.Keep(slot, std::make_shared<const Loaded>(memory, size_bytes), size_bytes);
}

}  // namespace

TEST_CASE("Metadata that nobody holds makes room, the longest unused first", "[storage][metadata]") {
  MemoryTracker memory(1000);
  MetadataCache cache(memory);
  std::vector<MetadataCache::Slot> slots(12);
  for (size_t i = 0; i < 10; i++) Load(cache, slots[i], memory, 100);
  CHECK(cache.size_bytes() == 1000);
  const auto held = cache.Find(slots[1]);  // The newest now, but for the next.
  REQUIRE(cache.Find(slots[0]) != nullptr);
  Load(cache, slots[10], memory, 100);
  CHECK(cache.Find(slots[2]) == nullptr);
  CHECK(cache.Find(slots[0]) != nullptr);
  CHECK(memory.used_bytes() == 1000);
  // All that is not held can go.
  CHECK(memory.TryReserve(900));
  CHECK(cache.size_bytes() == 100);
  CHECK_FALSE(memory.TryReserve(100));
  memory.Release(900);
  // Another thread was quicker.
  CHECK(cache.Keep(slots[1], std::make_shared<const Loaded>(memory, 50), 50) == held);
  CHECK(memory.used_bytes() == 100);
  cache.Drop(slots);
  CHECK(cache.size_bytes() == 0);
}

TEST_CASE("Metadata is loaded and dropped by several threads at once", "[storage][metadata]") {
  MemoryTracker memory(2000);
  MetadataCache cache(memory);
  {
    std::vector<MetadataCache::Slot> lasting(30);
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 3; thread++) {
      threads.emplace_back([&, thread] {
        for (size_t round = 0; round < 300; round++) {
          std::vector<MetadataCache::Slot> own(3);
          for (size_t i = 0; i < 30; i++) {
            Load(cache, lasting[(i * 7 + thread) % 30], memory, 100);
            Load(cache, own[i % 3], memory, 50);
          }
          cache.Drop(own);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(memory.used_bytes() == cache.size_bytes());
    CHECK(cache.size_bytes() <= 2000);
    cache.Drop(lasting);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace scaup
