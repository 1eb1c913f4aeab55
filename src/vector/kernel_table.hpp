// The table of kernels, compiled once per instruction-set level, and the choice of a level at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vector/selection_vector.hpp"

namespace scaup {

/// The instruction-set levels, ascending. Every machine supports kPlain.
enum class KernelLevel : uint8_t { kPlain = 0, kV2 = 2, kV3 = 3, kV4 = 4 };

enum class CompareOp : uint8_t {
  kEqual = 0,
  kNotEqual = 1,
  kLess = 2,
  kLessEqual = 3,
  kGreater = 4,
  kGreaterEqual = 5
};

/// The types with arithmetic and comparison kernels; indexes into the kernel tables.
enum class KernelType : uint8_t { kInt8 = 0, kInt16 = 1, kInt32 = 2, kInt64 = 3, kFloat = 4, kDouble = 5 };
inline constexpr size_t kKernelTypes = 6;

/// The kernels of one level. They work on flat arrays of `count` values; `b_is_constant` means that b has a
/// single value. Stateless and thread-safe.
struct KernelTable {
  KernelLevel level;

  /// Computes out = a op b without checks; integers wrap. Index: [ArithmeticOp][KernelType].
  using Arithmetic = void (*)(const void* a, const void* b, void* out, size_t count, bool a_is_constant,
                              bool b_is_constant);
  /// Computes out = a op b, and returns whether any result left its type's range: an integer overflowed (out
  /// then holds wrapped values), finite floats yielded infinity, or floats other than zero had the product
  /// zero.
  using CheckedArithmetic = bool (*)(const void* a, const void* b, void* out, size_t count,
                                     bool a_is_constant, bool b_is_constant);
  Arithmetic arithmetic[3][kKernelTypes];  // add, subtract, multiply
  CheckedArithmetic checked_arithmetic[3][kKernelTypes];

  /// Sets out[i] = a[i] op b[i] as 0 or 1. As in PostgreSQL, NaN equals NaN and is above all other floats.
  using Compare = void (*)(const void* a, const void* b, uint8_t* out, size_t count, bool b_is_constant);
  Compare compare[6][kKernelTypes];
  /// Sets out[i] = low <= a[i] && a[i] <= high.
  using Between = void (*)(const void* a, const void* low, const void* high, uint8_t* out, size_t count);
  Between between[kKernelTypes];

  /// Writes the rows i with mask[i] != 0 in ascending order; returns their number.
  size_t (*select)(const uint8_t* mask, size_t count, sel_t* out);
  /// Computes a[i] &= b[i] and a[i] |= b[i] on 0/1 bytes.
  void (*mask_and)(uint8_t* a, const uint8_t* b, size_t count);
  void (*mask_or)(uint8_t* a, const uint8_t* b, size_t count);
  /// Sets out[i] = values[i] where mask[i] is 1; other rows do not change. Index: log2 of the bytes per
  /// value, up to 4.
  void (*blend[5])(const uint8_t* mask, const void* values, bool is_constant, void* out, size_t count);
  /// Sets out[i] = HashInteger(values[i]) for integers of 1, 2, 4, 8 bytes, sign-extended. Index: log2 of the
  /// width.
  void (*hash[4])(const void* values, size_t count, uint64_t* out);
  /// Computes the 128-bit sum of 16-, 32- or 64-bit integers (index 0, 1, 2).
  void (*sum_integers[3])(const void* values, size_t count, __int128* out);
  /// Computes minimum and maximum of `count` >= 1 values.
  void (*min_max[kKernelTypes])(const void* values, size_t count, void* minimum, void* maximum);

  /// Unpacks 1024 unsigned values from FastLanes' interleaved bit packing: out[i] = base + value i, modulo
  /// the lane's type. A width of w bits takes 128 * w bytes, in words ("lanes") of 1 << LaneOfWidth(w) bytes,
  /// the narrowest type that holds w bits. Packed bytes need no alignment. Index: width.
  void (*unpack[65])(const std::byte* packed, uint64_t base, void* out);
  /// Packs the lowest `width` bits of each of 1024 values. Index: LaneOfWidth(width).
  void (*pack[4])(const void* values, unsigned width, std::byte* packed);
  /// Widens 1024 unsigned values: out[i] = base + values[i]. Index: [log2 from][log2 to] bytes; null where it
  /// would not widen.
  void (*widen[4][4])(const void* values, uint64_t base, void* out);
  /// Narrows 1024 values, or retains their width: out[i] = values[i] - base, truncated. Index as above.
  void (*narrow[4][4])(const void* values, uint64_t base, void* out);
  /// Computes running sums of 1024 wrapping integers: values[i] = start + values[0] + ... + values[i]. Index:
  /// log2 of the bytes.
  void (*prefix_sum[4])(void* values, uint64_t start);
  /// Sets out[i] = (integers[i] + offset) * factor * inverse for 1024 doubles; out is float (index 0) or
  /// double (1).
  void (*scale_decimals[2])(const void* integers, double offset, double factor, double inverse, void* out);
  /// Sets out[i] = start + i * step + values[i] for 1024 unsigned values, wrapping in a wider type. Index:
  /// [log2 from][log2 to] bytes; null where it would not widen.
  void (*add_ramp[4][4])(const void* values, uint64_t start, uint64_t step, void* out);
};

/// The lane type in which values of `width` <= 64 bits are packed, as log2 of its bytes.
constexpr size_t LaneOfWidth(unsigned width) {
  return width <= 8 ? 0 : width <= 16 ? 1 : width <= 32 ? 2 : 3;
}

enum class ArithmeticOp : uint8_t { kAdd = 0, kSubtract = 1, kMultiply = 2 };

/// The kernels of a level. REQUIRES: the machine supports it (level <= BestKernelLevel()).
const KernelTable& KernelsOf(KernelLevel level);
/// The highest level that this machine supports.
KernelLevel BestKernelLevel();
/// Parses "plain", "v2", "v3", "v4"; nullopt for other text.
std::optional<KernelLevel> KernelLevelFromName(std::string_view name);
const char* KernelLevelName(KernelLevel level);

}  // namespace scaup
