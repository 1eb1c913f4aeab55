// Tells objects of this process from copies that a child made by fork has of its parent's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace scaup {

namespace detail {
/// The number of forks between the process that loaded the library and this one. Counted in the child, by
/// pthread_atfork: the one piece of state that the library has for the process as a whole.
extern std::atomic<uint32_t> fork_count;
[[noreturn]] void ThrowInherited();
}  // namespace detail

/// Notes in which process it was made. A child made by fork has a copy of all memory of its parent, but none
/// of its threads, and locks that these held stay locked for ever. So nothing that the parent made may be
/// used there, nor be destroyed. A check costs one load.
class ProcessOrigin {
 public:
  ProcessOrigin() noexcept : fork_count_(detail::fork_count.load(std::memory_order_relaxed)) {}
  /// Whether a parent of this process made it.
  bool IsInherited() const noexcept {
    return fork_count_ != detail::fork_count.load(std::memory_order_relaxed);
  }
  /// Throws Error(kUsage, 55000) if so.
  void RequireOwn() const {
    if (IsInherited()) detail::ThrowInherited();
  }

 private:
  uint32_t fork_count_;
};

/// As std::make_shared; but a child made by fork never destroys what its parent made: it is left as it is.
template <typename T, typename... Arguments>
std::shared_ptr<T> MakeSharedInProcess(Arguments&&... arguments) {
  const auto destroy = [origin = ProcessOrigin()](T* object) {
    if (!origin.IsInherited()) delete object;
  };
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), destroy);
}

/// Leaves an object that the parent made as it is, where the process is a child made by fork.
template <typename T>
void LeaveIfInherited(std::unique_ptr<T>& object, const ProcessOrigin& origin) noexcept {
  if (origin.IsInherited()) static_cast<void>(object.release());
}

}  // namespace scaup
