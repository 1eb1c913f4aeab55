// Kernels: packing and unpacking of 1024 unsigned integers of any width in FastLanes' interleaved layout.
#include "common/check.hpp"
#include "vector/kernels/kernel_list.hpp"

// The layout (Afroozeh and Boncz, VLDB 2023): words of T = 8, 16, 32 or 64 bits form 1024 / T lanes. Value i
// is in lane i % (1024 / T), and a lane's values are packed one after the other in that lane's words. A row
// of words, one per lane, always has 128 bytes. So the same shifts and masks apply to as many lanes as a
// register holds, and registers of any size read the same bytes.
namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

#if defined(__AVX512BW__)
constexpr size_t kRegisterBytes = 64;
#elif defined(__AVX2__)
constexpr size_t kRegisterBytes = 32;
#else
constexpr size_t kRegisterBytes = 16;
#endif
constexpr size_t kRowBytes = 128;

/// A SIMD register of lanes of one type.
template <typename Lane>
struct Lanes {
  typedef Lane Register __attribute__((vector_size(kRegisterBytes)));
  static constexpr unsigned kBits = sizeof(Lane) * 8;
  static Register Load(const std::byte* from) {
    Register value;
    __builtin_memcpy(&value, from, sizeof(value));
    return value;
  }
  static void Store(Register value, std::byte* to) { __builtin_memcpy(to, &value, sizeof(value)); }
  static constexpr Lane Mask(unsigned width) {
    return width == 0 ? Lane{0} : static_cast<Lane>(static_cast<Lane>(~Lane{0}) >> (kBits - width));
  }
};

// x86 has no shifts of bytes: pairs are shifted, and the bits from the neighbour are masked off.
using BytePairs = Lanes<uint16_t>::Register;

/// Extracts bits [shift, shift + width) of every lane. REQUIRES: shift + width is at most the lane's bits.
template <typename Lane>
typename Lanes<Lane>::Register TakeBits(typename Lanes<Lane>::Register word, unsigned shift, unsigned width) {
  SCAUP_ASSERT(shift + width <= Lanes<Lane>::kBits);
  using Register = typename Lanes<Lane>::Register;
  if constexpr (sizeof(Lane) == 1) {
    const auto shifted = (Register)((BytePairs)word >> shift);
    return shifted & Lanes<Lane>::Mask(width);
  } else {
    const Register shifted = word >> shift;
    return shift + width == Lanes<Lane>::kBits ? shifted : shifted & Lanes<Lane>::Mask(width);
  }
}

/// Shifts the lowest `width` bits of every lane up by `shift`. REQUIRES: shift + width is at most the lane's
/// bits.
template <typename Lane>
typename Lanes<Lane>::Register PutBits(typename Lanes<Lane>::Register word, unsigned shift, unsigned width) {
  SCAUP_ASSERT(shift + width <= Lanes<Lane>::kBits);
  using Register = typename Lanes<Lane>::Register;
  const Register kept = word & Lanes<Lane>::Mask(width);
  if constexpr (sizeof(Lane) == 1) {
    return (Register)((BytePairs)kept << shift);
  } else {
    return kept << shift;
  }
}

/// Becomes straight-line code for one register's lanes once the loop is unrolled: all shifts, masks and
/// offsets are constants.
template <typename Lane, unsigned kWidth>
void UnpackRegister(const std::byte* packed, Lane base, std::byte* out) {
  using L = Lanes<Lane>;
  typename L::Register word = L::Load(packed);
#pragma GCC unroll 64
  for (unsigned row = 0; row < L::kBits; row++) {
    const unsigned shift = row * kWidth % L::kBits;
    const unsigned here = shift + kWidth <= L::kBits ? kWidth : L::kBits - shift;
    typename L::Register value = TakeBits<Lane>(word, shift, here);
    if (shift + kWidth >= L::kBits && row + 1 < L::kBits) {
      packed += kRowBytes;
      word = L::Load(packed);
      if (here < kWidth) value |= PutBits<Lane>(word, here, kWidth - here);
    }
    L::Store(value + base, out + row * kRowBytes);
  }
}

