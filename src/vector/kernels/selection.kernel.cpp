// Kernels: masks of 0/1 bytes combined, and turned into lists of rows.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// For each set of 8 rows, which of them are in it, ascending; the rest of the entry is zero.
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

// The set of non-zero bytes among the eight at `mask`, lowest address in the lowest bit.
unsigned GatherBits(const uint8_t* mask) {
  uint64_t word;
  __builtin_memcpy(&word, mask, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  constexpr uint64_t kLow7 = 0x7f7f7f7f7f7f7f7fULL;
  word = ((((word & kLow7) + kLow7) | word) & ~kLow7) >> 7;  // 1 in every byte that was not zero.
  return static_cast<unsigned>((word * 0x0102040810204080ULL) >> 56);
}

// Branchless: eight rows at a time are written whether wanted or not, and the end moves by how many were.
// The end never passes the rows read so far, so the surplus stays inside out[0 .. count).
size_t Select(const uint8_t* mask, size_t count, sel_t* out) {
  size_t found = 0;
  size_t row = 0;
  for (; row + 8 <= count; row += 8) {
    const unsigned set = GatherBits(mask + row);
    const uint8_t* rows = kRowTable.rows[set];
    sel_t* target = out + found;
    for (int i = 0; i < 8; i++) target[i] = static_cast<sel_t>(row) + rows[i];
    found += static_cast<size_t>(__builtin_popcount(set));
  }
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
