// Mappings aligned to huge pages on Linux; malloc elsewhere.
#include "common/large_memory.hpp"

#include <cstdint>
#include <cstdlib>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace scaup {

#ifdef __linux__

namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

size_t RoundUp(size_t size_bytes) { return (size_bytes + kHugePageBytes - 1) & ~(kHugePageBytes - 1); }

// An address range that begins at a huge page; null when there is none.
std::byte* MapAligned(size_t size_bytes) {
  if (size_bytes > SIZE_MAX / 2) return nullptr;
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

}  // namespace

std::byte* AllocateLarge(size_t size_bytes) noexcept {
  const size_t rounded = RoundUp(size_bytes);
  std::byte* data = MapAligned(rounded);
  // Refused on systems without huge pages, where plain ones serve.
  if (data != nullptr) madvise(data, rounded, MADV_HUGEPAGE);
  return data;
}

std::byte* GrowLarge(std::byte* data, size_t old_size_bytes, size_t size_bytes) noexcept {
  const size_t old_rounded = RoundUp(old_size_bytes);
  const size_t rounded = RoundUp(size_bytes);
  if (rounded == old_rounded) return data;
  // A place that is aligned as well: there the system moves whole huge pages.
  std::byte* place = MapAligned(rounded);
  if (place == nullptr) return nullptr;
  void* moved = mremap(data, old_rounded, rounded, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) {
    munmap(place, rounded);
    return nullptr;
  }
  return static_cast<std::byte*>(moved);
}

void FreeLarge(std::byte* data, size_t size_bytes) noexcept { munmap(data, RoundUp(size_bytes)); }

#else

std::byte* AllocateLarge(size_t size_bytes) noexcept {
  return static_cast<std::byte*>(std::malloc(size_bytes));
}

std::byte* GrowLarge(std::byte* data, size_t, size_t size_bytes) noexcept {
  return static_cast<std::byte*>(std::realloc(data, size_bytes));
}

void FreeLarge(std::byte* data, size_t) noexcept { std::free(data); }

#endif

void ReturnFreePages() noexcept {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace scaup
