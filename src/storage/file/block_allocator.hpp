// Which blocks of the file are in use, and by whom: the free list.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

namespace scaup {

class BlockAllocator;

/// A block is kept for whoever has one of these. Movable; may outlive the database.
class BlockHold {
 public:
  BlockHold() = default;
  BlockHold(std::shared_ptr<BlockAllocator> allocator, uint64_t block_id)
      : allocator_(std::move(allocator)), block_id_(block_id) {}
  BlockHold(BlockHold&& other) noexcept
      : allocator_(std::move(other.allocator_)), block_id_(other.block_id_) {}
  BlockHold& operator=(BlockHold&& other) noexcept;
  ~BlockHold() { Reset(); }
  uint64_t block_id() const { return block_id_; }

 private:
  void Reset() noexcept;
  std::shared_ptr<BlockAllocator> allocator_;
  uint64_t block_id_ = 0;
};

/// A block is in use while the durable checkpoint refers to it, or something in memory holds it: a row group
/// that a reader still sees, or one that is not committed yet. All others are free. The file stores no list
/// of them: free is what no row group of the checkpoint names, so that the list cannot disagree with the
/// rest. Thread-safe.
class BlockAllocator : public std::enable_shared_from_this<BlockAllocator> {
 public:
  /// `first_block`: the blocks before it are never given out.
  explicit BlockAllocator(uint64_t first_block) : first_block_(first_block), end_block_(first_block) {}

  /// The lowest free block, or a new one at the end of the file.
  BlockHold Allocate();
  /// Holds a block that is in use already.
  BlockHold Hold(uint64_t block_id);
  /// Keeps blocks that the log refers to: whoever replays it needs them even if they are let go of before the
  /// next checkpoint.
  void RetainUntilCheckpoint(const std::vector<uint64_t>& block_ids);
  /// From now on the durable checkpoint refers to exactly these, and no log to any other. Whatever it takes
  /// is made beforehand, by MarkBlocks: a checkpoint that is durable must not fail any more.
  void SetDurable(std::vector<bool> durable) noexcept;
  static std::vector<bool> MarkBlocks(const std::vector<uint64_t>& block_ids);
  /// Gives up free blocks at the end of the file; returns the end.
  uint64_t TrimEnd();
  /// Room for `end_block` blocks exists in the file.
  void ExtendTo(uint64_t end_block);

  uint64_t end_block() const;
  uint64_t free_count() const;
  bool IsDurable(uint64_t block_id) const;

 private:
  friend class BlockHold;
  void Release(uint64_t block_id) noexcept;
  bool IsUsed(uint64_t block_id) const;
  void Extend(uint64_t end_block);

  const uint64_t first_block_;
  mutable std::mutex mutex_;
  uint64_t end_block_;
  std::vector<bool> durable_;  // By block id.
  std::set<uint64_t> retained_;
  std::unordered_map<uint64_t, uint64_t> hold_count_;  // By block id.
  std::set<uint64_t> free_;
};

}  // namespace scaup
