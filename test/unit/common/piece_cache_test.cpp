// Pieces are whole, apart from each other, and used again by their thread.
#include "common/memory/piece_cache.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace scaup {

TEST_CASE("pieces of all sizes are taken and given back, in any thread", "[common]") {
  std::vector<std::pair<void*, size_t>> pieces;
  for (int round = 0; round < 3; round++) {
    for (size_t size_bytes = 1; size_bytes <= kMostPieceBytes + 100; size_bytes += 7) {
      void* piece = TakePiece(size_bytes);
      std::memset(piece, static_cast<int>(size_bytes % 251), size_bytes);
      pieces.emplace_back(piece, size_bytes);
    }
    size_t wrong = 0;
    for (const auto& [piece, size_bytes] : pieces) {
      const auto* bytes = static_cast<const unsigned char*>(piece);
      for (size_t i = 0; i < size_bytes; i++) wrong += bytes[i] != size_bytes % 251;
    }
    CHECK(wrong == 0);
    const auto give_back = [&] {
      for (const auto& [piece, size_bytes] : pieces) GiveBackPiece(piece, size_bytes);
    };
    if (round == 1) {
      std::thread(give_back).join();
    } else {
      give_back();
    }
    pieces.clear();
  }
  auto shared = std::allocate_shared<size_t>(PieceAllocator<size_t>(), 7);
  CHECK(*shared == 7);
}

}  // namespace scaup
