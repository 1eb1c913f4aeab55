// Mappings aligned to huge pages on Linux; malloc elsewhere.
#include "common/memory/large_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "common/lock/mutex.hpp"

namespace scaup {

#ifdef __linux__

namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

size_t RoundUp(size_t size_bytes) { return (size_bytes + kHugePageBytes - 1) & ~(kHugePageBytes - 1); }

// Reserves an address range that begins at a huge page boundary; null on failure.
std::byte* MapAligned(size_t size_bytes) {
  if (size_bytes > SIZE_MAX / 2) return nullptr;
  // One huge page more than needed; what is before and after the aligned range is unmapped again.
  const size_t mapped_bytes = size_bytes + kHugePageBytes;
  void* mapped =
      mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(mapped);
  const size_t before = (0 - reinterpret_cast<uintptr_t>(begin)) & (kHugePageBytes - 1);
  if (before != 0) munmap(begin, before);
  munmap(begin + before + size_bytes, kHugePageBytes - before);
  return begin + before;
}

/// A cache of freed pages. The system takes them whenever memory is short (MADV_FREE); until then, reusing
/// them costs neither a page fault nor zeroing.
class FreedPages {
 public:
  /// Caches the range, or as much of it as the limits allow, and unmaps the rest.
  void Keep(std::byte* data, size_t size_bytes) noexcept {
    const MutexLock lock(mutex_);
    size_t kept = 0;
    if (range_count_ < kMostRanges) kept = std::min(size_bytes, kMostBytes - held_bytes_);
    // If the system lacks MADV_FREE, nothing is cached: idle pages would count as used memory.
    if (kept != 0 && madvise(data, kept, MADV_FREE) != 0) kept = 0;
    if (kept != 0) {
      ranges_[range_count_++] = {data, kept};
      held_bytes_ += kept;
    }
    if (kept != size_bytes) munmap(data + kept, size_bytes - kept);
  }

  /// Moves cached pages to [place, place + size_bytes), as many as there are. The rest of the range keeps its
  /// mapping.
  void MoveTo(std::byte* place, size_t size_bytes) noexcept {
    const MutexLock lock(mutex_);
    while (size_bytes != 0 && range_count_ != 0) {
      Range& range = ranges_[range_count_ - 1];
      const size_t moved = std::min(size_bytes, range.size_bytes);
      std::byte* from = range.data + (range.size_bytes - moved);
      if (mremap(from, moved, moved, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) return;
      range.size_bytes -= moved;
      held_bytes_ -= moved;
      range_count_ -= range.size_bytes == 0;
      place += moved;
      size_bytes -= moved;
    }
  }

  // Unmaps cached pages until at most `kept_bytes`, rounded up, are left.
  void Shrink(size_t kept_bytes) noexcept {
    const MutexLock lock(mutex_);
    kept_bytes = RoundUp(kept_bytes);
    while (held_bytes_ > kept_bytes) {
      Range& range = ranges_[range_count_ - 1];
      const size_t unmapped = std::min(range.size_bytes, held_bytes_ - kept_bytes);
      range.size_bytes -= unmapped;
      munmap(range.data + range.size_bytes, unmapped);
      held_bytes_ -= unmapped;
      range_count_ -= range.size_bytes == 0;
    }
  }

 private:
  struct Range {
    std::byte* data;
    size_t size_bytes;
  };
  // About the size of the result of a large query.
  static constexpr size_t kMostBytes = size_t{512} << 20;
  static constexpr size_t kMostRanges = 64;
  Mutex mutex_;
  Range ranges_[kMostRanges] SCAUP_GUARDED_BY(mutex_);
  size_t range_count_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t held_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;
};

// One cache for the process, like malloc's free lists: pages outlive the database that used them and serve
// the next.
FreedPages freed_pages;

}  // namespace

std::byte* AllocateLarge(size_t size_bytes) noexcept {
  const size_t rounded = RoundUp(size_bytes);
  std::byte* data = MapAligned(rounded);
  if (data == nullptr) return nullptr;
  freed_pages.MoveTo(data, rounded);
  // Systems without huge pages refuse this; plain pages serve.
  madvise(data, rounded, MADV_HUGEPAGE);
  return data;
}

std::byte* GrowLarge(std::byte* data, size_t old_size_bytes, size_t size_bytes) noexcept {
  const size_t old_rounded = RoundUp(old_size_bytes);
  const size_t rounded = RoundUp(size_bytes);
  if (rounded == old_rounded) return data;
  // The new place is aligned as well, so that the system can move whole huge pages.
  std::byte* place = MapAligned(rounded);
  if (place == nullptr) return nullptr;
  const size_t moved = std::min(old_rounded, rounded);
  if (mremap(data, old_rounded, moved, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
    munmap(place, rounded);
    return nullptr;
  }
  freed_pages.MoveTo(place + moved, rounded - moved);
  madvise(place, rounded, MADV_HUGEPAGE);
  return place;
}

void FreeLarge(std::byte* data, size_t size_bytes) noexcept { freed_pages.Keep(data, RoundUp(size_bytes)); }

#else

std::byte* AllocateLarge(size_t size_bytes) noexcept {
  return static_cast<std::byte*>(std::malloc(size_bytes));
}

std::byte* GrowLarge(std::byte* data, size_t, size_t size_bytes) noexcept {
  return static_cast<std::byte*>(std::realloc(data, size_bytes));
}

void FreeLarge(std::byte* data, size_t) noexcept { std::free(data); }

#endif

void ReturnFreePages([[maybe_unused]] size_t kept_bytes) noexcept {
#ifdef __linux__
  freed_pages.Shrink(kept_bytes);
#endif
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace scaup
