// Writes what has changed in an index to the file, as a part of a checkpoint of the database.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "storage/file/stream_writer.hpp"
#include "storage/index/ordered_index.hpp"

namespace scaup {

/// One checkpoint of one index, step by step: WriteParts; the caller finishes the stream of parts;
/// WriteDirectory; the caller finishes the stream of directories; Finish; the caller makes it all durable;
/// Install. If it dies before, the index is as if there had been none.
///
/// One thread, and one checkpoint of an index at a time. Others read and change the index meanwhile, but no
/// entry that is to be written may come.
class IndexCheckpoint {
 public:
  /// `is_committed` says of a value whether it is to be written; entries whose values are not stay in memory.
  IndexCheckpoint(OrderedIndex& index, std::function<bool(uint64_t)> is_committed)
      : index_(index), is_committed_(std::move(is_committed)), memory_(index.memory_) {}

  /// Writes the parts that have changed, those that lie in blocks of which little else is in use, so that
  /// these become free, and those in blocks that shall be left. All go to stream `stream` of `data`, which
  /// indexes may share.
  void WriteParts(StreamWriter& data, size_t stream, const std::function<bool(uint64_t)>& leaves_block);
  /// REQUIRES: `data` has been finished.
  void WriteDirectory(const StreamWriter& data, StreamWriter& directories);
  /// Where the index is now. REQUIRES: `directories` has been finished.
  const IndexPlace& Finish(const StreamWriter& directories);
  /// From now on the index reads what was written. Never fails: what would need memory that is not there is
  /// left for the next checkpoint.
  void Install() noexcept;

 private:
  /// A part as it will be in the file.
  struct NewPart {
    IndexKey fence;
    uint64_t begin = 0;
    uint64_t size_bytes = 0;
    uint64_t entry_count = 0;
    std::shared_ptr<const StoredPart> stored;
  };
  /// A part of the index, and what it becomes in the file.
  struct Work {
    IndexPart* part = nullptr;
    std::shared_ptr<RadixTree> tree;  // Null: has not changed.
    uint64_t version = 0;
    bool has_others = false;  // Entries that are not committed.
    std::vector<NewPart> parts;
    std::vector<std::unique_ptr<IndexPart>> additional;  // For all of `parts` but the first.
  };

  void WriteTree(Work& work, StreamWriter& data);
  void CopyPart(Work& work, StreamWriter& data);
  bool InstallOne(Work& work) noexcept;
  bool SplitOff(Work& work) noexcept;

  OrderedIndex& index_;
  std::function<bool(uint64_t)> is_committed_;
  MemoryReservation memory_;
  size_t stream_ = 0;
  std::vector<Work> works_;  // All parts of the index, in their order.
  uint64_t directory_begin_ = 0;
  uint64_t directory_bytes_ = 0;
  std::vector<std::unique_ptr<IndexPart>> parts_;  // Room for those of the index.
  std::vector<std::shared_ptr<const void>> directory_holds_;
  IndexPlace place_;
};

}  // namespace scaup
