// Spilled chunks: a list of chunks in temporary storage, for everything that spills rows but sorted runs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/byte_stream.hpp"
#include "storage/buffer/temporary_file.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

class MemoryUse;

/// Chunks that were spilled, by number. Movable; any number of threads may read once the writer is flushed.
class SpilledChunks {
 public:
  size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  /// Reads a chunk of these types, flat. Throws Error(kIo) as TemporaryStorage::ReadPart does.
  DataChunk Read(size_t index, TemporaryStorage& storage, const std::vector<LogicalType>& types) const;
  /// Gives up a chunk; its space is returned with that of its neighbours.
  void Drop(size_t index) { places_[index].slot.reset(); }

 private:
  friend class SpilledChunkWriter;
  /// A part of a slot, which neighbours share.
  struct Place {
    std::shared_ptr<const TemporarySlot> slot;
    size_t offset;
    size_t size_bytes;
    uint64_t checksum;
  };
  std::vector<Place> places_;
};

/// Appends chunks to lists, several to a slot while they are small: with little memory a partition has a few
/// rows when it is spilled. One thread at a time.
class SpilledChunkWriter {
 public:
  /// Borrows all arguments. `use`, if not null, counts what is written.
  SpilledChunkWriter(TemporaryStorage& storage, MemoryUse* use) : storage_(storage), use_(use) {}

  /// Adds a chunk to the end of `list`, which stays in its place until Flush. The chunk's rows do not change,
  /// but its vectors may take another form. Throws what TemporaryStorage::Write throws.
  void Write(DataChunk& rows, SpilledChunks& list);
  /// Writes what waits to share a slot; before that it cannot be read.
  void Flush();

 private:
  static constexpr size_t kSlotBytes = size_t{32} << 10;
  TemporaryStorage& storage_;
  MemoryUse* const use_;
  ByteWriter bytes_;
  std::vector<std::pair<SpilledChunks*, size_t>> waiting_;  // Chunks that bytes_ holds.
};

}  // namespace scaup
