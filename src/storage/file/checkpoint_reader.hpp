// CheckpointReader: which checkpoint of a file a process reads, while another process may write the next one.
#pragma once

#include <set>

#include "common/file/file_system.hpp"
#include "storage/file/block_allocator.hpp"
#include "storage/file/header_copies.hpp"

namespace scaup {

/// The checkpoints of a file that is open read-only. Those that are read are marked, so that a writer in
/// another process leaves their blocks as they are. Owned by the DatabaseFile, whose file and allocator it
/// borrows. Used by one thread at a time.
class CheckpointReader {
 public:
  CheckpointReader(File& file, BlockAllocator& allocator) : file_(file), allocator_(allocator) {}

  /// Returns the header of the checkpoint that is read.
  const FileHeader& header() const { return header_; }
  /// Returns whether another process or open file is the writer.
  bool HasWriter();
  /// Returns whether header() is the file's newest.
  bool ReadsNewest();
  /// Marks the newest checkpoint as read, besides those that are; header() is its header then. Returns
  /// whether it is another one than before. Throws what DecodeHeaderImage and CheckLength throw.
  bool ReadNewest();
  /// Lets go of all checkpoints but the newest, once nothing in memory needs their blocks.
  void EndReadingOlder();

 private:
  /// Reads the header, and marks its checkpoint. Returns false if it is another one afterwards.
  bool TryReadNewest(HeaderImage& image, FileHeader& header);
  /// Takes a mark back that was just made.
  void Unmark(uint64_t number);

  File& file_;
  BlockAllocator& allocator_;
  FileHeader header_;
  HeaderImage image_{};        // what header_ was decoded from
  std::set<uint64_t> marked_;  // numbers of checkpoints
};

}  // namespace scaup
