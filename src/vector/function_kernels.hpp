// The table of scalar functions' kernels. It is separate from KernelTable, which nearly all files include.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector/kernel_table.hpp"

namespace scaup {

/// The fields of EXTRACT on dates for which kernels exist.
enum class CivilField : uint8_t { kYear = 0, kMonth = 1, kDay = 2 };

/// The kernels of one instruction-set level. Stateless and thread-safe.
struct FunctionKernels {
  /// Returns whether all bytes are ASCII.
  bool (*is_ascii)(const char* text, size_t size);
  /// Sets out[i] = text[i] with the case of the 26 letters from `first` on changed. Returns whether all bytes
  /// are ASCII; if not, `out` is unusable.
  bool (*change_ascii_case)(const char* text, size_t size, char first, char* out);
  /// Whether the strings (an array of StringRef, two words each) are contiguous: none is inline, and each
  /// begins where the previous one ends.
  bool (*are_joined)(const void* strings, size_t count);
  /// Copies references to strings whose bytes were moved by `distance`. In inline bytes, which must be ASCII,
  /// the case of the 26 letters from `first` on is changed.
  void (*move_with_case)(const void* strings, size_t count, char first, ptrdiff_t distance, void* out);
  /// Writes the size of each string in bytes.
  void (*string_sizes)(const void* strings, size_t count, int32_t* out);
  /// Writes `count` integers as decimal texts (StringRef, two words each). Returns false if one is negative
  /// or has more than eight digits; `out` is then unusable.
  bool (*integer_texts)(const int32_t* values, size_t count, void* out);
  /// Extracts a field of dates, given as days since 1970-01-01. Years count as in ISO 8601 (0 is 1 BC).
  /// Returns false if a date is thousands of years away; `out` is then unusable. Index: CivilField.
  bool (*civil_field[3])(const int32_t* days, size_t count, double* out);
  /// Finds occurrences of `wanted` (`wanted_size` >= 1 bytes) in the text, beginning at `from`. Writes their
  /// positions in ascending order to `places`, which has space for `most` >= 64 of them. Sets `from` to where
  /// the search ended, which is `size` when it is done. Returns the number of positions.
  size_t (*find_places)(const char* text, size_t size, const char* wanted, size_t wanted_size, size_t& from,
                        uint32_t* places, size_t most);
  /// Sets bit i % 64 of marks[i / 64] if probes of up to four bytes of `wanted`, among them the first, match
  /// an occurrence that begins at text[i]. Bits are zero where an occurrence would not fit, and up to the end
  /// of the last word.
  void (*mark_places)(const char* text, size_t size, const char* wanted, size_t wanted_size, uint64_t* marks);
};

/// The kernels of a level. REQUIRES: the machine supports the level.
const FunctionKernels& FunctionKernelsOf(KernelLevel level);

}  // namespace scaup
