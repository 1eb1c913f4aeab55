// RadixTree: an adaptive radix tree from index keys to sets of values, in key order.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/index/index_key.hpp"
#include "storage/index/node_memory.hpp"
#include "storage/index/radix_node.hpp"

namespace scaup {

/// A key and one of its values. The key is borrowed.
struct RadixEntry {
  KeyBytes key;
  uint64_t value;
};

/// Maps keys to sets of 64-bit values. No key may be empty or a prefix of another key; keys of
/// IndexKeyEncoder are not.
///
/// Thread-safe: readers share a lock, which they hold for one key or one batch. Writers hold it exclusively
/// for one entry. No memory is reserved under it. All node memory is accounted. A function that throws
/// Error(kOutOfMemory) has changed nothing.
class RadixTree {
 public:
  explicit RadixTree(MemoryTracker& memory) : memory_(memory) {}
  RadixTree(const RadixTree&) = delete;
  RadixTree& operator=(const RadixTree&) = delete;

  /// Inserts an entry; returns false if it exists. `present` receives the values that the key had before,
  /// read at the same moment. So if two threads insert the same key, one sees the other's entry.
  bool Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present = nullptr);
  /// Erases an entry; returns false if it does not exist.
  bool Erase(KeyBytes key, uint64_t value) noexcept;
  /// Replaces `old_value` by `new_value`; if the key has the new value too, erases the old one and sets
  /// `is_merged`. Returns false if the entry does not exist. REQUIRES: the highest bit of `new_value` is not
  /// set, or that of `old_value` is; then no memory is needed.
  bool Replace(KeyBytes key, uint64_t old_value, uint64_t new_value, bool* is_merged = nullptr) noexcept;
  /// Fills an empty tree. REQUIRES: no other thread uses it; keys ascend, and so do values of the same key.
  /// It is faster than inserting, and nodes are as small as possible.
  void Build(std::span<const RadixEntry> entries);
  void Clear() noexcept;

  bool Contains(KeyBytes key) const;
  /// Appends the key's values, ascending.
  void Lookup(KeyBytes key, std::vector<uint64_t>& values) const;
  /// Looks up many keys at once, which is faster than one by one. Appends the values of all keys to `values`,
  /// and for each key the end of its values to `ends`. Stops before a key if `values` has `most_values` or
  /// more.
  void LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values, std::vector<size_t>& ends,
                  size_t most_values = SIZE_MAX) const;

  /// Returns the number of entries.
  uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  /// Returns a number that increases with every change.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  /// Returns the memory of all nodes in bytes.
  size_t size_bytes() const { return memory_.used_bytes(); }

 private:
  friend class RadixScan;
  struct Insertion;

  bool TryInsert(Insertion& insertion) SCAUP_REQUIRES_LOCK(mutex_);
  bool AddToTail(radix::Slot& slot, KeyBytes rest, Insertion& insertion) SCAUP_REQUIRES_LOCK(mutex_);
  bool MakeRoom(radix::Slot& slot, KeyBytes rest, Insertion& insertion) SCAUP_REQUIRES_LOCK(mutex_);
  bool SplitTail(radix::Slot& slot, KeyBytes rest, size_t common, Insertion& insertion)
      SCAUP_REQUIRES_LOCK(mutex_);
  bool SplitPrefix(radix::Slot& slot, KeyBytes rest, size_t common, Insertion& insertion)
      SCAUP_REQUIRES_LOCK(mutex_);
  bool AddBranch(radix::Slot& slot, KeyBytes rest, Insertion& insertion) SCAUP_REQUIRES_LOCK(mutex_);
  const radix::Slot* FindTail(KeyBytes key) const SCAUP_REQUIRES_SHARED_LOCK(mutex_);
  void RemoveValue(radix::Slot& slot, uint64_t value) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void Shrink(radix::Slot& slot, radix::Slot* prefix_slot) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void MergeOnlyChild(radix::Slot& slot, radix::Slot* prefix_slot) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void FreeNode(radix::Slot slot) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void FreeSubtree(radix::Slot slot) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  struct BuildTask;
  void BuildNode(const BuildTask& task, std::vector<BuildTask>& tasks);
  std::byte* AllocateForBuild(size_t size_bytes);

  mutable SharedMutex mutex_;  // also guards the nodes
  NodeMemory memory_;
  radix::Slot root_ SCAUP_GUARDED_BY(mutex_) = 0;
  void NoteChange(int64_t new_entries) noexcept {
    size_.store(size() + static_cast<uint64_t>(new_entries), std::memory_order_relaxed);
    version_.store(version() + 1, std::memory_order_release);
  }

  std::atomic<uint64_t> size_{0};  // both are written under the lock
  std::atomic<uint64_t> version_{0};
};

}  // namespace scaup
