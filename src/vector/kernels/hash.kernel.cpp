// Kernels: hashes of integers.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// The formula of HashInteger in common/hash.hpp, which must not be included here (see kernel_list.hpp). A
// test checks that both agree.
uint64_t Mix(uint64_t value) {
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  value ^= value >> 32;
  return value;
}

template <typename T>
void Hash(const void* values_in, size_t count, uint64_t* out) {
  const T* values = static_cast<const T*>(values_in);
  for (size_t i = 0; i < count; i++) out[i] = Mix(static_cast<uint64_t>(static_cast<int64_t>(values[i])));
}

}  // namespace

void FillHash(KernelTable& table) {
  table.hash[0] = &Hash<int8_t>;
  table.hash[1] = &Hash<int16_t>;
  table.hash[2] = &Hash<int32_t>;
  table.hash[3] = &Hash<int64_t>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
