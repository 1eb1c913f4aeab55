// How much of the calling thread's stack is left, and an error before it overflows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t kStackScale = 4;  ///< Sanitizers make frames several times as large.
#elif !defined(__OPTIMIZE__)
inline constexpr size_t kStackScale = 3;
#else
inline constexpr size_t kStackScale = 1;
#endif

/// The stack that CheckStack leaves for callees without a check of their own: non-recursive functions, the
/// standard library, and exceptions being thrown.
inline constexpr size_t kStackReserve = kStackScale * 20 * 1024;
/// The additional stack that operators leave for work on rows: codecs and kernels have arrays of a block's
/// rows.
inline constexpr size_t kRowStackReserve = kStackScale * 28 * 1024;

namespace stack_bound {

/// The addresses at which CheckStack passes: `span` bytes from `low` on.
struct Range {
  uintptr_t low = 0;
  uintptr_t span = 0;
};
extern constinit thread_local Range passed;

/// Determines the range if it is unknown or the thread has switched to another stack, such as a coroutine's.
/// Throws if too little is left.
void CheckSlowly(uintptr_t address);

}  // namespace stack_bound

/// Throws Error(kNotSupported, 54001) if less than kStackReserve + `more` bytes of the stack are left. Every
/// function that recurses on input of user-controlled depth calls it. Costs one comparison.
inline void CheckStack(size_t more = 0) {
  const auto address = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - more;
  if (address - stack_bound::passed.low <= stack_bound::passed.span) [[likely]]
    return;
  stack_bound::CheckSlowly(address);
}

/// The bytes of the stack that are left above kStackReserve.
size_t StackLeft();

/// Throws the error of CheckStack.
[[noreturn]] void ThrowStackTooSmall();

}  // namespace scaup
