// Bit packing, conversions between widths and running sums at every level, against plain code.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "../kernel_levels.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {
namespace {

uint64_t MaskOf(unsigned bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

/// 1024 integers of 1 << log2 bytes, one after the other.
struct Integers {
  explicit Integers(size_t log2_bytes) : log2(log2_bytes), bytes(kVectorSize << log2_bytes) {}
  uint64_t Get(size_t i) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + (i << log2), size_t{1} << log2);
    return value;
  }
  void Set(size_t i, uint64_t value) { std::memcpy(bytes.data() + (i << log2), &value, size_t{1} << log2); }
  uint64_t mask() const { return MaskOf(8u << log2); }
  size_t log2;
  std::vector<std::byte> bytes;
};

Integers RandomIntegers(std::mt19937_64& random, size_t log2, unsigned width) {
  Integers values(log2);
  for (size_t i = 0; i < kVectorSize; i++) values.Set(i, random() & MaskOf(width));
  return values;
}

/// The layout bit by bit: value i is in lane i % lanes, at bit i / lanes * width of that lane's words.
std::vector<std::byte> PackPlainly(const Integers& values, unsigned width) {
  std::vector<std::byte> packed(128 * width);
  const size_t lane_bits = size_t{8} << values.log2, lanes = kVectorSize / lane_bits;
  for (size_t i = 0; i < kVectorSize; i++) {
    for (unsigned bit = 0; bit < width; bit++) {
      if (((values.Get(i) >> bit) & 1) == 0) continue;
      const size_t at = i / lanes * width + bit;
      const size_t word = at / lane_bits * lanes + i % lanes;
      const size_t in_word = at % lane_bits;
      packed[word * (lane_bits / 8) + in_word / 8] |= std::byte(1 << (in_word % 8));
    }
  }
  return packed;
}

TEST_CASE("bit packing has one layout at all levels and gives back its values", "[kernels]") {
  std::mt19937_64 random(41);
  for (unsigned width = 0; width <= 64; width++) {
    const size_t lane = LaneOfWidth(width);
    REQUIRE(width <= (8u << lane));
    const Integers values = RandomIntegers(random, lane, width);
    const std::vector<std::byte> expected = PackPlainly(values, width);
    const uint64_t base = random();
    for (const KernelLevel level : KernelLevels()) {
      const KernelTable& kernels = KernelsOf(level);
      INFO("width " << width << " level " << KernelLevelName(level));
      std::vector<std::byte> packed(128 * width + 1);  // At an odd address: no alignment is wanted.
      kernels.pack[lane](values.bytes.data(), width, packed.data() + 1);
      REQUIRE(std::equal(expected.begin(), expected.end(), packed.begin() + 1));
      Integers out(lane);
      kernels.unpack[width](packed.data() + 1, base, out.bytes.data());
      for (size_t i = 0; i < kVectorSize; i++) {
        if (out.Get(i) != ((values.Get(i) + base) & out.mask())) REQUIRE(i == kVectorSize);
      }
    }
  }
}

TEST_CASE("packing takes only the lowest bits", "[kernels]") {
  std::mt19937_64 random(42);
  for (unsigned width = 1; width <= 64; width += 3) {
    const size_t lane = LaneOfWidth(width);
    const Integers dirty = RandomIntegers(random, lane, 64);
    Integers clean(lane);
    for (size_t i = 0; i < kVectorSize; i++) clean.Set(i, dirty.Get(i) & MaskOf(width));
    for (const KernelLevel level : KernelLevels()) {
      std::vector<std::byte> packed(128 * width);
      KernelsOf(level).pack[lane](dirty.bytes.data(), width, packed.data());
      REQUIRE(packed == PackPlainly(clean, width));
    }
  }
}

TEST_CASE("integers are widened and narrowed around a base", "[kernels]") {
  std::mt19937_64 random(43);
  for (const KernelLevel level : KernelLevels()) {
    const KernelTable& kernels = KernelsOf(level);
    for (size_t from = 0; from < 4; from++) {
      for (size_t to = 0; to < 4; to++) {
        const Integers values = RandomIntegers(random, from, 64);
        const uint64_t base = random();
        Integers out(to);
        if (from < to) {
          kernels.widen[from][to](values.bytes.data(), base, out.bytes.data());
        } else {
          kernels.narrow[from][to](values.bytes.data(), base, out.bytes.data());
        }
        for (size_t i = 0; i < kVectorSize; i++) {
          const uint64_t expected = from < to ? values.Get(i) + base : values.Get(i) - base;
          if (out.Get(i) != (expected & out.mask())) REQUIRE(i == kVectorSize);
        }
      }
    }
  }
}

TEST_CASE("running sums wrap", "[kernels]") {
  std::mt19937_64 random(44);
  for (const KernelLevel level : KernelLevels()) {
    for (size_t log2 = 0; log2 < 4; log2++) {
      const Integers values = RandomIntegers(random, log2, 64);
      Integers out = values;
      const uint64_t start = random();
      KernelsOf(level).prefix_sum[log2](out.bytes.data(), start);
      uint64_t sum = start;
      for (size_t i = 0; i < kVectorSize; i++) {
        sum += values.Get(i);
        if (out.Get(i) != (sum & out.mask())) REQUIRE(i == kVectorSize);
      }
    }
  }
}

TEST_CASE("values are laid over a ramp", "[kernels]") {
  std::mt19937_64 random(45);
  for (const KernelLevel level : KernelLevels()) {
    for (size_t from = 0; from < 4; from++) {
      for (size_t to = from + 1; to < 4; to++) {
        const Integers values = RandomIntegers(random, from, 64);
        const uint64_t start = random(), step = random();
        Integers out(to);
        KernelsOf(level).add_ramp[from][to](values.bytes.data(), start, step, out.bytes.data());
        for (size_t i = 0; i < kVectorSize; i++) {
          const uint64_t expected = start + i * step + values.Get(i);
          if (out.Get(i) != (expected & out.mask())) REQUIRE(i == kVectorSize);
        }
      }
    }
  }
}

}  // namespace
}  // namespace scaup
