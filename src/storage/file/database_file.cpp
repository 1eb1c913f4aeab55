// Opens, reads, writes and switches the database file.
#include "storage/file/database_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "common/checksum.hpp"
#include "common/throw.hpp"
#include "storage/file/header_copies.hpp"
#include "storage/file/process_locks.hpp"

namespace scaup {

namespace {

/// Limits block ids so that every byte offset fits 63 bits.
constexpr uint64_t kMostBlocks = (uint64_t{1} << 63) / kFileBlockBytes - 1;

[[noreturn]] void ThrowDamaged(const std::string& message) {
  ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted, message);
}

void LockOrThrow(File& file) {
  if (TryLockForWriting(file)) return;
  ThrowError(
      ErrorKind::kIo, sqlstate::kObjectInUse,
      fmt::format("database file \"{}\" is open elsewhere for writing; close it there, or open it here "
                  "with access_mode 'read_only'",
                  file.path()));
}

uint64_t RandomId() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

void WriteNewHeaderCopy(File& file, const FileHeader& header, uint64_t copy) {
  const auto bytes = EncodeHeader(header);
  file.Write(copy * kFileBlockBytes, bytes.data(), bytes.size());
  file.Sync();
}

// Each copy is synced before the next is written, as in a checkpoint, so that a crash tears at most one of
// them. The file already has its full length then, as opening it requires.
void WriteNewHeaders(File& file) {
  FileHeader header;
  header.database_id = RandomId();
  header.checkpoint_number = 1;
  header.block_count = kHeaderCopies;
  file.Truncate(kHeaderCopies * kFileBlockBytes);
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) WriteNewHeaderCopy(file, header, copy);
}

/// Returns whether the file exists but was never written: as mkstemp makes it, or as a crash leaves it while
/// it is made a database. A file with a log does not count: it has lost its contents.
bool IsUnused(FileSystem& files, File& file) {
  const uint64_t size_bytes = file.Size();
  if (size_bytes != 0 && size_bytes != kHeaderCopies * kFileBlockBytes) return false;
  std::vector<std::byte> bytes(kHeaderBytes);
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) {
    bytes.resize(file.Read(copy * kFileBlockBytes, bytes.data(), kHeaderBytes));
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{}; }))
      return false;
    bytes.resize(kHeaderBytes);
  }
  return !files.Exists(file.path() + ".wal");
}

/// Opens the temporary file in which a new database is made. The database gets its name only when it is
/// complete.
std::unique_ptr<File> OpenUnfinished(FileSystem& files, const std::string& unfinished,
                                     const std::string& path) {
  try {
    return files.Open(unfinished, OpenMode::kReadWrite);
  } catch (const Error& error) {
    if (error.sqlstate() != std::string_view(sqlstate::kUndefinedFile)) throw;
    ThrowError(ErrorKind::kIo, sqlstate::kUndefinedFile,
               fmt::format("could not make database file \"{}\": its directory does not exist", path));
  }
}

}  // namespace

DatabaseFile::DatabaseFile(std::unique_ptr<File> file, bool read_only)
    : file_(std::move(file)),
      read_only_(read_only),
      allocator_(std::make_shared<BlockAllocator>(kHeaderCopies)) {}

std::unique_ptr<DatabaseFile> DatabaseFile::Create(FileSystem& files, const std::string& path) {
  const std::string temporary = path + ".new";
  auto file = OpenUnfinished(files, temporary, path);
  LockOrThrow(*file);  // another process may be making the same database
  // Only after the lock: another process may have finished the database and released its lock meanwhile.
  if (files.Exists(path)) {
    ThrowError(ErrorKind::kIo, sqlstate::kObjectInUse,
               fmt::format("database file \"{}\" was just made by somebody else; open it again", path));
  }
  try {
    file->Truncate(0);
    WriteNewHeaders(*file);
    files.Rename(temporary, path);
  } catch (...) {
    try {
      if (files.Exists(temporary)) files.Remove(temporary);
    } catch (const std::exception&) {
      // The first error is the one to report.
    }
    throw;
  }
  file.reset();
  return Open(files, path, false);
}

