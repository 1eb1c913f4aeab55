// How much is left of the calling thread's stack, and the error that comes before it runs out.
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

/// The stack that CheckStack leaves for whatever is called without another check: functions that do not
/// descend, the standard library, and an exception on its way.
inline constexpr size_t kStackReserve = kStackScale * 20 * 1024;
/// The stack that operators leave besides for work on rows: codecs and kernels have arrays of a block's rows.
inline constexpr size_t kRowStackReserve = kStackScale * 28 * 1024;

namespace stack_bound {

/// The addresses at which CheckStack passes: from `low` on, `span` bytes of them.
struct Range {
  uintptr_t low = 0;
  uintptr_t span = 0;
};
extern constinit thread_local Range passed;

/// Finds the range when it is not known yet, or when the thread has gone to another stack, as of a coroutine;
/// throws where too little is left.
void CheckSlowly(uintptr_t address);

}  // namespace stack_bound

/// Throws Error(kNotSupported, 54001) when less than kStackReserve and `more` bytes are left of the stack. To
/// be called by every function that descends into what a user may have made deep; costs a comparison.
inline void CheckStack(size_t more = 0) {
  const auto address = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - more;
  if (address - stack_bound::passed.low <= stack_bound::passed.span) [[likely]]
    return;
  stack_bound::CheckSlowly(address);
}

/// How many bytes of the stack are left above kStackReserve.
size_t StackLeft();

/// Throws the error of CheckStack.
[[noreturn]] void ThrowStackTooSmall();

}  // namespace scaup
