// Tells objects of this process from the copies that a child made by fork has of its parent's objects.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace scaup {

namespace detail {
/// The number of forks between the process that loaded the library and this one, incremented in the child by
/// pthread_atfork. Besides it, the library's only process-wide state is the list of open descriptors and the
/// caches of freed memory.
extern std::atomic<uint32_t> fork_count;
[[noreturn]] void ThrowInherited();
}  // namespace detail

/// Remembers the process in which it was made. A child made by fork has a copy of its parent's memory, but
/// none of its threads, and locks that these held stay locked for ever. So the child must neither use nor
/// destroy what the parent made. A check costs one load.
class ProcessOrigin {
 public:
  ProcessOrigin() noexcept : fork_count_(detail::fork_count.load(std::memory_order_relaxed)) {}
  /// Whether a parent of this process made it.
  bool IsInherited() const noexcept {
    return fork_count_ != detail::fork_count.load(std::memory_order_relaxed);
  }
  /// Throws Error(kUsage, 55000) if the object is inherited.
  void RequireOwn() const {
    if (IsInherited()) detail::ThrowInherited();
  }

 private:
  uint32_t fork_count_;
};

/// Like std::make_shared, but a child made by fork does not destroy the parent's object.
template <typename T, typename... Arguments>
std::shared_ptr<T> MakeSharedInProcess(Arguments&&... arguments) {
  const auto destroy = [origin = ProcessOrigin()](T* object) {
    if (!origin.IsInherited()) delete object;
  };
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), destroy);
}

/// Leaks the object on purpose if the parent made it and this process is a child made by fork.
template <typename T>
void LeaveIfInherited(std::unique_ptr<T>& object, const ProcessOrigin& origin) noexcept {
  if (origin.IsInherited()) static_cast<void>(object.release());
}

}  // namespace scaup
