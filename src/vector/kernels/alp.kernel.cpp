// Kernels: decode ALP, integers held in doubles, to the decimals that they represent.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// No product is followed by a sum here: some levels would fuse them and round once, others twice.
template <typename T>
void ScaleDecimals(const void* integers_in, double offset, double factor, double inverse, void* out_in) {
  const double* __restrict integers = static_cast<const double*>(integers_in);
  T* __restrict out = static_cast<T*>(out_in);
  for (size_t i = 0; i < kVectorSize; i++) {
    out[i] = static_cast<T>((integers[i] + offset) * factor * inverse);
  }
}

}  // namespace

void FillAlp(KernelTable& table) {
  table.scale_decimals[0] = &ScaleDecimals<float>;
  table.scale_decimals[1] = &ScaleDecimals<double>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