std::unique_ptr<DatabaseFile> DatabaseFile::Open(FileSystem& files, const std::string& path, bool read_only) {
  auto file = files.Open(path, read_only ? OpenMode::kRead : OpenMode::kReadWrite);
  if (!read_only) {
    LockOrThrow(*file);
    if (IsUnused(files, *file)) WriteNewHeaders(*file);
  }
  std::unique_ptr<DatabaseFile> opened(new DatabaseFile(std::move(file), read_only));
  if (read_only) {
    opened->reader_ = std::make_unique<CheckpointReader>(*opened->file_, *opened->allocator_);
    opened->reader_->ReadNewest();
  } else {
    opened->BeginWriting();
  }
  return opened;
}

void DatabaseFile::BeginWriting() {
  HeaderImage image;
  ReadHeaderImage(*file_, image);
  const HeaderCopies copies = DecodeHeaderImage(image, *file_);
  CheckLength(*file_, copies.header);
  header_ = copies.header;
  allocator_->ExtendTo(header_.block_count);
  // After a failed sync in an earlier process, the page cache may hold a header that is not on disk. So the
  // header found here is written again before anything builds on it.
  header_mutex_.AssertHeld();  // as good as held: nobody else knows the file yet
  header_is_in_doubt_ = copies.are_different;
  doubtful_copy_ = copies.older_copy;
  next_number_ = header_.checkpoint_number + 1;
  // An earlier process may have left readers of other checkpoints. It has not told which blocks these need,
  // so all are kept.
  const uint64_t end_block = (file_->Size() + kFileBlockBytes - 1) / kFileBlockBytes;
  for (const uint64_t number : CheckpointsBeingRead(*file_)) {
    next_number_ = std::max(next_number_, number + 1);
    if (number == header_.checkpoint_number) continue;
    BlockAllocator::ReadBlocksList read(1);
    read.front().checkpoint_number = number;
    read.front().blocks.assign(end_block, true);
    allocator_->KeepForReaders(std::move(read));
  }
}

void DatabaseFile::ForgetReaders() noexcept {
  try {
    allocator_->ForgetUnread(CheckpointsBeingRead(*file_));
  } catch (const std::exception&) {
    // Blocks stay in use until the next checkpoint if nobody can say now who needs them.
  }
}

void DatabaseFile::RequireWritable() const {
  if (!read_only_) return;
  ThrowError(ErrorKind::kUsage, sqlstate::kReadOnlyTransaction,
             fmt::format("cannot change anything: database file \"{}\" is open read-only", path()));
}

void DatabaseFile::CheckBlockIds(std::span<const uint64_t> block_ids) {
  const uint64_t end_block = (file_->Size() + kFileBlockBytes - 1) / kFileBlockBytes;
  for (const uint64_t block_id : block_ids) {
    if (block_id >= kHeaderCopies && block_id < end_block) continue;
    ThrowDamaged(
        fmt::format("database file \"{}\" is damaged: it has {} blocks, and something refers to block {}",
                    path(), end_block, block_id));
  }
}

void DatabaseFile::ReadBlock(const BlockPointer& pointer, std::byte* target) {
  // An id behind the end of the file makes the read below come up short, so the file's size is not asked for.
  if (pointer.block_id < kHeaderCopies || pointer.block_id > kMostBlocks)
    CheckBlockIds({&pointer.block_id, 1});
  const size_t read = file_->Read(pointer.block_id * kFileBlockBytes, target, pointer.size_bytes);
  if (read != pointer.size_bytes) {
    ThrowDamaged(fmt::format("database file \"{}\" is cut off in block {} (at byte {})", path(),
                             pointer.block_id, pointer.block_id * kFileBlockBytes));
  }
  if (Checksum({target, pointer.size_bytes}) != pointer.checksum) {
    ThrowDamaged(fmt::format(
        "block {} of database file \"{}\" (at byte {}) is damaged: its checksum is not what refers "
        "to it says",
        pointer.block_id, path(), pointer.block_id * kFileBlockBytes));
  }
}

