// The table of kernels compiled once per instruction-set level, and the choice of a level at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vector/selection_vector.hpp"

namespace scaup {

/// Instruction-set levels, ascending. kPlain is what every machine can run.
enum class KernelLevel : uint8_t { kPlain = 0, kV2 = 2, kV3 = 3, kV4 = 4 };

enum class CompareOp : uint8_t {
  kEqual = 0,
  kNotEqual = 1,
  kLess = 2,
  kLessEqual = 3,
  kGreater = 4,
  kGreaterEqual = 5
};

/// Types that have arithmetic and comparison kernels; the index into the kernel tables.
enum class KernelType : uint8_t { kInt8 = 0, kInt16 = 1, kInt32 = 2, kInt64 = 3, kFloat = 4, kDouble = 5 };
inline constexpr size_t kKernelTypes = 6;

/// Kernels of one level. All work on flat arrays of `count` values; `b_is_constant` says that b has one
/// value. Stateless and thread-safe.
struct KernelTable {
  KernelLevel level;

  /// out = a op b without any check (integers wrap). Index: [ArithmeticOp][KernelType].
  using Arithmetic = void (*)(const void* a, const void* b, void* out, size_t count, bool a_is_constant,
                              bool b_is_constant);
  /// Computes, and returns true if any result left its type's range: an integer that overflowed (out then
  /// holds wrapped values), infinity from finite floats, zero as a product of floats that are not zero.
  using CheckedArithmetic = bool (*)(const void* a, const void* b, void* out, size_t count,
                                     bool a_is_constant, bool b_is_constant);
  Arithmetic arithmetic[3][kKernelTypes];  // add, subtract, multiply
  CheckedArithmetic checked_arithmetic[3][kKernelTypes];

  /// out[i] = a[i] op b[i] as 0 or 1. Floats compare as PostgreSQL does: NaN equals NaN and is above all
  /// else.
  using Compare = void (*)(const void* a, const void* b, uint8_t* out, size_t count, bool b_is_constant);
  Compare compare[6][kKernelTypes];
  /// out[i] = low <= a[i] && a[i] <= high.
  using Between = void (*)(const void* a, const void* low, const void* high, uint8_t* out, size_t count);
  Between between[kKernelTypes];

  /// Writes the rows i with mask[i] != 0 in ascending order; returns their number.
  size_t (*select)(const uint8_t* mask, size_t count, sel_t* out);
  /// a[i] &= b[i], a[i] |= b[i] over 0/1 bytes.
  void (*mask_and)(uint8_t* a, const uint8_t* b, size_t count);
  void (*mask_or)(uint8_t* a, const uint8_t* b, size_t count);
  /// out[i] = values[i] where mask[i] is 1; other rows stay. Index: log2 of the bytes of a value, up to 4.
  void (*blend[5])(const uint8_t* mask, const void* values, bool is_constant, void* out, size_t count);
  /// out[i] = HashInteger(values[i]) for 1, 2, 4, 8-byte integers, sign-extended. Index: log2 of the width.
  void (*hash[4])(const void* values, size_t count, uint64_t* out);
  /// The sum of 16-, 32-, 64-bit integers as 128 bits (index 0, 1, 2).
  void (*sum_integers[3])(const void* values, size_t count, __int128* out);
  /// Minimum and maximum of `count` >= 1 values.
  void (*min_max[kKernelTypes])(const void* values, size_t count, void* minimum, void* maximum);

  /// Bit packing in FastLanes' interleaved layout, always 1024 unsigned values: a width of w bits takes
  /// 128 * w bytes, in words ("lanes") of the narrowest type that holds w bits, 1 << LaneOfWidth(w) bytes.
  /// Packed bytes need no alignment.
  /// out[i] = base + value i, modulo the lane's type. Index: width.
  void (*unpack[65])(const std::byte* packed, uint64_t base, void* out);
  /// Packs the lowest `width` bits of each value. Index: LaneOfWidth(width).
  void (*pack[4])(const void* values, unsigned width, std::byte* packed);
  /// out[i] = base + values[i] for 1024 unsigned values to a wider type. Index: [log2 from][log2 to] bytes;
  /// null where it would not widen.
  void (*widen[4][4])(const void* values, uint64_t base, void* out);
  /// out[i] = values[i] - base, cut to a type that is not wider. Index as above.
  void (*narrow[4][4])(const void* values, uint64_t base, void* out);
  /// values[i] = start + values[0] + ... + values[i] for 1024 wrapping integers. Index: log2 of the bytes.
  void (*prefix_sum[4])(void* values, uint64_t start);
  /// out[i] = (integers[i] + offset) * factor * inverse for 1024 doubles, to float (index 0) or double (1).
  void (*scale_decimals[2])(const void* integers, double offset, double factor, double inverse, void* out);
  /// out[i] = start + i * step + values[i] for 1024 unsigned values, wrapping in a wider type. Index: [log2
  /// from][log2 to] bytes; null where it would not widen.
  void (*add_ramp[4][4])(const void* values, uint64_t start, uint64_t step, void* out);
};

/// The lane that values of `width` <= 64 bits are packed in, as log2 of its bytes.
constexpr size_t LaneOfWidth(unsigned width) {
  return width <= 8 ? 0 : width <= 16 ? 1 : width <= 32 ? 2 : 3;
}

enum class ArithmeticOp : uint8_t { kAdd = 0, kSubtract = 1, kMultiply = 2 };

/// The kernels of a level. REQUIRES: the machine supports it (level <= BestKernelLevel()).
const KernelTable& KernelsOf(KernelLevel level);
/// The highest level that this machine runs.
KernelLevel BestKernelLevel();
/// "plain", "v2", "v3", "v4"; nullopt for other text.
std::optional<KernelLevel> KernelLevelFromName(std::string_view name);
const char* KernelLevelName(KernelLevel level);

}  // namespace scaup
