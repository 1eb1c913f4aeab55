// Large memory keeps its contents while it grows, and begins at a huge page.
#include "common/memory/large_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "common/memory/large_vector.hpp"

namespace scaup {

namespace {

struct Piece {
  std::byte* data;
  size_t size_bytes;
  uint64_t mark;

  uint64_t& At(size_t offset) const { return *reinterpret_cast<uint64_t*>(data + offset); }
  void Write(size_t from) const {
    for (size_t at = from / 4096 * 4096; at + 8 <= size_bytes; at += 4096) At(at) = mark + at;
    At((size_bytes - 8) / 8 * 8) = mark;
  }
  bool IsWhole() const {
    bool whole = At((size_bytes - 8) / 8 * 8) == mark;
    for (size_t at = 0; at + 4096 <= size_bytes; at += 4096) whole = whole && At(at) == mark + at;
    return whole;
  }
};

}  // namespace

TEST_CASE("large memory keeps its contents while it grows") {
  size_t size = kLargeMemoryBytes + 123;
  std::byte* data = AllocateLarge(size);
  REQUIRE(data != nullptr);
  std::memset(data, 7, size);
  for (int i = 0; i < 6; i++) {
    const size_t wanted = size + size / 2;
    data = GrowLarge(data, size, wanted);
    REQUIRE(data != nullptr);
    CHECK(data[0] == std::byte{7});
    CHECK(data[size - 1] == std::byte{7});
    std::memset(data + size, 7, wanted - size);
    size = wanted;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < size; i++) wrong += data[i] != std::byte{7};
  CHECK(wrong == 0);
  FreeLarge(data, size);
}

TEST_CASE("growing by one byte keeps the contents") {
  std::byte* data = AllocateLarge(kLargeMemoryBytes);
  REQUIRE(data != nullptr);
  data[0] = std::byte{1};
  std::byte* grown = GrowLarge(data, kLargeMemoryBytes, kLargeMemoryBytes + 1);
  REQUIRE(grown != nullptr);
  CHECK(grown[0] == std::byte{1});
  FreeLarge(grown, kLargeMemoryBytes + 1);
}

TEST_CASE("more memory than there are addresses is refused") {
  CHECK(AllocateLarge(SIZE_MAX / 2 + 1) == nullptr);
}

TEST_CASE("large pieces keep their bytes while others come, grow and go") {
  std::mt19937_64 random(7);
  std::vector<Piece> pieces;
  const auto size = [&] { return kLargeMemoryBytes + random() % (size_t{12} << 20); };
  for (uint64_t step = 0; step < 400; step++) {
    const bool adds = pieces.empty() || (pieces.size() < 6 && random() % 2 == 0);
    if (adds) {
      const size_t bytes = size();
      pieces.push_back({AllocateLarge(bytes), bytes, step << 40});
      REQUIRE(pieces.back().data != nullptr);
      pieces.back().Write(0);
      continue;
    }
    Piece& piece = pieces[random() % pieces.size()];
    REQUIRE(piece.IsWhole());
    if (random() % 2 == 0) {
      const size_t bytes = piece.size_bytes + size() / 2;
      piece.data = GrowLarge(piece.data, piece.size_bytes, bytes);
      REQUIRE(piece.data != nullptr);
      const size_t old = piece.size_bytes;
      for (size_t at = 0; at + 4096 <= old; at += 4096) REQUIRE(piece.At(at) == piece.mark + at);
      piece.size_bytes = bytes;
      piece.Write(0);
    } else {
      FreeLarge(piece.data, piece.size_bytes);
      std::swap(piece, pieces.back());
      pieces.pop_back();
    }
    if (step % 100 == 99) ReturnFreePages();
  }
  for (const Piece& piece : pieces) {
    CHECK(piece.IsWhole());
    FreeLarge(piece.data, piece.size_bytes);
  }
  ReturnFreePages();
}

TEST_CASE("A large vector keeps what it has while it grows", "[common]") {
  LargeVector<uint64_t> values;
  for (uint64_t i = 0; i < 3'000'000; i++) values.push_back(i * 7);
  LargeVector<uint64_t> copy = values;
  values.resize(100);
  values.shrink_to_fit();
  size_t wrong = 0;
  for (uint64_t i = 0; i < copy.size(); i++) wrong += copy[i] != i * 7;
  CHECK(wrong == 0);
  CHECK(values == LargeVector<uint64_t>(copy.begin(), copy.begin() + 100));
}

TEST_CASE("Pages that may stay are what the next large memory is made of", "[common]") {
  constexpr size_t kMiB = size_t{1} << 20;
  ReturnFreePages();
  std::byte* data = AllocateLarge(16 * kMiB);
  REQUIRE(data != nullptr);
  std::memset(data, 7, 16 * kMiB);
  FreeLarge(data, 16 * kMiB);
  ReturnFreePages(6 * kMiB);
  // Nobody clears them, so that as many as stayed still have what was written; or the system has taken them.
  data = AllocateLarge(16 * kMiB);
  REQUIRE(data != nullptr);
  size_t written = 0;
  for (size_t i = 0; i < 16 * kMiB; i++) written += data[i] == std::byte{7};
  CHECK(written <= 6 * kMiB);
#ifdef __linux__
  CHECK(written != 0);
#endif
  FreeLarge(data, 16 * kMiB);
  ReturnFreePages();
}

}  // namespace scaup