WrittenBlock DatabaseFile::WriteBlock(std::span<const std::byte> bytes) {
  SCAUP_CHECK(!bytes.empty() && bytes.size() <= kFileBlockBytes);
  // Checked here rather than by the file system, whose error would be about a file descriptor.
  RequireWritable();
  // Shared with other writers, but not with Shrink, which might cut off the new block.
  ReaderLock lock(size_mutex_);
  WrittenBlock block;
  {
    // The header is ensured before the block is allocated: while it is in doubt, a block that counts as free
    // may belong to the checkpoint on disk.
    MutexLock header_lock(header_mutex_);
    EnsureHeaderLocked();
    block.hold = allocator_->Allocate();
  }
  block.pointer.block_id = block.hold.block_id();
  block.pointer.size_bytes = static_cast<uint32_t>(bytes.size());
  block.pointer.checksum = Checksum(bytes);
  file_->Write(block.pointer.block_id * kFileBlockBytes, bytes.data(), bytes.size());
  return block;
}

void DatabaseFile::Sync() {
  // The lock makes a failed sync count before another thread's sync can succeed; see SyncSince.
  MutexLock lock(sync_mutex_);
  try {
    file_->Sync();
  } catch (...) {
    failed_syncs_++;
    throw;
  }
}

void DatabaseFile::SyncSince(uint64_t failed_syncs) {
  Sync();
  if (failed_syncs_.load() == failed_syncs) return;
  ThrowError(
      ErrorKind::kIo, sqlstate::kIoError,
      fmt::format("data written to \"{}\" may be lost, as the system failed to sync the file; try again",
                  path()));
}

void DatabaseFile::EnsureHeader() {
  // Each commit comes here before it is logged.
  AnnounceCommits(*file_);
  MutexLock lock(header_mutex_);
  EnsureHeaderLocked();
}

void DatabaseFile::EnsureHeaderLocked() {
  if (!header_is_in_doubt_) return;
  // The doubtful copy comes first: the other one is intact and must stay so until this one is.
  const uint64_t first = doubtful_copy_;
  for (const uint64_t copy : {first, kHeaderCopies - 1 - first}) WriteHeaderCopy(header_, copy);
  header_is_in_doubt_ = false;
}

void DatabaseFile::WriteHeaderCopy(const FileHeader& header, uint64_t copy) {
  const auto bytes = EncodeHeader(header);
  doubtful_copy_ = copy;
  file_->Write(copy * kFileBlockBytes, bytes.data(), bytes.size());
  Sync();
}

void DatabaseFile::SwitchTo(const Extents& root, const std::vector<uint64_t>& block_ids) {
  FileHeader next = header_;
  next.root = root;
  next.block_count = kHeaderCopies;
  for (const uint64_t block_id : block_ids) next.block_count = std::max(next.block_count, block_id + 1);
  // Allocates now, since nothing may fail after the headers are written.
  std::vector<bool> durable = BlockAllocator::MarkBlocks(block_ids);
  BlockAllocator::ReadBlocksList before(1), failed(1);
  before.front().checkpoint_number = header_.checkpoint_number;
  failed.front().blocks = durable;
  // No number is used twice, even if the switch fails: a reader may have found the header that is taken back.
  next.checkpoint_number = failed.front().checkpoint_number = next_number_++;
  MutexLock lock(header_mutex_);
  try {
    // In doubt from the first byte on: if a write fails, the file may have either checkpoint.
    header_is_in_doubt_ = true;
    for (uint64_t copy = 0; copy < kHeaderCopies; copy++) WriteHeaderCopy(next, copy);
  } catch (...) {
    allocator_->KeepForReaders(std::move(failed));
    try {
      EnsureHeaderLocked();
      ForgetReaders();
    } catch (const std::exception&) {
      // The header stays in doubt, and the next writer tries again.
    }
    throw;
  }
  // Nothing may fail from here on: recovery will find this checkpoint.
  header_is_in_doubt_ = false;
  header_ = std::move(next);
  allocator_->SwitchTo(std::move(durable), std::move(before));
  // Readers of the checkpoint before have marked it by now, as the header no longer names it.
  ForgetReaders();
}

void DatabaseFile::Shrink() {
  WriterLock lock(size_mutex_);
  const uint64_t end_bytes = std::max(allocator_->TrimEnd(), header_.block_count) * kFileBlockBytes;
  if (file_->Size() > end_bytes) file_->Truncate(end_bytes);
}

}  // namespace scaup
