// Arena: alignment, growth, reuse, and what the memory account sees.
#include "common/memory/arena.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "common/memory/memory_tracker.hpp"
#include "scaup/error.hpp"

using namespace scaup;

TEST_CASE("arena memory is aligned, writable and disjoint", "[common][arena]") {
  Arena arena;
  std::vector<std::pair<std::byte*, size_t>> parts;
  for (size_t i = 0; i < 2000; i++) {
    const size_t alignment = size_t{1} << (i % 7);
    const size_t size_bytes = 1 + (i * 37) % 500;
    std::byte* data = arena.Allocate(size_bytes, alignment);
    REQUIRE(reinterpret_cast<uintptr_t>(data) % alignment == 0);
    std::memset(data, static_cast<int>(i % 251), size_bytes);
    parts.emplace_back(data, size_bytes);
  }
  for (size_t i = 0; i < parts.size(); i++) {
    for (size_t b = 0; b < parts[i].second; b++)
      REQUIRE(parts[i].first[b] == static_cast<std::byte>(i % 251));
  }
}

TEST_CASE("arena accounts its blocks and gives them back", "[common][arena]") {
  MemoryTracker tracker(1 << 20);
  {
    Arena arena(&tracker, 1000);
    CHECK(tracker.used_bytes() == 0);
    arena.Allocate(10);
    CHECK(arena.size_bytes() == 1000);
    for (int i = 0; i < 100; i++) arena.Allocate(1000);
    CHECK(tracker.used_bytes() == arena.size_bytes());
    CHECK(arena.size_bytes() >= 100'000);
    const size_t before = arena.size_bytes();
    arena.Reset();
    CHECK(arena.size_bytes() < before);
    CHECK(arena.size_bytes() > 0);
    CHECK(tracker.used_bytes() == arena.size_bytes());
    const size_t kept = arena.size_bytes();
    arena.Allocate(kept - 64);
    CHECK(arena.size_bytes() == kept);  // The largest block is used again.
  }
  CHECK(tracker.used_bytes() == 0);
}

TEST_CASE("arena past the limit throws and accounts nothing", "[common][arena]") {
  MemoryTracker tracker(10'000);
  Arena arena(&tracker, 1024);
  arena.Allocate(100);
  const size_t before = tracker.used_bytes();
  try {
    arena.Allocate(20'000);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kOutOfMemory);
    CHECK(std::string(error.sqlstate()) == "53200");
  }
  CHECK(tracker.used_bytes() == before);
  CHECK(arena.Allocate(100) != nullptr);
  CHECK_THROWS_AS(arena.Allocate(SIZE_MAX - 3), Error);
}

TEST_CASE("a large request leaves the current block in use", "[common][arena]") {
  Arena arena(nullptr, 4096);
  std::byte* first = arena.Allocate(16);
  arena.Allocate(100'000);
  CHECK(arena.Allocate(16) == first + 16);
}

TEST_CASE("arena hands out what it was lent first, and again after Reset", "[common][arena]") {
  MemoryTracker tracker(1 << 20);
  alignas(8) std::byte lent[64];
  Arena arena(&tracker, 1000, lent);
  const auto is_lent = [&](const std::byte* data) { return data >= lent && data < lent + sizeof(lent); };
  for (int round = 0; round < 2; round++) {
    CHECK(is_lent(arena.Allocate(40)));
    CHECK(is_lent(arena.Allocate(24)));
    CHECK(tracker.used_bytes() == 0);
    if (round == 0) arena.Reset();
  }
  CHECK_FALSE(is_lent(arena.Allocate(1)));
  CHECK(arena.size_bytes() == 1000);
  CHECK(tracker.used_bytes() == 1000);
  arena.Reset();
  CHECK_FALSE(is_lent(arena.Allocate(1)));  // The block is larger.
  CHECK(tracker.used_bytes() == 1000);
}
