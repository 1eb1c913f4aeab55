// The kernels of ALP: the same bits at every level, and the right ones.
#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "vector/kernel_table.hpp"

namespace scaup {
namespace {

TEST_CASE("decimals are scaled alike at every level", "[kernels]") {
  std::mt19937_64 random(5);
  std::vector<double> integers(kVectorSize);
  for (int round = 0; round < 20; round++) {
    const double factor = std::pow(10.0, round % 5), inverse = std::pow(10.0, -(round % 19));
    const double offset = -static_cast<double>(random() >> 14);
    for (double& integer : integers) integer = static_cast<double>(random() >> (12 + random() % 50));
    for (const KernelLevel level :
         {KernelLevel::kPlain, KernelLevel::kV2, KernelLevel::kV3, KernelLevel::kV4}) {
      if (level > BestKernelLevel()) break;
      std::vector<double> doubles(kVectorSize);
      std::vector<float> floats(kVectorSize);
      KernelsOf(level).scale_decimals[0](integers.data(), offset, factor, inverse, floats.data());
      KernelsOf(level).scale_decimals[1](integers.data(), offset, factor, inverse, doubles.data());
      size_t wrong = 0;
      for (size_t i = 0; i < kVectorSize; i++) {
        const double sum = integers[i] + offset;
        const double product = sum * factor;
        const double wanted = product * inverse;
        wrong += std::bit_cast<uint64_t>(wanted) != std::bit_cast<uint64_t>(doubles[i]);
        wrong += std::bit_cast<uint32_t>(static_cast<float>(wanted)) != std::bit_cast<uint32_t>(floats[i]);
      }
      REQUIRE(wrong == 0);
    }
  }
}

}  // namespace
}  // namespace scaup
