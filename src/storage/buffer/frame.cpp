// Allocates frames: mappings for large ones, the heap for small ones, spare blocks for reuse.
#include "storage/buffer/frame.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

#include <fmt/format.h>

#include "common/memory/large_memory.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

#if defined(__SANITIZE_ADDRESS__)
// Everything comes from the heap and nothing is retained, so that the sanitizer detects reads of unpinned
// blocks.
constexpr size_t kMappedBytes = SIZE_MAX;
constexpr bool kKeepsSpare = false;
constexpr bool kHasRegions = false;
#else
constexpr size_t kMappedBytes = size_t{64} << 10;
constexpr bool kKeepsSpare = true;
constexpr bool kHasRegions = true;
#endif

constexpr size_t kRegionBytes = size_t{2} << 20;
constexpr size_t kPlaces = kRegionBytes / kFileBlockBytes;
static_assert(kPlaces == 8, "a region's places are the bits of a byte");
constexpr uint8_t kAllPlaces = 0xff;
// The first use of a region may commit all of its memory at once, so a small cache does without regions.
constexpr size_t kRegionsFromBytes = 8 * kRegionBytes;

std::byte* Allocate(size_t size_bytes) noexcept {
  if (size_bytes >= kMappedBytes) {
    void* mapped = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
  }
  return static_cast<std::byte*>(
      ::operator new (size_bytes, std::align_val_t{FramePool::kPageBytes}, std::nothrow));
}

void Deallocate(std::byte* data, size_t size_bytes) noexcept {
  if (size_bytes >= kMappedBytes) {
    munmap(data, size_bytes);
  } else {
    ::operator delete (data, std::align_val_t{FramePool::kPageBytes});
  }
}

}  // namespace

FramePool::~FramePool() {
  for (size_t i = 0; i < spare_count_; i++) {
    if (!GivePlace(spare_[i])) Deallocate(spare_[i], kFileBlockBytes);
  }
}

// Returns null if there is no place.
std::byte* FramePool::TakePlace() {
  if (open_regions_.empty()) {
    // Reserved here, so that GivePlace, which must not fail, can add any region to the list.
    open_regions_.reserve(regions_.size() + 1);
    std::byte* region = AllocateLarge(kRegionBytes);
    if (region == nullptr) return nullptr;
    const auto address = reinterpret_cast<uintptr_t>(region);
    // Only an aligned region gets a huge page, and GivePlace finds a region by rounding an address down.
    if (address % kRegionBytes != 0) {
      FreeLarge(region, kRegionBytes);
      return nullptr;
    }
    try {
      regions_.emplace(address, 0);
    } catch (...) {
      FreeLarge(region, kRegionBytes);
      throw;
    }
    open_regions_.push_back(address);
  }
  const uintptr_t region = open_regions_.back();
  uint8_t& used = regions_.at(region);
  const int place = std::countr_one(used);
  used = static_cast<uint8_t>(used | 1 << place);
  if (used == kAllPlaces) open_regions_.pop_back();
  return reinterpret_cast<std::byte*>(region) + static_cast<size_t>(place) * kFileBlockBytes;
}

// Returns false if `data` is in no region.
bool FramePool::GivePlace(std::byte* data) noexcept {
  const uintptr_t address = reinterpret_cast<uintptr_t>(data);
  const uintptr_t region = address / kRegionBytes * kRegionBytes;
  const auto found = regions_.find(region);
  if (found == regions_.end()) return false;
  uint8_t& used = found->second;
  if (used == kAllPlaces) open_regions_.push_back(region);
  used = static_cast<uint8_t>(used & ~(1 << (address - region) / kFileBlockBytes));
  if (used == 0) {
    std::erase(open_regions_, region);
    regions_.erase(found);
    FreeLarge(reinterpret_cast<std::byte*>(region), kRegionBytes);
  } else {
    madvise(data, kFileBlockBytes,
            MADV_DONTNEED);  // returns memory that is no longer accounted to the system
  }
  return true;
}

std::byte* FramePool::Take(size_t size_bytes) {
  std::byte* data = nullptr;
  if (size_bytes == kFileBlockBytes) {
    const MutexLock lock(mutex_);
    if (spare_count_ != 0) {
      data = spare_[--spare_count_];
    } else if (kHasRegions && frame_bytes() >= kRegionsFromBytes) {
      data = TakePlace();
    }
  }
  if (data == nullptr) data = Allocate(size_bytes);
  if (data == nullptr) {
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
               fmt::format("out of memory: the operating system refused {} bytes", size_bytes));
  }
  frame_bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
  return data;
}

void FramePool::Give(std::byte* data, size_t size_bytes) noexcept {
  if (kKeepsSpare && size_bytes == kFileBlockBytes) {
    const MutexLock lock(mutex_);
    if (spare_count_ < kMaxSpare) {
      // A spare block keeps its page table entries, so its next use has no page faults.
      spare_[spare_count_++] = data;
      data = nullptr;
    } else if (GivePlace(data)) {
      data = nullptr;
    }
  }
  if (data != nullptr) Deallocate(data, size_bytes);
  frame_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  // Last: other threads may take the memory as soon as its reservation has ended.
  memory_.Release(size_bytes);
}

Frame::Frame(std::shared_ptr<FramePool> pool, size_t size_bytes, size_t accounted_bytes)
    : pool_(std::move(pool)), accounted_bytes_(accounted_bytes), data_(pool_->Take(accounted_bytes)) {
  bytes_ = {data_, size_bytes};
}

Frame::~Frame() { pool_->Give(data_, accounted_bytes_); }

}  // namespace scaup
