// Tracks which blocks of the file are in use, and hands out free ones.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "common/lock/mutex.hpp"

namespace scaup {

class BlockAllocator;

/// Keeps one block of the file in use as long as it lives. Movable; may outlive the database.
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

/// Knows the free blocks of the file. A block is in use while the durable checkpoint refers to it, while the
/// log does, while another process reads an earlier checkpoint that needs it, or while an object in memory
/// holds it, such as a row group that a reader still sees or that is not committed yet. All other blocks are
/// free. The file stores no free list: every block that no row group
/// of the checkpoint names is free, so the list cannot disagree with the data. Thread-safe.
class BlockAllocator : public std::enable_shared_from_this<BlockAllocator> {
 public:
  /// Blocks before `first_block` are never handed out.
  explicit BlockAllocator(uint64_t first_block) : first_block_(first_block), end_block_(first_block) {}

  /// Returns the lowest free block, or a new one at the end of the file.
  BlockHold Allocate();
  /// Holds a block that is in use already.
  BlockHold Hold(uint64_t block_id);
  /// Keeps blocks that the log refers to until the next checkpoint: recovery needs them, even if everything
  /// in memory releases them before.
  void RetainUntilCheckpoint(const std::vector<uint64_t>& block_ids);
  /// Declares that the durable checkpoint, which was just read, refers to exactly these blocks, and no log to
  /// any other.
  void SetDurable(std::vector<bool> durable) noexcept;

  /// The blocks that whoever reads one checkpoint needs. A list of one is made beforehand, so that nothing
  /// can fail once a checkpoint is durable.
  struct ReadBlocks {
    uint64_t checkpoint_number = 0;
    std::vector<bool> blocks;  ///< indexed by block id
    std::set<uint64_t> logged;
  };
  using ReadBlocksList = std::list<ReadBlocks>;
  /// As SetDurable, after a switch from one checkpoint to the next. What the one before and its log needed
  /// stays in use until ForgetUnread. `before` is one entry with the number of that checkpoint.
  void SwitchTo(std::vector<bool> durable, ReadBlocksList before) noexcept;
  /// Keeps blocks in use for readers of checkpoints, until ForgetUnread.
  void KeepForReaders(ReadBlocksList read) noexcept;
  /// Frees what was kept for readers of other checkpoints than these.
  void ForgetUnread(const std::set<uint64_t>& still_read) noexcept;
  /// Returns whether anything in memory holds a block that neither the durable checkpoint nor the log names.
  bool HoldsOthers() const;
  static std::vector<bool> MarkBlocks(const std::vector<uint64_t>& block_ids);
  /// Drops the free blocks at the end of the file from the list; returns the new end.
  uint64_t TrimEnd();
  /// Notes that the file has space for `end_block` blocks.
  void ExtendTo(uint64_t end_block);

  uint64_t end_block() const;
  uint64_t free_count() const;
  bool IsDurable(uint64_t block_id) const;

 private:
  friend class BlockHold;
  void Release(uint64_t block_id) noexcept;
  bool IsUsed(uint64_t block_id) const SCAUP_REQUIRES_LOCK(mutex_);
  void Extend(uint64_t end_block) SCAUP_REQUIRES_LOCK(mutex_);
  void ListFreeBlocks() noexcept SCAUP_REQUIRES_LOCK(mutex_);

  const uint64_t first_block_;
  mutable Mutex mutex_;
  uint64_t end_block_ SCAUP_GUARDED_BY(mutex_);
  std::vector<bool> durable_ SCAUP_GUARDED_BY(mutex_);  // indexed by block id
  std::set<uint64_t> retained_ SCAUP_GUARDED_BY(mutex_);
  ReadBlocksList read_ SCAUP_GUARDED_BY(mutex_);                                // by other processes
  std::unordered_map<uint64_t, uint64_t> hold_count_ SCAUP_GUARDED_BY(mutex_);  // by block id
  std::set<uint64_t> free_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
