// An adaptive radix tree: index keys, and for each the values that were put in, in the order of the keys.
#pragma once

#include <atomic>
#include <shared_mutex>
#include <span>
#include <vector>

#include "storage/index/index_key.hpp"
#include "storage/index/node_memory.hpp"
#include "storage/index/radix_node.hpp"

namespace scaup {

/// A key and a value of it. The key is borrowed.
struct RadixEntry {
  KeyBytes key;
  uint64_t value;
};

/// Keys to sets of 64-bit values. No key may begin another one, which those of IndexKeyEncoder do not, or be
/// empty.
///
/// Thread-safe: readers share a lock, which they hold for one key or one batch; writers have it alone, for
/// one entry. Nothing is reserved under it. All memory of nodes is accounted; what throws Error(kOutOfMemory)
/// has changed nothing.
class RadixTree {
 public:
  explicit RadixTree(MemoryTracker& memory) : memory_(memory) {}
  RadixTree(const RadixTree&) = delete;
  RadixTree& operator=(const RadixTree&) = delete;

  /// False if the entry is there already. `present` gets the values that the key had before, at the same
  /// moment: of two threads that insert the same key, one sees the other's.
  bool Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present = nullptr);
  /// False if the entry is not there.
  bool Erase(KeyBytes key, uint64_t value) noexcept;
  /// Puts `new_value` in the place of `old_value`, or erases that if the key has the new one too. False if
  /// the entry is not there. REQUIRES: the highest bit of `new_value` is not set, or that of `old_value` is:
  /// so no memory is needed. `is_merged` tells whether there is one entry less.
  bool Replace(KeyBytes key, uint64_t old_value, uint64_t new_value, bool* is_merged = nullptr) noexcept;
  /// Fills an empty tree. REQUIRES: nobody else uses it; ascending keys, and values of the same key. Faster
  /// than inserts, and the nodes are as small as can be.
  void Build(std::span<const RadixEntry> entries);
  void Clear() noexcept;

  bool Contains(KeyBytes key) const;
  /// Appends the key's values, ascending.
  void Lookup(KeyBytes key, std::vector<uint64_t>& values) const;
  /// Looks many keys up at once, which is faster: appends the values of all keys to `values`, and for each
  /// key where its values end to `ends`. Stops before a key when `values` has `most_values` or more.
  void LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values, std::vector<size_t>& ends,
                  size_t most_values = SIZE_MAX) const;

  /// Entries.
  uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  /// Rises with every change.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  /// Memory of all nodes.
  size_t size_bytes() const { return memory_.used_bytes(); }

 private:
  friend class RadixScan;
  struct Insertion;

  bool TryInsert(Insertion& insertion);
  bool AddToTail(radix::Slot& slot, KeyBytes rest, Insertion& insertion);
  bool MakeRoom(radix::Slot& slot, KeyBytes rest, Insertion& insertion);
  bool SplitTail(radix::Slot& slot, KeyBytes rest, size_t common, Insertion& insertion);
  bool SplitPrefix(radix::Slot& slot, KeyBytes rest, size_t common, Insertion& insertion);
  bool AddBranch(radix::Slot& slot, KeyBytes rest, Insertion& insertion);
  const radix::Slot* FindTail(KeyBytes key) const;
  void RemoveValue(radix::Slot& slot, uint64_t value) noexcept;
  void Shrink(radix::Slot& slot, radix::Slot* prefix_slot) noexcept;
  void MergeOnlyChild(radix::Slot& slot, radix::Slot* prefix_slot) noexcept;
  void FreeNode(radix::Slot slot) noexcept;
  void FreeSubtree(radix::Slot slot) noexcept;
  struct BuildTask;
  void BuildNode(const BuildTask& task, std::vector<BuildTask>& tasks);
  std::byte* AllocateForBuild(size_t size_bytes);

  mutable std::shared_mutex mutex_;  // Guards the nodes and root_.
  NodeMemory memory_;
  radix::Slot root_ = 0;
  void NoteChange(int64_t new_entries) noexcept {
    size_.store(size() + static_cast<uint64_t>(new_entries), std::memory_order_relaxed);
    version_.store(version() + 1, std::memory_order_release);
  }

  std::atomic<uint64_t> size_{0};  // These two are written with the lock.
  std::atomic<uint64_t> version_{0};
};

}  // namespace scaup
