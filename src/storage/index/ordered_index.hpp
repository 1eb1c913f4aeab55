// An index of a table: a radix tree, cut into parts so that what has not changed stays in the file.
#pragma once

#include <functional>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "storage/index/index_place.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/index/stored_part.hpp"

namespace scaup {

/// The entries of a range of keys. Belongs to an OrderedIndex, whose lock guards it.
struct IndexPart {
  IndexKey fence;                            ///< the least bytes that belong here
  std::shared_ptr<RadixTree> changed;        ///< the entries; null where they are those that are stored
  std::shared_ptr<const StoredPart> stored;  ///< as of the last checkpoint, if it had any
  MetadataCache::Slot loaded;                ///< a RadixTree of what is stored, while memory is free
};

/// Keys to sets of 64-bit values, as RadixTree, whose rules for keys and values hold here. Owned by the
/// table; scans and checkpoints borrow it.
///
/// Without a store all is in one tree. With one, the index begins as one tree too, and each checkpoint cuts
/// what has grown into parts of some 16 KiB. Parts that have not changed since the last checkpoint are read
/// when they are touched, and dropped again when memory is short; those that have stay.
///
/// Thread-safe. Locks: its own, shared but for the first change of a part, then the tree's; memory may be
/// reserved under its own, which no reclaimer takes, but blocks are never read. Functions throw
/// Error(kOutOfMemory), and, where parts are stored, Error(kIo); then they have changed nothing.
class OrderedIndex {
 public:
  /// An empty one. `store`: null if there will be no checkpoints.
  OrderedIndex(std::shared_ptr<BlockStore> store, MemoryTracker& memory);
  /// One in the file; reads where its parts are.
  OrderedIndex(std::shared_ptr<BlockStore> store, const IndexPlace& place);
  ~OrderedIndex();
  OrderedIndex(const OrderedIndex&) = delete;
  OrderedIndex& operator=(const OrderedIndex&) = delete;

  /// As those of RadixTree. What is not committed, or was put in since the last checkpoint, is in memory: to
  /// erase or replace it cannot fail.
  bool Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present = nullptr);
  bool Erase(KeyBytes key, uint64_t value);
  bool Replace(KeyBytes key, uint64_t old_value, uint64_t new_value);
  /// REQUIRES: empty, and nobody else uses it.
  void Build(std::span<const RadixEntry> entries);
  bool Contains(KeyBytes key) const;
  void Lookup(KeyBytes key, std::vector<uint64_t>& values) const;
  void LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values, std::vector<size_t>& ends,
                  size_t most_values = SIZE_MAX) const;

  /// Entries, those that are not committed too.
  uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  size_t part_count() const;
  /// Whether a checkpoint has anything to write.
  bool HasChanges() const;
  /// Where the last checkpoint put it.
  IndexPlace place() const;

 private:
  friend class OrderedIndexScan;
  friend class IndexCheckpoint;

  IndexPart& Find(KeyBytes key) const;
  size_t FindPlace(KeyBytes key) const;
  bool Has(size_t place, KeyBytes key) const;
  std::shared_ptr<RadixTree> TreeOf(IndexPart& part) const;
  std::shared_ptr<RadixTree> Load(const StoredPart* stored) const;
  template <typename Find, typename Use>
  auto WithTree(const Find& find, const Use& use) const;
  template <typename Use>
  bool Change(KeyBytes key, const Use& use);
  void ReadDirectory();

  std::shared_ptr<BlockStore> store_;
  MemoryTracker& memory_;
  mutable std::shared_mutex mutex_;  // Guards what follows, but for size_.
  std::vector<std::unique_ptr<IndexPart>>
      parts_;  // By fence; at least one, and the first begins with nothing.
  MemoryReservation parts_memory_;
  IndexPlace place_;
  bool is_stored_ = false;  // Whether place_ is one.
  std::vector<std::shared_ptr<const void>> directory_holds_;
  std::atomic<uint64_t> size_{0};
};

/// As RadixScan, over an index. One thread; must not outlive the index.
class OrderedIndexScan {
 public:
  OrderedIndexScan(const OrderedIndex& index, KeyRange range, bool descending)
      : index_(index), range_(std::move(range)), scan_(range_, descending), descending_(descending) {}
  bool Next(size_t most, bool with_keys, IndexBatch& batch);

 private:
  IndexPart& FindPart() const;
  bool MoveOn(const IndexPart& part);

  const OrderedIndex& index_;
  KeyRange range_;
  RadixScan scan_;
  bool descending_;
  bool is_at_end_ = false;
};

}  // namespace scaup
