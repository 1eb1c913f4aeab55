// All values of a group, kept for aggregates that need them at the end: percentiles, mode, entropy.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "common/arena.hpp"
#include "type/string_ref.hpp"

namespace scaup {

/// The same text, in the arena unless it needs no memory.
inline StringRef KeepString(const StringRef& value, Arena& arena) {
  if (value.is_inline()) return value;
  char* bytes = reinterpret_cast<char*>(arena.Allocate(value.size(), 1));
  std::memcpy(bytes, value.data(), value.size());
  return StringRef(bytes, value.size());
}

/// A bag of values inside a state, in the arena. Trivially copyable. Values lie in runs; Join hangs another
/// bag's runs in without copying them, since what a source state points to lives as long as the target.
template <typename T>
class CollectedValues {
 public:
  uint64_t count() const { return count_; }

  void Add(const T& value, Arena& arena) {
    if (last_ == nullptr || last_->size == last_->capacity) NewRun(arena);
    T* slot = last_->values() + last_->size++;
    if constexpr (std::is_same_v<T, StringRef>) {
      *slot = KeepString(value, arena);
    } else {
      *slot = value;
    }
    count_++;
  }

  void Join(const CollectedValues& other, Arena& arena) {
    if (other.count_ == 0) return;
    if (count_ == 0) {
      // A run of its own: what is added here must not end up in the other bag's.
      last_ = MakeRun(0, arena);
      last_->joined = other.last_;
    } else {
      Run* run = MakeRun(0, arena);
      run->previous = last_;
      run->joined = other.last_;
      last_ = run;
    }
    count_ += other.count_;
  }

  /// Copies all values, in the order in which they came, those of joined bags behind what was there, to
  /// memory of `scratch`. `pending` is reused from call to call.
  T* Gather(Arena& scratch, std::vector<const void*>& pending) const {
    T* values = reinterpret_cast<T*>(scratch.Allocate(count_ * sizeof(T), 16));
    T* out = values + count_;  // From the last one backwards.
    pending.assign(1, last_);
    while (!pending.empty()) {
      const Run* run = static_cast<const Run*>(pending.back());
      pending.pop_back();
      if (run == nullptr) continue;
      out -= run->size;
      if (run->size > 0) std::memcpy(static_cast<void*>(out), run->values(), run->size * sizeof(T));
      pending.push_back(run->previous);
      pending.push_back(run->joined);
    }
    return values;
  }

 private:
  struct alignas(16) Run {
    const Run* previous;  ///< this bag's own before this one
    const Run* joined;    ///< another bag's last
    uint32_t size;
    uint32_t capacity;
    T* values() { return reinterpret_cast<T*>(this + 1); }
    const T* values() const { return reinterpret_cast<const T*>(this + 1); }
  };
  static constexpr uint32_t kFirstCapacity = 4, kLastCapacity = 4096;

  static Run* MakeRun(uint32_t capacity, Arena& arena) {
    std::byte* memory = arena.Allocate(sizeof(Run) + capacity * sizeof(T), 16);
    return new (memory) Run{nullptr, nullptr, 0, capacity};
  }

  void NewRun(Arena& arena) {
    uint32_t capacity = kFirstCapacity;
    while (capacity < kLastCapacity && capacity < count_) capacity *= 2;
    Run* run = MakeRun(capacity, arena);
    run->previous = last_;
    last_ = run;
  }

  Run* last_ = nullptr;
  uint64_t count_ = 0;
};

}  // namespace scaup
