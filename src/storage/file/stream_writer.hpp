// Packs runs of bytes into blocks of the file: many small ones in a block, long ones over several.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/file/database_file.hpp"

namespace scaup {

/// Writes several streams of bytes at once, each into blocks of its own, so that who reads one stream does
/// not read the others; what is left of each at the end shares blocks. One thread at a time.
class StreamWriter {
 public:
  /// `stream_count` streams; with `separate` false they all go into the same blocks, as they come.
  StreamWriter(DatabaseFile& file, MemoryTracker& memory, size_t stream_count, bool separate);
  ~StreamWriter();

  /// Appends to a stream; returns where in it the bytes begin.
  uint64_t Append(size_t stream, std::span<const std::byte> bytes);
  /// Writes what is left. After that the streams can be located, and nothing can be appended.
  void Finish();
  /// The place of bytes [begin, begin + size_bytes) of a stream. REQUIRES: Finish.
  Extents Locate(size_t stream, uint64_t begin, uint64_t size_bytes) const;
  /// All blocks that were written; each is held as long as somebody has the vector or a copy of a pointer of
  /// it.
  std::vector<std::shared_ptr<const WrittenBlock>> blocks() const;
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  struct Stream;
  Stream& StreamOf(size_t stream) { return *streams_[separate_ ? stream : 0]; }
  const Stream& StreamOf(size_t stream) const { return *streams_[separate_ ? stream : 0]; }
  std::shared_ptr<const WrittenBlock> WriteBlock(std::span<const std::byte> bytes);

  DatabaseFile& file_;
  bool separate_;
  MemoryReservation reservation_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::shared_ptr<const WrittenBlock>> blocks_;
  uint64_t size_bytes_ = 0;
};

}  // namespace scaup
