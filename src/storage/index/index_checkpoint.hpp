// IndexCheckpoint: writes the changed parts of an index to the file, for a database checkpoint.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "storage/file/stream_writer.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/index/part_writer.hpp"

namespace scaup {

/// One checkpoint of one index, in these steps: WriteParts; the caller finishes the stream of parts;
/// WriteDirectory; the caller finishes the stream of directories; Finish; the caller makes everything
/// durable; Install. If the object is destroyed before Install, the index is unchanged.
///
/// Used by one thread; an index has one checkpoint at a time. Other threads read and change the index
/// meanwhile, but no new entry may count as committed.
class IndexCheckpoint {
 public:
  /// `is_committed` tells whether a value is to be written. Entries with other values stay in memory only.
  IndexCheckpoint(OrderedIndex& index, std::function<bool(uint64_t)> is_committed)
      : index_(index), is_committed_(std::move(is_committed)), memory_(index.memory_) {}
  ~IndexCheckpoint() { index_.has_checkpoint_ = false; }

  /// Writes the parts that have changed, the parts in blocks of which little else is used, so that these
  /// blocks become free, and the parts in blocks for which `leaves_block` returns true. All go to stream
  /// `stream` of `data`, which indexes may share.
  void WriteParts(StreamWriter& data, size_t stream, const std::function<bool(uint64_t)>& leaves_block);
  /// REQUIRES: `data` has been finished.
  void WriteDirectory(const StreamWriter& data, StreamWriter& directories);
  /// Returns the new location of the index. REQUIRES: `directories` has been finished.
  const IndexPlace& Finish(const StreamWriter& directories);
  /// Switches the index to what was written. Never fails: work that lacks memory is left to the next
  /// checkpoint.
  void Install() noexcept;

 private:
  /// A part of the index, and the file parts that it becomes.
  struct Work {
    IndexPart* part = nullptr;
    std::shared_ptr<RadixTree> tree;  // null if unchanged or spilled
    uint64_t version = 0;
    std::shared_ptr<const SpilledPart> spilled;
    bool has_others = false;  // has entries that are not committed
    std::vector<WrittenPart> parts;
    std::vector<std::unique_ptr<IndexPart>> additional;  // for all of `parts` but the first
  };

  void WriteTree(Work& work, StreamWriter& data);
  void WriteSpilled(Work& work, StreamWriter& data);
  void WriteEntry(Work& work, PartWriter& writer, KeyBytes key, uint64_t value) const;
  void CopyPart(Work& work, StreamWriter& data);
  bool InstallOne(Work& work) noexcept SCAUP_REQUIRES_LOCK(index_.mutex_);
  bool IsWhatWasWritten(const Work& work) const noexcept SCAUP_REQUIRES_LOCK(index_.mutex_);
  bool SplitOff(Work& work) noexcept;

  OrderedIndex& index_;
  std::function<bool(uint64_t)> is_committed_;
  MemoryReservation memory_;
  size_t stream_ = 0;
  std::vector<Work> works_;  // all parts of the index, in order
  uint64_t directory_begin_ = 0;
  uint64_t directory_bytes_ = 0;
  std::vector<std::unique_ptr<IndexPart>> parts_;  // reserved for the parts of the index
  std::vector<std::shared_ptr<const void>> directory_holds_;
  IndexPlace place_;
};

}  // namespace scaup
