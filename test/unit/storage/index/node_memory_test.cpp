// Memory of nodes: pieces do not overlap, are used again, are accounted, and are given back.
#include "storage/index/node_memory.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "../../vector/random_values.hpp"
#include "scaup/error.hpp"

namespace scaup::test {
namespace {

TEST_CASE("pieces of node memory", "[node_memory]") {
  Random random(8);
  MemoryTracker tracker(size_t{1} << 30);
  {
    NodeMemory memory(tracker);
    CHECK(memory.Allocate(40) == nullptr);  // Nothing is reserved.
    std::map<std::byte*, size_t> pieces;
    for (int step = 0; step < 20'000; step++) {
      if (!pieces.empty() && Below(random, 100) < (step / 5000 % 2 == 0 ? 40 : 60)) {
        auto piece = pieces.lower_bound(reinterpret_cast<std::byte*>(random()));
        if (piece == pieces.end()) piece = pieces.begin();
        REQUIRE(std::all_of(piece->first, piece->first + piece->second,
                            [&](std::byte byte) { return byte == std::byte(piece->second); }));
        memory.Free(piece->first, piece->second);
        pieces.erase(piece);
        continue;
      }
      const size_t size_bytes = 1 + (Chance(random, 5) ? Below(random, 5000) : Below(random, 200));
      std::byte* piece = memory.Allocate(size_bytes);
      if (piece == nullptr) {
        REQUIRE_FALSE(memory.HasReserved(memory.MissingBytes(size_bytes)));
        memory.Reserve(memory.MissingBytes(size_bytes));
        piece = memory.Allocate(size_bytes);
        REQUIRE(piece != nullptr);
      }
      REQUIRE(reinterpret_cast<uintptr_t>(piece) % 16 == 0);
      std::memset(piece, static_cast<int>(size_bytes & 255), size_bytes);
      REQUIRE(pieces.emplace(piece, size_bytes).second);
      REQUIRE(memory.used_bytes() <= tracker.used_bytes());
    }
    CHECK(memory.used_bytes() != 0);
    for (const auto& [piece, size_bytes] : pieces) memory.Free(piece, size_bytes);
    CHECK(memory.used_bytes() == 0);
    memory.Reserve(memory.MissingBytes(40));
    CHECK(memory.Allocate(40) != nullptr);
    memory.FreeAll();
    CHECK(memory.used_bytes() == 0);
  }
  CHECK(tracker.used_bytes() == 0);
}

TEST_CASE("new nodes come together or not at all", "[node_memory]") {
  MemoryTracker tracker(size_t{1} << 20);
  NodeMemory memory(tracker);
  int tries = 0;
  while (true) {
    NewNodes nodes(memory, {50'000, 40, 0, 60'000});
    if (nodes.missing_bytes() == 0) {
      std::byte* taken = nodes.Take(1);
      REQUIRE(taken != nullptr);
      CHECK(nodes.Take(2) == nullptr);
      memory.Free(taken, 40);
      break;
    }
    memory.Reserve(nodes.missing_bytes());
    REQUIRE(tries++ < 3);
  }
  CHECK(memory.used_bytes() == 0);
}

}  // namespace
}  // namespace scaup::test
