// The database file: blocks that are read with their checksums and never overwritten while anybody needs
// them, and a header that moves from one checkpoint to the next at once.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "storage/file/block_allocator.hpp"
#include "storage/file/file_header.hpp"

namespace scaup {

/// A block that was written and is kept as long as this lives.
struct WrittenBlock {
  BlockPointer pointer;
  BlockHold hold;
};

/// Thread-safe, but for SwitchTo and Shrink, of which one may run at a time, beside all others. Every
/// function that touches the file throws Error(kIo). docs/file-format.md has the layout.
class DatabaseFile final : public BlockSource {
 public:
  /// Makes a new, empty database, whole or not at all, and opens it for writing.
  static std::unique_ptr<DatabaseFile> Create(FileSystem& files, const std::string& path);
  /// Opens a database and locks it: for itself, or with other readers. Throws Error(kIo): 55006 if others
  /// have it in a way that does not go together, XX001 for a file that is foreign, damaged or cut off;
  /// Error(kNotSupported) for a newer format. Changes nothing.
  static std::unique_ptr<DatabaseFile> Open(FileSystem& files, const std::string& path, bool read_only);

  /// The durable checkpoint.
  const FileHeader& header() const { return header_; }
  const std::string& path() const { return file_->path(); }
  bool read_only() const { return read_only_; }
  uint64_t size_bytes() { return file_->Size(); }
  BlockAllocator& allocator() { return *allocator_; }

  void ReadBlock(const BlockPointer& pointer, std::byte* target) override;
  /// Throws Error(kIo, XX001) if one of them is no block of the file that may hold data.
  void CheckBlockIds(std::span<const uint64_t> block_ids);
  /// Writes 1 to kFileBlockBytes bytes to a free block. Not durable before Sync.
  WrittenBlock WriteBlock(std::span<const std::byte> bytes);
  /// Makes all blocks durable that were written before. A failure may have thrown away what anybody wrote,
  /// even if a later call succeeds: who writes blocks compares `failed_syncs` of before the first with that
  /// of after the sync.
  void Sync();
  /// Syncs, and throws Error(kIo) if a sync has failed since failed_syncs() returned `failed_syncs`.
  void SyncSince(uint64_t failed_syncs);
  uint64_t failed_syncs() const { return failed_syncs_.load(); }
  /// Makes `root`, whose blocks and all that they refer to have been synced, the durable checkpoint, with the
  /// number after the present one; `block_ids`: all blocks that it needs. When it throws, the present
  /// checkpoint stays.
  void SwitchTo(const Extents& root, const std::vector<uint64_t>& block_ids);
  /// Does nothing unless a SwitchTo, of this process or the one before, failed in such a way that the file
  /// may have another checkpoint than header(); then makes sure that it has the present one. Until that
  /// succeeds, nothing may be committed or overwritten.
  void EnsureHeader();
  /// Gives free space at the end of the file back to the file system.
  void Shrink();

 private:
  DatabaseFile(std::unique_ptr<File> file, FileHeader header, bool read_only);

  void WriteHeaderCopy(const FileHeader& header, uint64_t copy);
  void EnsureHeaderLocked();

  std::unique_ptr<File> file_;
  FileHeader header_;
  bool read_only_;
  std::shared_mutex size_mutex_;  // Shared by those who write blocks, so that none is cut off.
  std::mutex header_mutex_;       // Guards header_is_in_doubt_; taken before sync_mutex_.
  std::mutex sync_mutex_;         // A sync that failed is counted before the next one can succeed.
  bool header_is_in_doubt_ = false;
  uint64_t doubtful_copy_ = 0;  // Which copy was written last, or was not whole when the file was opened.
  std::atomic<uint64_t> failed_syncs_{0};
  std::shared_ptr<BlockAllocator> allocator_;
};

}  // namespace scaup
