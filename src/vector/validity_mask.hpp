// Validity masks: one bit per row, set if the value is not NULL; a null pointer means that no value is NULL.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "vector/selection_vector.hpp"

namespace scaup {

using ValidityWord = uint64_t;
inline constexpr size_t kValidityWords = kVectorSize / 64;

inline bool TestValid(const ValidityWord* words, size_t row) { return (words[row / 64] >> (row % 64)) & 1; }
inline void SetInvalid(ValidityWord* words, size_t row) { words[row / 64] &= ~(uint64_t{1} << (row % 64)); }
inline void SetValid(ValidityWord* words, size_t row) { words[row / 64] |= uint64_t{1} << (row % 64); }
inline void SetAllValid(ValidityWord* words, size_t row_count) {
  for (size_t i = 0; i < (row_count + 63) / 64; i++) words[i] = ~uint64_t{0};
}
/// The number of rows among the first `row_count` that are not NULL.
inline size_t CountValid(const ValidityWord* words, size_t row_count) {
  if (words == nullptr) return row_count;
  size_t count = 0;
  for (size_t i = 0; i < row_count / 64; i++) count += std::popcount(words[i]);
  if (row_count % 64 != 0) count += std::popcount(words[row_count / 64] << (64 - row_count % 64));
  return count;
}

}  // namespace scaup
