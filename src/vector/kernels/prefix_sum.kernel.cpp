// Kernels: running sums of 1024 integers, which turn differences between neighbours back into values.
#include <utility>

#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

#if defined(__AVX512BW__)
constexpr size_t kRegisterBytes = 64;
#elif defined(__AVX2__)
constexpr size_t kRegisterBytes = 32;
#else
constexpr size_t kRegisterBytes = 16;
#endif

template <typename T>
struct Scan {
  typedef T Register __attribute__((vector_size(kRegisterBytes)));
  static constexpr unsigned kValues = kRegisterBytes / sizeof(T);

  /// Shifts lanes up: value[i - kDistance], or zero at the beginning.
  template <unsigned kDistance, unsigned... kPlaces>
  static Register MoveUp(Register value, std::integer_sequence<unsigned, kPlaces...> /*places*/) {
    return __builtin_shufflevector(Register{}, value, kPlaces + kValues - kDistance...);
  }
  static Register RepeatLast(Register value) { return Register{} + value[kValues - 1]; }

  /// Computes running sums within a register, in log2 steps.
  template <unsigned kDistance = 1>
  static Register Sums(Register value) {
    if constexpr (kDistance < kValues) {
      return Sums<kDistance * 2>(value +
                                 MoveUp<kDistance>(value, std::make_integer_sequence<unsigned, kValues>()));
    } else {
      return value;
    }
  }
};

template <typename T>
void PrefixSum(void* values_in, uint64_t start) {
  using S = Scan<T>;
  auto* values = static_cast<std::byte*>(values_in);
  typename S::Register carry = typename S::Register{} + static_cast<T>(start);
  for (size_t at = 0; at < kVectorSize * sizeof(T); at += kRegisterBytes) {
    typename S::Register sums;
    __builtin_memcpy(&sums, values + at, sizeof(sums));
    sums = S::Sums(sums);
    const typename S::Register out = sums + carry;
    __builtin_memcpy(values + at, &out, sizeof(out));
    // Only this addition depends on the previous register.
    carry += S::RepeatLast(sums);
  }
}

template <typename From, typename To>
void AddRamp(const void* values_in, uint64_t start, uint64_t step, void* out_in) {
  const From* __restrict values = static_cast<const From*>(values_in);
  To* __restrict out = static_cast<To*>(out_in);
  // Added instead of multiplied: there is no multiplication of 64-bit lanes before AVX-512.
  To ramp = static_cast<To>(start);
  for (size_t i = 0; i < kVectorSize; i++) {
    out[i] = static_cast<To>(ramp + values[i]);
    ramp = static_cast<To>(ramp + static_cast<To>(step));
  }
}

}  // namespace

void FillPrefixSum(KernelTable& table) {
  table.prefix_sum[0] = &PrefixSum<uint8_t>;
  table.prefix_sum[1] = &PrefixSum<uint16_t>;
  table.prefix_sum[2] = &PrefixSum<uint32_t>;
  table.prefix_sum[3] = &PrefixSum<uint64_t>;
  table.add_ramp[0][1] = &AddRamp<uint8_t, uint16_t>;
  table.add_ramp[0][2] = &AddRamp<uint8_t, uint32_t>;
  table.add_ramp[0][3] = &AddRamp<uint8_t, uint64_t>;
  table.add_ramp[1][2] = &AddRamp<uint16_t, uint32_t>;
  table.add_ramp[1][3] = &AddRamp<uint16_t, uint64_t>;
  table.add_ramp[2][3] = &AddRamp<uint32_t, uint64_t>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
