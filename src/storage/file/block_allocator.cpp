// The free list. It hands out the lowest blocks first, so that the end of the file becomes free.
#include "storage/file/block_allocator.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

BlockHold& BlockHold::operator=(BlockHold&& other) noexcept {
  Reset();
  allocator_ = std::move(other.allocator_);
  block_id_ = other.block_id_;
  return *this;
}

void BlockHold::Reset() noexcept {
  if (allocator_) allocator_->Release(block_id_);
  allocator_.reset();
}

bool BlockAllocator::IsUsed(uint64_t block_id) const {
  const auto is_in = [&](const std::vector<bool>& blocks) {
    return block_id < blocks.size() && blocks[block_id];
  };
  return is_in(durable_) || hold_count_.count(block_id) != 0 || retained_.count(block_id) != 0 ||
         std::any_of(read_.begin(), read_.end(), [&](const ReadBlocks& read) {
           return is_in(read.blocks) || read.logged.count(block_id) != 0;
         });
}

void BlockAllocator::Extend(uint64_t end_block) {
  for (; end_block_ < end_block; end_block_++) free_.insert(end_block_);
}

BlockHold BlockAllocator::Allocate() {
  auto self = shared_from_this();
  MutexLock lock(mutex_);
  // Set order gives the lowest block, which leaves free blocks at the end of the file for Shrink.
  if (free_.empty()) Extend(end_block_ + 1);
  const uint64_t block_id = *free_.begin();
  hold_count_[block_id] = 1;
  free_.erase(free_.begin());
  return BlockHold(std::move(self), block_id);
}

BlockHold BlockAllocator::Hold(uint64_t block_id) {
  auto self = shared_from_this();
  MutexLock lock(mutex_);
  // Recovery may hold blocks behind the end that the header gave.
  Extend(block_id + 1);
  hold_count_[block_id]++;
  free_.erase(block_id);
  return BlockHold(std::move(self), block_id);
}

void BlockAllocator::Release(uint64_t block_id) noexcept {
  MutexLock lock(mutex_);
  const auto found = hold_count_.find(block_id);
  if (--found->second != 0) return;
  hold_count_.erase(found);
  if (IsUsed(block_id)) return;
  try {
    free_.insert(block_id);
  } catch (const std::exception&) {
    // Without memory for the entry, the block stays unused until the database is opened again.
  }
}

void BlockAllocator::RetainUntilCheckpoint(const std::vector<uint64_t>& block_ids) {
  MutexLock lock(mutex_);
  for (const uint64_t block_id : block_ids) {
    Extend(block_id + 1);
    retained_.insert(block_id);
    free_.erase(block_id);
  }
}

std::vector<bool> BlockAllocator::MarkBlocks(const std::vector<uint64_t>& block_ids) {
  uint64_t end_block = 0;
  for (const uint64_t block_id : block_ids) end_block = std::max(end_block, block_id + 1);
  std::vector<bool> marked(end_block, false);
  for (const uint64_t block_id : block_ids) marked[block_id] = true;
  return marked;
}

void BlockAllocator::SetDurable(std::vector<bool> durable) noexcept {
  std::set<uint64_t> logged;
  MutexLock lock(mutex_);
  // A swap cannot fail; the old bits are freed after the lock.
  durable_.swap(durable);
  end_block_ = std::max<uint64_t>(end_block_, durable_.size());
  // The log up to this checkpoint is obsolete, and with it the blocks that only it needed.
  retained_.swap(logged);
  ListFreeBlocks();
}

void BlockAllocator::SwitchTo(std::vector<bool> durable, ReadBlocksList before) noexcept {
  MutexLock lock(mutex_);
  durable_.swap(durable);
  end_block_ = std::max<uint64_t>(end_block_, durable_.size());
  before.front().blocks.swap(durable);
  before.front().logged.swap(retained_);
  read_.splice(read_.end(), before);
  ListFreeBlocks();
}

void BlockAllocator::KeepForReaders(ReadBlocksList read) noexcept {
  MutexLock lock(mutex_);
  read_.splice(read_.end(), read);
  ListFreeBlocks();
}

void BlockAllocator::ForgetUnread(const std::set<uint64_t>& still_read) noexcept {
  ReadBlocksList forgotten;
  MutexLock lock(mutex_);
  for (auto read = read_.begin(); read != read_.end();) {
    const auto next = std::next(read);
    if (still_read.count(read->checkpoint_number) == 0) forgotten.splice(forgotten.end(), read_, read);
    read = next;
  }
  if (!forgotten.empty()) ListFreeBlocks();
}

bool BlockAllocator::HoldsOthers() const {
  MutexLock lock(mutex_);
  return std::any_of(
      hold_count_.begin(), hold_count_.end(), [&](const auto& held) SCAUP_REQUIRES_LOCK(mutex_) {
        const uint64_t block_id = held.first;
        return (block_id >= durable_.size() || !durable_[block_id]) && retained_.count(block_id) == 0;
      });
}

void BlockAllocator::ListFreeBlocks() noexcept {
  free_.clear();
  try {
    for (uint64_t block_id = first_block_; block_id < end_block_; block_id++) {
      if (!IsUsed(block_id)) free_.insert(block_id);
    }
  } catch (const std::exception&) {
    // Without memory for all of them, the rest stays unused until the next checkpoint.
  }
}

uint64_t BlockAllocator::TrimEnd() {
  MutexLock lock(mutex_);
  // Only free blocks at the very end can go: blocks are never moved, as pointers in the file name their
  // place.
  while (end_block_ > first_block_ && !free_.empty() && *free_.rbegin() == end_block_ - 1) {
    free_.erase(std::prev(free_.end()));
    end_block_--;
  }
  return end_block_;
}

void BlockAllocator::ExtendTo(uint64_t end_block) {
  MutexLock lock(mutex_);
  Extend(end_block);
}

uint64_t BlockAllocator::end_block() const {
  MutexLock lock(mutex_);
  return end_block_;
}

uint64_t BlockAllocator::free_count() const {
  MutexLock lock(mutex_);
  return free_.size();
}

bool BlockAllocator::IsDurable(uint64_t block_id) const {
  MutexLock lock(mutex_);
  return block_id < durable_.size() && durable_[block_id];
}

}  // namespace scaup
