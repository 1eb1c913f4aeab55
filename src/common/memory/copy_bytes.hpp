// Inlined copies of short byte strings.
#pragma once

#include <cstddef>
#include <cstring>

namespace scaup {

namespace internal {

/// Copies kHalf to 2 * kHalf bytes by two moves, which may overlap.
template <size_t kHalf>
inline void CopyByHalves(char* target, const char* source, size_t size) {
  char first[kHalf], last[kHalf];
  std::memcpy(first, source, kHalf);
  std::memcpy(last, source + size - kHalf, kHalf);
  std::memcpy(target, first, kHalf);
  std::memcpy(target + size - kHalf, last, kHalf);
}

}  // namespace internal

/// memcpy for strings, most of which are short and vary in length: avoids the call and its jump table.
inline void CopyBytes(char* target, const char* source, size_t size) {
  if (size > 32) {
    std::memcpy(target, source, size);
  } else if (size >= 16) {
    internal::CopyByHalves<16>(target, source, size);
  } else if (size >= 8) {
    internal::CopyByHalves<8>(target, source, size);
  } else if (size >= 4) {
    internal::CopyByHalves<4>(target, source, size);
  } else if (size != 0) {
    const char first = source[0], middle = source[size / 2], last = source[size - 1];
    target[0] = first;
    target[size / 2] = middle;
    target[size - 1] = last;
  }
}

}  // namespace scaup
