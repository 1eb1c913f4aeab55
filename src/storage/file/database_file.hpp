// The database file: checksummed blocks, and a header that switches atomically from checkpoint to checkpoint.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "storage/file/block_allocator.hpp"
#include "storage/file/checkpoint_reader.hpp"
#include "storage/file/file_header.hpp"

namespace scaup {

/// A block that was written; it stays in use as long as this lives.
struct WrittenBlock {
  BlockPointer pointer;
  BlockHold hold;
};

/// The database file. Thread-safe, except that only one call of SwitchTo or Shrink may run at a time, beside
/// any others. Every function that accesses the file
/// throws Error(kIo). docs/file-format.md describes the layout.
class DatabaseFile final : public BlockSource {
 public:
  /// Makes a new, empty database atomically, and opens it for writing.
  static std::unique_ptr<DatabaseFile> Create(FileSystem& files, const std::string& path);
  /// Opens a database. Changes nothing. Who writes, locks it: throws Error(kIo, 55006) if it is open for
  /// writing elsewhere. Who only reads, marks the newest checkpoint as read, so that a writer leaves its
  /// blocks as they are. Throws Error(kIo, XX001) for a file that is foreign, damaged or cut off, and
  /// Error(kNotSupported) for a newer format.
  static std::unique_ptr<DatabaseFile> Open(FileSystem& files, const std::string& path, bool read_only);

  /// Returns the header of the durable checkpoint; if the file is open read-only, of the one that is read.
  const FileHeader& header() const { return reader_ ? reader_->header() : header_; }
  const std::string& path() const { return file_->path(); }
  bool read_only() const { return read_only_; }
  /// Throws Error(kUsage, 25006) if the file is open read-only.
  void RequireWritable() const;
  uint64_t size_bytes() { return file_->Size(); }
  BlockAllocator& allocator() { return *allocator_; }

  void ReadBlock(const BlockPointer& pointer, std::byte* target) override;
  /// Throws Error(kIo, XX001) if one of the ids is not a data block within the file.
  void CheckBlockIds(std::span<const uint64_t> block_ids);
  /// Writes 1 to kFileBlockBytes bytes to a free block. The block is not durable before Sync.
  WrittenBlock WriteBlock(std::span<const std::byte> bytes);
  /// Makes all blocks durable that were written before. A failed sync may have lost the writes of any thread,
  /// even if a later sync succeeds. So a caller that writes blocks compares `failed_syncs` from before its
  /// first write with the value after its sync.
  void Sync();
  /// Syncs; throws Error(kIo) if any sync has failed since failed_syncs() returned `failed_syncs`.
  void SyncSince(uint64_t failed_syncs);
  uint64_t failed_syncs() const { return failed_syncs_.load(); }
  /// Makes `root` the durable checkpoint, with the next checkpoint number. `root` and all blocks that it
  /// refers to must have been synced; `block_ids` lists all of them. If it throws, the current checkpoint
  /// stays in force.
  void SwitchTo(const Extents& root, const std::vector<uint64_t>& block_ids);
  /// Makes sure that the file has the checkpoint of header(). That is in doubt after a SwitchTo failed, in
  /// this process or the one before, and may have left another header on disk. Does nothing otherwise. While
  /// it fails, nothing may be committed or overwritten.
  void EnsureHeader();
  /// Returns free space at the end of the file to the file system.
  void Shrink();
  /// Closes the file, which gives up its locks. Nobody may read or write any more.
  void Close() {
    reader_.reset();
    file_.reset();
  }
  /// Frees the blocks that were kept for readers in other processes that have gone. SwitchTo does the same.
  void ForgetReaders() noexcept;

  /// Returns what reads the checkpoints of a file that is open read-only; null of one that is not.
  CheckpointReader* reader() { return reader_.get(); }

 private:
  DatabaseFile(std::unique_ptr<File> file, bool read_only);

  /// Begins to write: takes the header as it is, and keeps what readers of other checkpoints may need.
  void BeginWriting();
  void WriteHeaderCopy(const FileHeader& header, uint64_t copy) SCAUP_REQUIRES_LOCK(header_mutex_);
  void EnsureHeaderLocked() SCAUP_REQUIRES_LOCK(header_mutex_);

  std::unique_ptr<File> file_;
  FileHeader header_;
  bool read_only_;
  uint64_t next_number_ = 0;  // of the next checkpoint; no reader has seen it
  SharedMutex size_mutex_;    // held shared while a block is written, so that it is not cut off
  Mutex header_mutex_;        // taken before sync_mutex_
  Mutex sync_mutex_;          // held while syncing, so that a failure counts before the next sync can succeed
  bool header_is_in_doubt_ SCAUP_GUARDED_BY(header_mutex_) = false;
  // The copy written last, or found torn at opening.
  uint64_t doubtful_copy_ SCAUP_GUARDED_BY(header_mutex_) = 0;
  std::atomic<uint64_t> failed_syncs_{0};
  std::shared_ptr<BlockAllocator> allocator_;
  std::unique_ptr<CheckpointReader> reader_;
};

}  // namespace scaup
