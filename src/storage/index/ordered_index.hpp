// OrderedIndex: a radix tree in parts, so that unchanged parts stay in the file.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/index/index_place.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/index/stored_part.hpp"

namespace scaup {

/// The source of a part's entries while none in memory have changed: one of the two, or neither.
struct PartSource {
  std::shared_ptr<const SpilledPart> spilled;
  std::shared_ptr<const StoredPart> stored;
  bool operator==(const PartSource&) const = default;
};

/// The entries of a range of keys. Owned by an OrderedIndex, whose lock guards it. The entries are those of
/// the first of `changed`, `spilled` and `stored` that is not null.
struct IndexPart {
  IndexKey fence;                              ///< the least bytes that belong here
  std::shared_ptr<RadixTree> changed;          ///< in memory, different from what is spilled or stored
  std::shared_ptr<const SpilledPart> spilled;  ///< changed, then written to temporary storage
  std::shared_ptr<const StoredPart> stored;    ///< as of the last checkpoint; null before it
  MetadataCache::Slot loaded;  ///< caches a RadixTree of `spilled` or `stored` while memory is free

  /// Tells versions of the part apart.
  PartSource source() const { return {spilled, spilled ? nullptr : stored}; }
};

/// Maps keys to sets of 64-bit values; the rules of RadixTree for keys and values apply. Owned by the table;
/// scans and checkpoints borrow it.
///
/// Without a store all entries are in one tree. With a store, the index begins as one tree, and each
/// checkpoint cuts what has grown into parts of 16 to 32 KiB. Parts that have not changed since the last
/// checkpoint are read on demand and dropped when memory is short. Changed parts are in memory, up to a part
/// of the memory limit; beyond it they are spilled (IndexSpill), uncommitted entries included.
///
/// Thread-safe. Lock order: the lock of spilling, the index's lock, shared except for the first change of a
/// part, then the tree's. Memory may be reserved under the index's lock, since no reclaimer takes it, but
/// nothing is read or written under it. Functions throw Error(kOutOfMemory) and, if parts are stored or
/// spilled, Error(kIo); then they have changed nothing.
class OrderedIndex {
 public:
  /// Makes an empty index. `store` is null if there will be no checkpoints.
  OrderedIndex(std::shared_ptr<BlockStore> store, MemoryTracker& memory);
  /// Opens an index in the file and reads the directory of its parts.
  OrderedIndex(std::shared_ptr<BlockStore> store, const IndexPlace& place);
  ~OrderedIndex();
  OrderedIndex(const OrderedIndex&) = delete;
  OrderedIndex& operator=(const OrderedIndex&) = delete;

  /// These work as in RadixTree. They may have to read a part, even that of an entry inserted before.
  bool Insert(KeyBytes key, uint64_t value, std::vector<uint64_t>* present = nullptr);
  bool Erase(KeyBytes key, uint64_t value);
  bool Replace(KeyBytes key, uint64_t old_value, uint64_t new_value);
  /// REQUIRES: the index is empty and no other thread uses it.
  void Build(std::span<const RadixEntry> entries);
  /// Builds an index that has a store in parts in the file, where no checkpoint refers to them yet. Calls
  /// next(key, value) for the entries in order until it returns false; keys are valid until the next call.
  /// The parts are durable at the end. REQUIRES: as Build.
  void BuildInFile(const std::function<bool(KeyBytes& key, uint64_t& value)>& next);
  bool Contains(KeyBytes key) const;
  void Lookup(KeyBytes key, std::vector<uint64_t>& values) const;
  void LookupMany(std::span<const KeyBytes> keys, std::vector<uint64_t>& values, std::vector<size_t>& ends,
                  size_t most_values = SIZE_MAX) const;

  /// Returns the number of entries, uncommitted ones included.
  uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  size_t part_count() const;
  /// Returns where work on the index spills; null if nothing may.
  std::shared_ptr<TemporaryStorage> temporary_storage() const {
    return store_ ? store_->temporary_storage() : nullptr;
  }
  /// Returns whether a checkpoint has anything to write.
  bool HasChanges() const;
  /// Returns the location that the last checkpoint gave it.
  IndexPlace place() const;

 private:
  friend class OrderedIndexScan;
  friend class IndexCheckpoint;
  friend class IndexSpill;

  IndexPart& Find(KeyBytes key) const SCAUP_REQUIRES_SHARED_LOCK(mutex_);
  size_t FindPlace(KeyBytes key) const SCAUP_REQUIRES_SHARED_LOCK(mutex_);
  bool Has(size_t place, KeyBytes key) const SCAUP_REQUIRES_SHARED_LOCK(mutex_);
  std::shared_ptr<RadixTree> TreeOf(IndexPart& part) const SCAUP_REQUIRES_SHARED_LOCK(mutex_);
  std::shared_ptr<RadixTree> Load(const PartSource& source) const;
  template <typename Find, typename Use>
  auto WithTree(const Find& find, const Use& use) const;
  template <typename Use>
  bool Change(KeyBytes key, const Use& use);
  void ReadDirectory() SCAUP_REQUIRES_LOCK(mutex_);

  std::shared_ptr<BlockStore> store_;
  MemoryTracker& memory_;
  mutable SharedMutex mutex_;  // also guards the parts' members
  // By fence; at least one, and the first fence is empty.
  std::vector<std::unique_ptr<IndexPart>> parts_ SCAUP_GUARDED_BY(mutex_);
  MemoryReservation parts_memory_ SCAUP_GUARDED_BY(mutex_);
  IndexPlace place_ SCAUP_GUARDED_BY(mutex_);
  bool is_stored_ SCAUP_GUARDED_BY(mutex_) = false;  // whether place_ is valid
  std::vector<std::shared_ptr<const void>> directory_holds_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<uint64_t> size_{0};

  Mutex spill_mutex_;                                   // held by the thread that spills
  IndexKey spill_from_ SCAUP_GUARDED_BY(spill_mutex_);  // the fence of the next part to be considered
  // Spilling does not cut parts meanwhile: the checkpoint goes by the list of parts. Set under mutex_.
  std::atomic<bool> has_checkpoint_{false};
  // The memory of the changed parts that are not spilled, roughly: threads add to it without a lock.
  std::atomic<size_t> changed_bytes_{0};
  std::atomic<size_t> spilled_to_{0};  // no round of spilling begins below this
};

/// Scans an index like RadixScan. Used by one thread; must not outlive the index.
class OrderedIndexScan {
 public:
  OrderedIndexScan(const OrderedIndex& index, KeyRange range, bool descending)
      : index_(index), range_(std::move(range)), scan_(range_, descending), descending_(descending) {}
  bool Next(size_t most, bool with_keys, IndexBatch& batch);

 private:
  IndexPart& FindPart() const SCAUP_REQUIRES_SHARED_LOCK(index_.mutex_);
  bool MoveOn(const IndexPart& part) SCAUP_REQUIRES_SHARED_LOCK(index_.mutex_);

  const OrderedIndex& index_;
  KeyRange range_;
  RadixScan scan_;
  bool descending_;
  bool is_at_end_ = false;
};

}  // namespace scaup
