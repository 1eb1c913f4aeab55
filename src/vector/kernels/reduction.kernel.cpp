// Kernels: sum, minimum and maximum of an array.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// The sum of 2^31 32-bit values fits into 64 bits, and no caller passes more.
template <typename T>
void SumNarrow(const void* values_in, size_t count, __int128* out) {
  const T* values = static_cast<const T*>(values_in);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  *out = sum;
}

// The halves are summed separately, which vectorizes; a 128-bit sum does not.
void SumInt64(const void* values_in, size_t count, __int128* out) {
  const int64_t* values = static_cast<const int64_t*>(values_in);
  int64_t high = 0;
  uint64_t low = 0;
  for (size_t i = 0; i < count; i++) {
    high += values[i] >> 32;
    low += static_cast<uint64_t>(values[i]) & 0xffffffffU;
  }
  *out = static_cast<__int128>(high) * (static_cast<__int128>(1) << 32) + static_cast<__int128>(low);
}

template <typename T>
void MinMaxInteger(const void* values_in, size_t count, void* minimum, void* maximum) {
  const T* values = static_cast<const T*>(values_in);
  T low = values[0], high = values[0];
  for (size_t i = 0; i < count; i++) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
  }
  *static_cast<T*>(minimum) = low;
  *static_cast<T*>(maximum) = high;
}

// NaN is above everything: it is the minimum only if all values are NaN. Lanes are separated by hand, because
// the compiler may not reorder a reduction of floats.
template <typename T>
void MinMaxFloat(const void* values_in, size_t count, void* minimum, void* maximum) {
  constexpr size_t kLanes = 16;
  const T* values = static_cast<const T*>(values_in);
  T low[kLanes], high[kLanes];
  for (size_t lane = 0; lane < kLanes; lane++) {
    low[lane] = static_cast<T>(__builtin_inf());
    high[lane] = -static_cast<T>(__builtin_inf());
  }
  size_t nan_count = 0;
  for (size_t i = 0; i < count; i++) nan_count += values[i] != values[i];
  size_t row = 0;
  for (; row + kLanes <= count; row += kLanes) {
    for (size_t lane = 0; lane < kLanes; lane++) {
      const T value = values[row + lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
    }
  }
  for (; row < count; row++) {
    low[0] = values[row] < low[0] ? values[row] : low[0];
    high[0] = values[row] > high[0] ? values[row] : high[0];
  }
  for (size_t lane = 1; lane < kLanes; lane++) {
    low[0] = low[lane] < low[0] ? low[lane] : low[0];
    high[0] = high[lane] > high[0] ? high[lane] : high[0];
  }
  const T nan = static_cast<T>(__builtin_nan(""));
  *static_cast<T*>(minimum) = nan_count == count ? nan : low[0];
  *static_cast<T*>(maximum) = nan_count != 0 ? nan : high[0];
}

}  // namespace

void FillReduction(KernelTable& table) {
  table.sum_integers[0] = &SumNarrow<int16_t>;
  table.sum_integers[1] = &SumNarrow<int32_t>;
  table.sum_integers[2] = &SumInt64;
  table.min_max[0] = &MinMaxInteger<int8_t>;
  table.min_max[1] = &MinMaxInteger<int16_t>;
  table.min_max[2] = &MinMaxInteger<int32_t>;
  table.min_max[3] = &MinMaxInteger<int64_t>;
  table.min_max[4] = &MinMaxFloat<float>;
  table.min_max[5] = &MinMaxFloat<double>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
