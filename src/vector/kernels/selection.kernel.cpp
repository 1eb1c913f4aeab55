// Kernels: combination of masks of 0/1 bytes, and their conversion to lists of rows.
#include "vector/kernels/kernel_list.hpp"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// For each set of 8 rows, its members in ascending order; the rest of the entry is zero.
struct RowTable {
  uint8_t rows[256][8];
  constexpr RowTable() : rows{} {
    for (int set = 0; set < 256; set++) {
      int found = 0;
      for (int row = 0; row < 8; row++) {
        if ((set >> row) & 1) rows[set][found++] = static_cast<uint8_t>(row);
      }
    }
  }
};
constexpr RowTable kRowTable;

// The set of non-zero bytes among the eight at `mask`; the lowest address is the lowest bit.
unsigned GatherBits(const uint8_t* mask) {
  uint64_t word;
  __builtin_memcpy(&word, mask, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  constexpr uint64_t kLow7 = 0x7f7f7f7f7f7f7f7fULL;
  word = ((((word & kLow7) + kLow7) | word) & ~kLow7) >> 7;  // 1 in every byte that was not zero
  return static_cast<unsigned>((word * 0x0102040810204080ULL) >> 56);
}

constexpr size_t kStretch = 64;

// Writes the selected rows of whole 64-row strides. Branchless: several rows are always written, and the end
// advances only by the number selected. The end never passes the rows read so far, so the surplus stays
// within out[0 .. count).
#if defined(__AVX512BW__)

size_t SelectStretches(const uint8_t* mask, size_t count, sel_t* out) {
  size_t found = 0;
  const __m512i first_rows = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (size_t begin = 0; begin + kStretch <= count; begin += kStretch) {
    const __m512i bytes = _mm512_loadu_si512(mask + begin);
    const uint64_t set = _mm512_test_epi8_mask(bytes, bytes);
    if (set == 0) continue;  // With few selected rows most strides have none.
    for (size_t i = 0; i < kStretch; i += 16) {
      const auto part = static_cast<__mmask16>(set >> i);
      const __m512i rows = _mm512_add_epi32(first_rows, _mm512_set1_epi32(static_cast<int>(begin + i)));
      // Compressed in a register: a masked store is slow on some machines.
      _mm512_storeu_si512(out + found, _mm512_maskz_compress_epi32(part, rows));
      found += static_cast<size_t>(__builtin_popcount(part));
    }
  }
  return found;
}

#endif

size_t SelectEight(const uint8_t* mask, size_t begin, sel_t* out) {
  const unsigned set = GatherBits(mask + begin);
  uint8_t rows[8];  // A copy, because the compiler must assume that `out` aliases the table.
  __builtin_memcpy(rows, kRowTable.rows[set], sizeof(rows));
  for (int i = 0; i < 8; i++) out[i] = static_cast<sel_t>(begin) + rows[i];
  return static_cast<size_t>(__builtin_popcount(set));
}

#if !defined(__AVX512BW__)

bool IsEmpty(const uint8_t* mask) {
  uint64_t words[kStretch / 8], any = 0;
  __builtin_memcpy(words, mask, kStretch);
  for (const uint64_t word : words) any |= word;
  return any == 0;
}

size_t SelectStretches(const uint8_t* mask, size_t count, sel_t* out) {
  size_t found = 0;
  for (size_t begin = 0; begin + kStretch <= count; begin += kStretch) {
    if (IsEmpty(mask + begin)) continue;  // With few selected rows most strides have none.
    for (size_t i = 0; i < kStretch; i += 8) found += SelectEight(mask, begin + i, out + found);
  }
  return found;
}

#endif

size_t Select(const uint8_t* mask, size_t count, sel_t* out) {
  size_t found = SelectStretches(mask, count, out);
  size_t row = count / kStretch * kStretch;
  for (; row + 8 <= count; row += 8) found += SelectEight(mask, row, out + found);
  for (; row < count; row++) {
    out[found] = static_cast<sel_t>(row);
    found += mask[row] != 0;
  }
  return found;
}

void MaskAnd(uint8_t* a, const uint8_t* b, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] &= b[i];
}

void MaskOr(uint8_t* a, const uint8_t* b, size_t count) {
  for (size_t i = 0; i < count; i++) a[i] |= b[i];
}

struct Wide {
  uint64_t words[2];
};

template <typename T>
void Blend(const uint8_t* mask, const void* values_in, bool is_constant, void* out_in, size_t count) {
  const T* values = static_cast<const T*>(values_in);
  T* out = static_cast<T*>(out_in);
  if (is_constant) {
    const T value = values[0];
    for (size_t i = 0; i < count; i++) out[i] = mask[i] != 0 ? value : out[i];
  } else {
    for (size_t i = 0; i < count; i++) out[i] = mask[i] != 0 ? values[i] : out[i];
  }
}

}  // namespace

void FillSelection(KernelTable& table) {
  table.blend[0] = &Blend<uint8_t>;
  table.blend[1] = &Blend<uint16_t>;
  table.blend[2] = &Blend<uint32_t>;
  table.blend[3] = &Blend<uint64_t>;
  table.blend[4] = &Blend<Wide>;
  table.select = &Select;
  table.mask_and = &MaskAnd;
  table.mask_or = &MaskOr;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
