// The per-thread free lists of vector memory, one per size.
#include "vector/vector_memory.hpp"

#include <array>
#include <bit>
#include <new>
#include <utility>

namespace scaup {

namespace {

constexpr std::align_val_t kAlignment{64};
constexpr size_t kSizes = 5;  // 1 << 0 .. 1 << 4 bytes per value

/// Cached memory; its first bytes point to the next entry.
struct KeptMemory {
  KeptMemory* next;
};

// Address sanitizer builds cache nothing, so that uses after free are found.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kMostKept = 0;
#else
constexpr size_t kMostKept = kKeptVectorBytes;
#endif

class ThreadMemory {
 public:
  ThreadMemory() = default;
  ~ThreadMemory() {
    for (KeptMemory*& first : first_) {
      while (first != nullptr) ::operator delete(std::exchange(first, first->next), kAlignment);
    }
    is_over_ = true;
  }
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;

  std::byte* Take(size_t value_bytes) {
    KeptMemory*& first = first_[SizeOf(value_bytes)];
    if (first == nullptr) return nullptr;
    kept_bytes_ -= VectorMemoryBytes(value_bytes);
    return reinterpret_cast<std::byte*>(std::exchange(first, first->next));
  }
  bool Keep(std::byte* memory, size_t value_bytes) noexcept {
    // Other thread-local objects may release vectors after this one has been destroyed.
    if (is_over_ || kept_bytes_ + VectorMemoryBytes(value_bytes) > kMostKept) return false;
    KeptMemory*& first = first_[SizeOf(value_bytes)];
    first = new (memory) KeptMemory{first};
    kept_bytes_ += VectorMemoryBytes(value_bytes);
    return true;
  }

 private:
  static size_t SizeOf(size_t value_bytes) { return static_cast<size_t>(std::countr_zero(value_bytes)); }

  std::array<KeptMemory*, kSizes> first_{};
  size_t kept_bytes_ = 0;
  bool is_over_ = false;
};

thread_local ThreadMemory thread_memory;

}  // namespace

std::byte* TakeVectorMemory(size_t value_bytes) {
  if (std::byte* kept = thread_memory.Take(value_bytes)) return kept;
  return static_cast<std::byte*>(::operator new(VectorMemoryBytes(value_bytes), kAlignment));
}

void GiveBackVectorMemory(std::byte* memory, size_t value_bytes) noexcept {
  if (!thread_memory.Keep(memory, value_bytes)) ::operator delete(memory, kAlignment);
}

}  // namespace scaup