template <typename Lane, unsigned kWidth>
void Unpack(const std::byte* packed, uint64_t base, void* out_in) {
  auto* out = static_cast<std::byte*>(out_in);
  if constexpr (kWidth == 0) {
    for (size_t i = 0; i < kVectorSize; i++) static_cast<Lane*>(out_in)[i] = static_cast<Lane>(base);
  } else {
    for (size_t at = 0; at < kRowBytes; at += kRegisterBytes) {
      UnpackRegister<Lane, kWidth>(packed + at, static_cast<Lane>(base), out + at);
    }
  }
}

template <typename Lane, unsigned kWidth, unsigned kLastWidth>
void FillUnpack(KernelTable& table) {
  table.unpack[kWidth] = &Unpack<Lane, kWidth>;
  if constexpr (kWidth < kLastWidth) FillUnpack<Lane, kWidth + 1, kLastWidth>(table);
}

/// Packing is rare compared with unpacking, so one function serves all widths of a lane.
template <typename Lane>
void Pack(const void* values_in, unsigned width, std::byte* packed) {
  using L = Lanes<Lane>;
  if (width == 0) return;
  const auto* values = static_cast<const std::byte*>(values_in);
  for (size_t at = 0; at < kRowBytes; at += kRegisterBytes) {
    std::byte* out = packed + at;
    typename L::Register word{};
    unsigned shift = 0;
    for (unsigned row = 0; row < L::kBits; row++) {
      const typename L::Register value = L::Load(values + row * kRowBytes + at);
      const unsigned here = shift + width <= L::kBits ? width : L::kBits - shift;
      word |= PutBits<Lane>(value, shift, here);
      shift += width;
      if (shift < L::kBits) continue;
      L::Store(word, out);
      out += kRowBytes;
      shift -= L::kBits;
      word = shift == 0 ? typename L::Register{} : TakeBits<Lane>(value, here, shift);
    }
  }
}

template <typename From, typename To>
void Widen(const void* values_in, uint64_t base, void* out_in) {
  const From* __restrict values = static_cast<const From*>(values_in);
  To* __restrict out = static_cast<To*>(out_in);
  for (size_t i = 0; i < kVectorSize; i++) out[i] = static_cast<To>(values[i] + static_cast<To>(base));
}

template <typename From, typename To>
void Narrow(const void* values_in, uint64_t base, void* out_in) {
  const From* __restrict values = static_cast<const From*>(values_in);
  To* __restrict out = static_cast<To*>(out_in);
  for (size_t i = 0; i < kVectorSize; i++) out[i] = static_cast<To>(values[i] - static_cast<From>(base));
}

template <typename From>
void FillConversions(KernelTable& table, size_t from) {
  table.narrow[from][0] = &Narrow<From, uint8_t>;
  if constexpr (sizeof(From) >= 2) table.narrow[from][1] = &Narrow<From, uint16_t>;
  if constexpr (sizeof(From) >= 4) table.narrow[from][2] = &Narrow<From, uint32_t>;
  if constexpr (sizeof(From) >= 8) table.narrow[from][3] = &Narrow<From, uint64_t>;
  if constexpr (sizeof(From) < 2) table.widen[from][1] = &Widen<From, uint16_t>;
  if constexpr (sizeof(From) < 4) table.widen[from][2] = &Widen<From, uint32_t>;
  if constexpr (sizeof(From) < 8) table.widen[from][3] = &Widen<From, uint64_t>;
}

}  // namespace

void FillBitPacking(KernelTable& table) {
  FillUnpack<uint8_t, 0, 8>(table);
  FillUnpack<uint16_t, 9, 16>(table);
  FillUnpack<uint32_t, 17, 32>(table);
  FillUnpack<uint64_t, 33, 64>(table);
  table.pack[0] = &Pack<uint8_t>;
  table.pack[1] = &Pack<uint16_t>;
  table.pack[2] = &Pack<uint32_t>;
  table.pack[3] = &Pack<uint64_t>;
  FillConversions<uint8_t>(table, 0);
  FillConversions<uint16_t>(table, 1);
  FillConversions<uint32_t>(table, 2);
  FillConversions<uint64_t>(table, 3);
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
