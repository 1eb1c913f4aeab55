// Memory for frames: mappings for large ones, the heap for small ones, spare blocks for reuse.
#include "storage/buffer/frame.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

#if defined(__SANITIZE_ADDRESS__)
// All from the heap and none kept, so that the sanitizer sees who reads a block without a pin.
constexpr size_t kMappedBytes = SIZE_MAX;
constexpr bool kKeepsSpare = false;
#else
constexpr size_t kMappedBytes = size_t{64} << 10;
constexpr bool kKeepsSpare = true;
#endif

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
  for (size_t i = 0; i < spare_count_; i++) Deallocate(spare_[i], kFileBlockBytes);
}

std::byte* FramePool::Take(size_t size_bytes) {
  std::byte* data = nullptr;
  if (size_bytes == kFileBlockBytes) {
    const std::lock_guard lock(mutex_);
    if (spare_count_ != 0) data = spare_[--spare_count_];
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
    const std::lock_guard lock(mutex_);
    if (spare_count_ < kMaxSpare) {
      spare_[spare_count_++] = data;
      data = nullptr;
    }
  }
  if (data != nullptr) Deallocate(data, size_bytes);
  frame_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  memory_.Release(size_bytes);
}

Frame::Frame(std::shared_ptr<FramePool> pool, size_t size_bytes, size_t accounted_bytes)
    : pool_(std::move(pool)), accounted_bytes_(accounted_bytes), data_(pool_->Take(accounted_bytes)) {
  bytes_ = {data_, size_bytes};
}

Frame::~Frame() { pool_->Give(data_, accounted_bytes_); }

}  // namespace scaup
