// Memory of vectors that is kept for the next ones.
#include "vector/vector_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "vector/selection_vector.hpp"

namespace scaup {

TEST_CASE("Vector memory is aligned and belongs to one at a time", "[vector]") {
  std::set<std::byte*> taken;
  std::vector<std::pair<std::byte*, size_t>> all;
  for (size_t round = 0; round < 100; round++) {
    const size_t value_bytes = size_t{1} << (round % 5);
    std::byte* memory = TakeVectorMemory(value_bytes);
    REQUIRE(reinterpret_cast<uintptr_t>(memory) % 64 == 0);
    REQUIRE(taken.insert(memory).second);
    std::memset(memory, static_cast<int>(round), kVectorSize * value_bytes);
    all.emplace_back(memory, value_bytes);
  }
  for (size_t round = 0; round < 100; round++) {
    const auto [memory, value_bytes] = all[round];
    REQUIRE(memory[0] == static_cast<std::byte>(round));
    REQUIRE(memory[kVectorSize * value_bytes - 1] == static_cast<std::byte>(round));
  }
  for (const auto& [memory, value_bytes] : all) GiveBackVectorMemory(memory, value_bytes);
}

TEST_CASE("Vector memory may be given back by another thread, and outlives the one that took it",
          "[vector]") {
  std::vector<std::byte*> taken;
  std::thread([&] {
    for (size_t i = 0; i < 200; i++) taken.push_back(TakeVectorMemory(16));
    for (size_t i = 0; i < 100; i++) {
      GiveBackVectorMemory(taken.back(), 16);
      taken.pop_back();
    }
  }).join();
  for (std::byte* memory : taken) {
    std::memset(memory, 1, kVectorSize * 16);
    GiveBackVectorMemory(memory, 16);
  }
}

}  // namespace scaup
