// Sorted entries against an ordered set: in memory, spilled in few and in many runs, with long and equal
// keys.
#include "storage/index/entry_sorter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "common/file/file_system.hpp"
#include "radix_fixture.hpp"

namespace scaup::test {
namespace {

void CheckSorted(Random& random, size_t entry_count, size_t key_count, size_t key_bytes, size_t limit_bytes,
                 bool may_spill, bool spills) {
  const auto files = MakePosixFileSystem();
  const auto storage = std::make_shared<TemporaryStorage>(*files, "/tmp", 0);
  MemoryTracker memory(limit_bytes);
  {
    size_t checks = 0;
    EntrySorter sorter(memory, may_spill ? storage : nullptr, [&] { checks++; });
    Model model;
    for (size_t i = 0; i < entry_count; i++) {
      const uint64_t number = Below(random, key_count);
      // No key is a prefix of another: all have one length for a number.
      IndexKey key(8 + number % key_bytes, std::byte(number % 7));
      for (size_t byte = 0; byte < 8; byte++) key[byte] = std::byte(number >> (56 - 8 * byte));
      const uint64_t value = Below(random, 1'000'000'000);
      if (!model.insert({key, value}).second) continue;
      // Some come twice.
      for (size_t times = Chance(random, 10) ? 2 : 1; times != 0; times--) sorter.Add(key, value);
    }
    REQUIRE(sorter.has_spilled() == spills);
    sorter.BeginReading();
    std::vector<Entry> read;
    KeyBytes key;
    uint64_t value = 0;
    while (sorter.Next(key, value)) read.push_back({{key.begin(), key.end()}, value});
    read.erase(std::unique(read.begin(), read.end()), read.end());
    REQUIRE(read == std::vector<Entry>(model.begin(), model.end()));
    REQUIRE(checks != 0);
  }
  REQUIRE(memory.used_bytes() == 0);
  REQUIRE(storage->used_bytes() == 0);
}

TEST_CASE("entries are sorted in memory or in runs", "[entry_sorter]") {
  Random random(21);
  CheckSorted(random, 0, 1, 1, size_t{1} << 30, true, false);
  CheckSorted(random, 50'000, 20'000, 20, size_t{1} << 30, true, false);
  CheckSorted(random, 50'000, 20'000, 20, size_t{1} << 30, false, false);
  CheckSorted(random, 60'000, 1'000'000, 20, size_t{4} << 20, true, true);
  // More runs than are merged at once, and keys with many values.
  CheckSorted(random, 200'000, 1'000'000, 20, size_t{2} << 20, true, true);
  CheckSorted(random, 100'000, 50, 10, size_t{2} << 20, true, true);
  CheckSorted(random, 2'000, 100'000, 4000, size_t{4} << 20, true, true);
}

TEST_CASE("a check ends sorting by its exception", "[entry_sorter]") {
  MemoryTracker memory(size_t{1} << 30);
  bool ends = false;
  EntrySorter sorter(memory, nullptr, [&] {
    if (ends) throw std::runtime_error("interrupted");
  });
  for (uint64_t number = 0; number < 10'000; number++) {
    const uint64_t scattered = number * 7919 % 10'007;
    const std::byte key[] = {std::byte(scattered >> 8), std::byte(scattered)};
    sorter.Add(key, number);
  }
  ends = true;
  REQUIRE_THROWS_AS(sorter.BeginReading(), std::runtime_error);
}

}  // namespace
}  // namespace scaup::test
