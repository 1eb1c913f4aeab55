// EntrySorter: sorts the entries of a new index, in memory or by merging runs from temporary storage.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/check.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "storage/index/stored_part.hpp"

namespace scaup {

/// Collects entries and gives them back sorted by key, then by value. With a temporary storage, entries that
/// take more than a part of the memory limit, or find no memory, are spilled as sorted runs. Merges take as
/// many runs at once as have room, in several passes if need be. An entry that was added several times may
/// come once or more often. Used by one thread.
class EntrySorter {
 public:
  /// `storage` is null if nothing may be spilled. `check` is called now and then while it works; it may
  /// throw.
  EntrySorter(MemoryTracker& memory, std::shared_ptr<TemporaryStorage> storage, std::function<void()> check);
  ~EntrySorter();

  void Add(KeyBytes key, uint64_t value);
  bool has_spilled() const { return merge_ || !runs_.empty(); }
  /// Sorts the entries, to be read in order. No more may be added.
  void BeginReading();
  /// All entries, in order after BeginReading. REQUIRES: has_spilled() is false.
  std::span<const RadixEntry> entries() const {
    SCAUP_ASSERT(!has_spilled());
    return entries_;
  }
  /// Gives the next entry, which is valid until the next call; false at the end.
  bool Next(KeyBytes& key, uint64_t& value);

 private:
  /// A sorted run: parts in temporary storage.
  struct SpilledPart {
    TemporarySlot slot;
    uint64_t entry_count;
  };
  using Run = std::vector<SpilledPart>;
  class RunWriter;
  class Merge;

  bool TryReserveFor(KeyBytes key);
  void Sort();
  void Spill();

  MemoryTracker& memory_;
  const std::shared_ptr<TemporaryStorage> storage_;
  const std::function<void()> check_;
  MemoryReservation reservation_;
  std::vector<std::vector<std::byte>> pieces_;  // Never grow beyond their capacity: entries point into them.
  std::vector<RadixEntry> entries_;
  std::vector<Run> runs_;
  std::unique_ptr<Merge> merge_;  // Null if the entries are in memory.
  size_t next_ = 0;
};

}  // namespace scaup
