// Large memory keeps its contents while it grows, and begins at a huge page.
#include "common/large_memory.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>

namespace scaup {

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

}  // namespace scaup
