// How much a test tries: less where a sanitizer makes everything ten times slower.
#pragma once

#include <cstddef>

namespace scaup::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kSlowness = 6;
#else
inline constexpr size_t kSlowness = 1;
#endif

/// Rounds, rows or bytes out of what is usual.
constexpr size_t Effort(size_t usual) { return usual < kSlowness ? 1 : usual / kSlowness; }

}  // namespace scaup::test
