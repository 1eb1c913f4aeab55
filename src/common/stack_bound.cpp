// Finds the bounds of the calling thread's stack, and throws the error before it overflows.
#include "common/stack_bound.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "common/descriptor.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace stack_bound {

constinit thread_local Range passed;

namespace {

/// The most of a stack that is used: on a stack without limit, a statement could otherwise fill the memory.
constexpr uintptr_t kMostUsed = uintptr_t{64} << 20;
/// How much is used of a stack that is not the thread's own, counted from where Scaup is called: nothing
/// tells where such a stack ends.
constexpr uintptr_t kUsedOfForeign = 112 * 1024 * kStackScale;

/// The thread's own stack, from the lowest usable address to its end. Unknown while both are 0.
struct Extent {
  uintptr_t low = 0;
  uintptr_t end = 0;
  bool Holds(uintptr_t address) const { return address >= low && address < end; }
};
constinit thread_local Extent own;

Extent FindOwn() {
  Extent extent;
  pthread_attr_t attributes;
  // For the main thread the C library consults RLIMIT_STACK and the mappings.
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return extent;
  void* low = nullptr;
  size_t size = 0, guard = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0 &&
      pthread_attr_getguardsize(&attributes, &guard) == 0) {
    extent.low = reinterpret_cast<uintptr_t>(low);
    extent.end = extent.low + size;
    // The GNU C library counts the guard pages as part of the stack.
    extent.low += std::min(guard, size);
    if (extent.end - extent.low > kMostUsed) extent.low = extent.end - kMostUsed;
  }
  pthread_attr_destroy(&attributes);
  return extent;
}

/// Searches /proc/self/maps, lines of "begin-end ...", for the mapping that holds `address`, and yields its
/// lowest address; 0 if unknown.
class MappingReader {
 public:
  explicit MappingReader(uintptr_t address) : address_(address) {}

  uintptr_t Find() {
    const Descriptor file = Descriptor::Open("/proc/self/maps", O_RDONLY);
    if (!file.is_open()) return 0;
    char buffer[512];
    while (!is_found_) {
      const ssize_t count = read(file.number(), buffer, sizeof(buffer));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      for (ssize_t i = 0; i < count && !is_found_; i++) Take(buffer[i]);
    }
    return is_found_ ? begin_ : 0;
  }

 private:
  void Take(char c) {
    if (c == '\n') {
      field_ = begin_ = end_ = 0;
    } else if (field_ == 0) {
      TakeDigit(c, '-', begin_);
    } else if (field_ == 1) {
      TakeDigit(c, ' ', end_);
      is_found_ = field_ == 2 && address_ >= begin_ && address_ < end_;
    }
  }
  void TakeDigit(char c, char last, uintptr_t& number) {
    if (c == last) {
      field_++;
    } else {
      number = number * 16 + static_cast<uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
  }

  const uintptr_t address_;
  uintptr_t begin_ = 0, end_ = 0;
  int field_ = 0;
  bool is_found_ = false;
};

void Pass(uintptr_t low, uintptr_t end) {
  passed.low = low + kStackReserve;
  passed.span = end > passed.low ? end - passed.low : 0;
}

/// Sets `passed` for the stack that holds `address`.
void FindRange(uintptr_t address) {
  if (!own.Holds(address)) own = FindOwn();
  if (own.Holds(address)) return Pass(own.low, own.end);
  const uintptr_t used = address > kUsedOfForeign ? address - kUsedOfForeign : 0;
  Pass(std::max(used, MappingReader(address).Find()), address + 1);
}

}  // namespace

void CheckSlowly(uintptr_t address) {
  // `address` includes the caller's `more` and may lie outside of the stack; this frame's address does not.
  const auto here = std::max(address, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  // An address slightly below the range is on the same stack, which is then used up.
  const bool is_known =
      passed.span != 0 && here >= passed.low - kStackReserve && here <= passed.low + passed.span;
  if (!is_known) FindRange(here);
  if (address < passed.low || address - passed.low > passed.span) ThrowStackTooSmall();
}

}  // namespace stack_bound

size_t StackLeft() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const stack_bound::Range& passed = stack_bound::passed;
  if (here - passed.low > passed.span) stack_bound::CheckSlowly(here);
  return here - passed.low;
}

void ThrowStackTooSmall() {
  ThrowError(
      ErrorKind::kNotSupported, sqlstate::kStatementTooComplex,
      "the statement is nested too deeply for the stack of its thread: split it, or run it in a thread "
      "with a larger stack");
}

}  // namespace scaup
