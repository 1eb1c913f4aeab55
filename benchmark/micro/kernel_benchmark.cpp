// Kernels over full vectors, at every instruction-set level: arithmetic, comparison, selection, hashing,
// reduction.
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernel_levels.hpp"

namespace scaup {
namespace {

template <typename T>
constexpr KernelType KernelTypeOf() {
  if constexpr (std::is_same_v<T, int16_t>) return KernelType::kInt16;
  if constexpr (std::is_same_v<T, int32_t>) return KernelType::kInt32;
  if constexpr (std::is_same_v<T, int64_t>) return KernelType::kInt64;
  return KernelType::kDouble;
}

/// 1024 small values without a pattern that a branch predictor could learn.
template <typename T>
std::vector<T> SmallValues(uint64_t seed) {
  std::vector<T> values(kVectorSize);
  for (T& value : values) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    value = static_cast<T>(seed >> 58);
  }
  return values;
}

template <typename T>
void RegisterArithmetic(const std::string& type_name) {
  constexpr size_t kType = static_cast<size_t>(KernelTypeOf<T>());
  constexpr size_t kMultiply = static_cast<size_t>(ArithmeticOp::kMultiply);
  RegisterPerLevel("multiply/" + type_name, [](benchmark::State& state, const KernelTable& kernels) {
    const std::vector<T> a = SmallValues<T>(1), b = SmallValues<T>(2);
    std::vector<T> out(kVectorSize);
    for (auto _ : state) {
      kernels.arithmetic[kMultiply][kType](a.data(), b.data(), out.data(), kVectorSize, false, false);
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
    CountRows(state);
  });
  if constexpr (std::is_integral_v<T>) {
    RegisterPerLevel("multiply_checked/" + type_name,
                     [](benchmark::State& state, const KernelTable& kernels) {
                       const std::vector<T> a = SmallValues<T>(1), b = SmallValues<T>(2);
                       std::vector<T> out(kVectorSize);
                       for (auto _ : state) {
                         benchmark::DoNotOptimize(kernels.checked_arithmetic[kMultiply][kType](
                             a.data(), b.data(), out.data(), kVectorSize, false, false));
                         benchmark::ClobberMemory();
                       }
                       CountRows(state);
                     });
  }
}

template <typename T>
void RegisterComparison(const std::string& type_name) {
  constexpr size_t kType = static_cast<size_t>(KernelTypeOf<T>());
  RegisterPerLevel("less_than_constant/" + type_name,
                   [](benchmark::State& state, const KernelTable& kernels) {
                     const std::vector<T> values = SmallValues<T>(3);
                     const T constant = 32;
                     std::vector<uint8_t> mask(kVectorSize);
                     for (auto _ : state) {
                       kernels.compare[static_cast<size_t>(CompareOp::kLess)][kType](
                           values.data(), &constant, mask.data(), kVectorSize, true);
                       benchmark::DoNotOptimize(mask.data());
                       benchmark::ClobberMemory();
                     }
                     CountRows(state);
                   });
  RegisterPerLevel("between/" + type_name, [](benchmark::State& state, const KernelTable& kernels) {
    const std::vector<T> values = SmallValues<T>(4);
    const T low = 8, high = 40;
    std::vector<uint8_t> mask(kVectorSize);
    for (auto _ : state) {
      kernels.between[kType](values.data(), &low, &high, mask.data(), kVectorSize);
      benchmark::DoNotOptimize(mask.data());
      benchmark::ClobberMemory();
    }
    CountRows(state);
  });
  RegisterPerLevel("min_max/" + type_name, [](benchmark::State& state, const KernelTable& kernels) {
    const std::vector<T> values = SmallValues<T>(5);
    T minimum, maximum;
    for (auto _ : state) {
      kernels.min_max[kType](values.data(), kVectorSize, &minimum, &maximum);
      benchmark::DoNotOptimize(minimum);
      benchmark::DoNotOptimize(maximum);
    }
    CountRows(state);
  });
}

void RegisterSelection() {
  for (const int percent : {1, 50, 99}) {
    RegisterPerLevel("select/" + std::to_string(percent) + "_percent",
                     [percent](benchmark::State& state, const KernelTable& kernels) {
                       std::vector<uint8_t> mask(kVectorSize);
                       uint64_t seed = 6;
                       for (uint8_t& bit : mask) {
                         seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                         bit = static_cast<int>((seed >> 33) % 100) < percent;
                       }
                       SelectionVector selection;
                       for (auto _ : state)
                         benchmark::DoNotOptimize(kernels.select(mask.data(), kVectorSize, selection.rows));
                       CountRows(state);
                     });
  }
}

template <typename T>
void RegisterHash(const std::string& type_name, size_t width_index) {
  RegisterPerLevel("hash/" + type_name, [width_index](benchmark::State& state, const KernelTable& kernels) {
    const std::vector<T> values = SmallValues<T>(7);
    std::vector<uint64_t> hashes(kVectorSize);
    for (auto _ : state) {
      kernels.hash[width_index](values.data(), kVectorSize, hashes.data());
      benchmark::DoNotOptimize(hashes.data());
      benchmark::ClobberMemory();
    }
    CountRows(state);
  });
}

template <typename T>
void RegisterSum(const std::string& type_name, size_t index) {
  RegisterPerLevel("sum/" + type_name, [index](benchmark::State& state, const KernelTable& kernels) {
    const std::vector<T> values = SmallValues<T>(8);
    for (auto _ : state) {
      __int128 sum = 0;
      kernels.sum_integers[index](values.data(), kVectorSize, &sum);
      benchmark::DoNotOptimize(sum);
    }
    CountRows(state);
  });
}

const bool kRegistered = [] {
  RegisterArithmetic<int32_t>("int32");
  RegisterArithmetic<int64_t>("int64");
  RegisterArithmetic<double>("double");
  RegisterComparison<int32_t>("int32");
  RegisterComparison<int64_t>("int64");
  RegisterComparison<double>("double");
  RegisterSelection();
  RegisterHash<int32_t>("int32", 2);
  RegisterHash<int64_t>("int64", 3);
  RegisterSum<int16_t>("int16", 0);
  RegisterSum<int32_t>("int32", 1);
  RegisterSum<int64_t>("int64", 2);
  return true;
}();

}  // namespace
}  // namespace scaup
