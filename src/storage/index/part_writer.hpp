// PartWriter: cuts sorted index entries into parts and writes them to a stream of the file.
#pragma once

#include <memory>
#include <vector>

#include "common/check.hpp"
#include "storage/file/stream_writer.hpp"
#include "storage/index/stored_part.hpp"

namespace scaup {

/// A part of an index that was written to a stream.
struct WrittenPart {
  IndexKey fence;  ///< the least bytes that belong to the part
  uint64_t begin = 0;
  uint64_t size_bytes = 0;
  uint64_t entry_count = 0;
  std::shared_ptr<const StoredPart> stored;  ///< null until the stream is finished and the part is located
};

/// Locates the part. REQUIRES: `data` has been finished. `hold_of(block_id)` keeps a block in use.
template <typename F>
void LocatePart(const StreamWriter& data, size_t stream, const F& hold_of, WrittenPart& part) {
  SCAUP_ASSERT(data.is_finished());
  auto stored = std::make_shared<StoredPart>();
  stored->entry_count = part.entry_count;
  stored->extents = data.Locate(stream, part.begin, part.size_bytes);
  for (const Extent& extent : stored->extents) stored->holds.push_back(hold_of(extent.block.block_id));
  part.stored = std::move(stored);
}

/// Writes entries that come in tree order, with the values of a key together. Borrows all arguments. Used by
/// one thread.
class PartWriter {
 public:
  /// `fence` begins the first part. `list_memory` grows by the memory of the list of parts.
  PartWriter(MemoryTracker& memory, StreamWriter& data, size_t stream, IndexKey fence,
             MemoryReservation& list_memory);
  void Add(KeyBytes key, uint64_t value);
  /// Returns the parts, none if nothing was added.
  std::vector<WrittenPart> Finish();

 private:
  void Write(PartEncoder::Part part);

  StreamWriter& data_;
  const size_t stream_;
  MemoryReservation& list_memory_;
  PartEncoder encoder_;
  IndexKey fence_;
  std::vector<WrittenPart> parts_;
};

}  // namespace scaup
