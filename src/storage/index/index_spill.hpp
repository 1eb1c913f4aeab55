// IndexSpill: writes changed parts of an index to temporary storage, so that changes may exceed memory.
#pragma once

#include <memory>
#include <vector>

#include "storage/index/ordered_index.hpp"

namespace scaup {

/// One round of spilling changed parts of an index. The changes of all indexes of a file may take a part of
/// the memory limit; the index that makes them more spills its own, in key order from where the last round
/// ended, until half of them are gone; the part that is about to change stays unless it is large. A tree that
/// has outgrown one part is cut into several. Trees that were spilled stay in the metadata cache while memory
/// is free.
///
/// Used by one thread. Rounds of the same index do not overlap: a thread that finds another at work leaves it
/// to that one.
class IndexSpill {
 public:
  explicit IndexSpill(OrderedIndex& index) : index_(index) {}

  /// Returns the memory that the changed parts of all indexes may take.
  static size_t MostBytes(const MemoryTracker& memory) noexcept;
  /// Accounts for the memory of a changed part. REQUIRES: the index has a store.
  static void Note(OrderedIndex& index, size_t bytes_before, size_t bytes_after) noexcept;
  /// Returns whether the index should spill.
  static bool IsDue(const OrderedIndex& index) noexcept;
  /// Counts the memory of all changed parts anew.
  static void Recount(OrderedIndex& index) noexcept;

  /// Spills before key `next` is changed. Throws Error(kIo) if temporary storage is full or cannot be
  /// written, Error(kOutOfMemory).
  void Run(KeyBytes next);
  /// Spills, or leaves the parts in memory if it cannot.
  void TryRun(KeyBytes next) noexcept;

 private:
  /// A changed part and what it becomes.
  struct Work {
    IndexKey fence;
    std::shared_ptr<RadixTree> tree;
    uint64_t version = 0;
    bool is_next = false;  // the part that is about to change
    std::vector<std::unique_ptr<IndexPart>> parts;
  };

  bool TakeNext(KeyBytes next, Work& work) SCAUP_REQUIRES_LOCK(index_.spill_mutex_);
  void Write(Work& work, const std::shared_ptr<TemporaryStorage>& storage) const;
  void Install(Work& work);

  OrderedIndex& index_;
};

}  // namespace scaup
