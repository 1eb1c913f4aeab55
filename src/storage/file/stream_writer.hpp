// Packs byte streams into blocks of the file: many small runs share a block, long ones span several.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/file/database_file.hpp"

namespace scaup {

/// Writes several byte streams at once. Each stream has blocks of its own, so that a reader of one does not
/// read the others. The remainders of the streams share blocks at the end. Used by one thread at a time.
class StreamWriter {
 public:
  /// Makes `stream_count` streams. If `separate` is false, they all go to the same blocks in the order of the
  /// calls.
  StreamWriter(DatabaseFile& file, MemoryTracker& memory, size_t stream_count, bool separate);
  ~StreamWriter();

  /// Appends to a stream; returns the offset in the stream at which the bytes begin. REQUIRES: not finished.
  uint64_t Append(size_t stream, std::span<const std::byte> bytes);
  /// Writes the remainders. Afterwards streams can be located, but not appended to.
  void Finish();
  bool is_finished() const { return is_finished_; }
  /// Returns the location of bytes [begin, begin + size_bytes) of a stream. REQUIRES: Finish.
  Extents Locate(size_t stream, uint64_t begin, uint64_t size_bytes) const;
  /// Returns all blocks that were written. Each stays in use as long as the vector or a copy of its pointer
  /// lives.
  std::vector<std::shared_ptr<const WrittenBlock>> blocks() const;
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  struct Stream;
  Stream& StreamOf(size_t stream) { return *streams_[separate_ ? stream : 0]; }
  const Stream& StreamOf(size_t stream) const { return *streams_[separate_ ? stream : 0]; }
  std::shared_ptr<const WrittenBlock> WriteBlock(std::span<const std::byte> bytes);

  DatabaseFile& file_;
  bool separate_;
  bool is_finished_ = false;
  MemoryReservation reservation_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<const WrittenBlock>> blocks_;
  uint64_t size_bytes_ = 0;
};

}  // namespace scaup
