// The table of kernels of scalar functions, apart from KernelTable, which nearly everything includes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector/kernel_table.hpp"

namespace scaup {

/// The fields that EXTRACT gives of dates, as far as kernels know them.
enum class CivilField : uint8_t { kYear = 0, kMonth = 1, kDay = 2 };

/// Kernels of one level. Stateless and thread-safe.
struct FunctionKernels {
  /// Whether no byte is above 127.
  bool (*is_ascii)(const char* text, size_t size);
  /// out[i] = text[i], with the case of the 26 letters from `first` on changed. Whether no byte is above 127:
  /// if not, `out` is of no use.
  bool (*change_ascii_case)(const char* text, size_t size, char first, char* out);
  /// Whether strings as they stand in flat vectors, two words each (StringRef), are joined: none is inline,
  /// and each begins where the one before ends.
  bool (*are_joined)(const void* strings, size_t count);
  /// out[i] = strings[i], with the case of the 26 letters from `first` on changed in all bytes that it holds
  /// itself, which are ASCII, and its other bytes `distance` further.
  void (*move_with_case)(const void* strings, size_t count, char first, ptrdiff_t distance, void* out);
  /// The bytes that each string has.
  void (*string_sizes)(const void* strings, size_t count, int32_t* out);
  /// The decimal digits of `count` integers as strings of two words (StringRef). False where one of them is
  /// negative or has more than eight digits: then nothing in `out` is of use.
  bool (*integer_texts)(const int32_t* values, size_t count, void* out);
  /// A field of dates, given as days since 1970-01-01; years count as ISO 8601 does (0 is 1 BC). False where
  /// a date lies thousands of years away: then nothing in `out` is of use. Index: CivilField.
  bool (*civil_field[3])(const int32_t* days, size_t count, double* out);
  /// Puts the places where `wanted_size` >= 1 bytes begin in `size` bytes of text, ascending, into `places`,
  /// at most `most` of them, which is at least 64. Looks from `from` on, and leaves there from where on it
  /// did not look: `size` if it is done. Returns how many.
  size_t (*find_places)(const char* text, size_t size, const char* wanted, size_t wanted_size, size_t& from,
                        uint32_t* places, size_t most);
  /// Sets bit i % 64 of marks[i / 64] where up to four of the `wanted_size` >= 1 bytes, the first among them,
  /// are in their places if all begin at text[i]; where these would not end in the text, and up to the word's
  /// end, the bits are zero.
  void (*mark_places)(const char* text, size_t size, const char* wanted, size_t wanted_size, uint64_t* marks);
};

/// The kernels of a level. REQUIRES: the machine supports it.
const FunctionKernels& FunctionKernelsOf(KernelLevel level);

}  // namespace scaup
