// The slow path of Arena: allocation of new blocks, and Reset.
#include "common/memory/arena.hpp"

#include <algorithm>
#include <new>

#include "common/memory/memory_tracker.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// Blocks double up to this size: small arenas stay small, and large ones allocate seldom.
constexpr size_t kMaxGrownBlockBytes = size_t{1} << 20;
constexpr size_t kMaxAlignment = 64;
// The part of the arena that a block may be if it grows slowly.
constexpr size_t kSlowGrowthPart = 4;

}  // namespace

Arena::~Arena() {
  SCAUP_ARENA_UNPOISON(lent_.data(), lent_.size());
  for ([[maybe_unused]] const Block& block : blocks_)
    SCAUP_ARENA_UNPOISON(block.data.get(), block.size_bytes);
  if (tracker_ != nullptr) tracker_->Release(held_bytes_);
}

size_t Arena::BlockBytesAfter(size_t block_bytes, size_t held_bytes) const {
  const size_t most_bytes =
      grows_slowly_ ? std::min(held_bytes / kSlowGrowthPart, kMaxGrownBlockBytes) : kMaxGrownBlockBytes;
  return std::max(block_bytes, std::min(block_bytes * 2, most_bytes));
}

std::byte* Arena::AllocateSlow(size_t size_bytes, size_t alignment) {
  SCAUP_CHECK(alignment != 0 && alignment <= kMaxAlignment && (alignment & (alignment - 1)) == 0);
  if (size_bytes > SIZE_MAX - kMaxAlignment) {
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
               "out of memory: a request exceeds the address space");
  }
  const size_t block_bytes = std::max(next_block_bytes_, size_bytes + alignment);
  blocks_.reserve(blocks_.size() + 1);  // First: nothing may fail after the memory was reserved.
  if (tracker_ != nullptr) tracker_->Reserve(block_bytes);
  std::byte* data = new (std::nothrow) std::byte[block_bytes];
  if (data == nullptr) {
    if (tracker_ != nullptr) tracker_->Release(block_bytes);
    ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
               "out of memory: the operating system refused " + std::to_string(block_bytes) + " bytes");
  }
  blocks_.push_back({std::unique_ptr<std::byte[]>(data), block_bytes});
  held_bytes_ += block_bytes;
  next_block_bytes_ = BlockBytesAfter(next_block_bytes_, held_bytes_);
  SCAUP_ARENA_POISON(data, block_bytes);

  std::byte* result = data + ((0 - reinterpret_cast<uintptr_t>(data)) & (alignment - 1));
  // The current block stays in use if it has more space left than the new one: small requests may still fit.
  if (cursor_ == nullptr || data + block_bytes - (result + size_bytes) >= end_ - cursor_) {
    cursor_ = result + size_bytes;
    end_ = data + block_bytes;
  }
  SCAUP_ARENA_UNPOISON(result, size_bytes);
  return result;
}

void Arena::Reset() {
  if (blocks_.empty()) return UseLent();
  auto largest = std::max_element(blocks_.begin(), blocks_.end(),
                                  [](const Block& a, const Block& b) { return a.size_bytes < b.size_bytes; });
  std::swap(*largest, blocks_.front());
  for ([[maybe_unused]] const Block& block : blocks_)
    SCAUP_ARENA_UNPOISON(block.data.get(), block.size_bytes);
  blocks_.resize(1);
  const Block& kept = blocks_.front();
  if (tracker_ != nullptr) tracker_->Release(held_bytes_ - kept.size_bytes);
  held_bytes_ = kept.size_bytes;
  cursor_ = kept.data.get();
  end_ = cursor_ + kept.size_bytes;
  SCAUP_ARENA_POISON(cursor_, kept.size_bytes);
}

}  // namespace scaup
