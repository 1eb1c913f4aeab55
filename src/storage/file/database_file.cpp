// Opening, reading, writing and switching the database file.
#include "storage/file/database_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <random>

#include "common/checksum.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowDamaged(const std::string& message) {
  ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted, message);
}

void LockOrThrow(File& file, bool read_only) {
  if (file.TryLock(!read_only)) return;
  ThrowError(ErrorKind::kIo, sqlstate::kObjectInUse,
             fmt::format("database file \"{}\" is open elsewhere{}; close it there{}", file.path(),
                         read_only ? " for writing" : "",
                         read_only ? "" : ", or open it with access_mode 'read_only' on all sides"));
}

uint64_t RandomId() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

void WriteHeaderCopy(File& file, const FileHeader& header, uint64_t copy) {
  const auto bytes = EncodeHeader(header);
  file.Write(copy * kFileBlockBytes, bytes.data(), bytes.size());
  file.Sync();
}

DecodedHeader ReadHeaderCopy(File& file, uint64_t copy) {
  std::vector<std::byte> bytes(kHeaderBytes);
  bytes.resize(file.Read(copy * kFileBlockBytes, bytes.data(), bytes.size()));
  return DecodeHeader(bytes, file.path());
}

/// Opens the file as which a new database is made; nothing has its name before it is whole.
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

/// The newer one of the whole copies. They are written one after the other, so that there is always one.
FileHeader ReadHeader(File& file) {
  using State = DecodedHeader::State;
  const std::string& path = file.path();
  DecodedHeader copies[kHeaderCopies];
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) copies[copy] = ReadHeaderCopy(file, copy);
  for (const DecodedHeader& copy : copies) {
    if (copy.state != State::kNewer) continue;
    ThrowNotSupported(
        fmt::format("database file \"{}\" has format {}, and this version of Scaup reads format {}: open "
                    "it with a newer version",
                    path, copy.version, kFileFormatVersion));
  }
  const bool first_is_whole = copies[0].state == State::kValid,
             second_is_whole = copies[1].state == State::kValid;
  if (!first_is_whole && !second_is_whole) {
    if (copies[0].state == State::kForeign && copies[1].state == State::kForeign) {
      ThrowDamaged(file.Size() == 0 ? fmt::format("file \"{}\" is empty: not a Scaup database", path)
                                    : fmt::format("file \"{}\" is not a Scaup database", path));
    }
    ThrowDamaged(
        fmt::format("both headers of database file \"{}\" (at 0 and {}) are damaged", path, kFileBlockBytes));
  }
  if (!first_is_whole) return copies[1].header;
  if (!second_is_whole) return copies[0].header;
  if (copies[0].header.database_id != copies[1].header.database_id) {
    ThrowDamaged(fmt::format("the headers of database file \"{}\" are of different databases", path));
  }
  return copies[0].header.checkpoint_number >= copies[1].header.checkpoint_number ? copies[0].header
                                                                                  : copies[1].header;
}

}  // namespace

DatabaseFile::DatabaseFile(std::unique_ptr<File> file, FileHeader header, bool read_only)
    : file_(std::move(file)),
      header_(std::move(header)),
      read_only_(read_only),
      allocator_(std::make_shared<BlockAllocator>(kHeaderCopies)) {
  allocator_->ExtendTo(header_.block_count);
}

std::unique_ptr<DatabaseFile> DatabaseFile::Create(FileSystem& files, const std::string& path) {
  const std::string temporary = path + ".new";
  auto file = OpenUnfinished(files, temporary, path);
  LockOrThrow(*file, false);  // Another process may be making the same database.
  if (files.Exists(path)) {
    ThrowError(ErrorKind::kIo, sqlstate::kObjectInUse,
               fmt::format("database file \"{}\" was just made by somebody else; open it again", path));
  }
  file->Truncate(0);
  FileHeader header;
  header.database_id = RandomId();
  header.checkpoint_number = 1;
  header.block_count = kHeaderCopies;
  file->Truncate(kHeaderCopies * kFileBlockBytes);
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) WriteHeaderCopy(*file, header, copy);
  files.Rename(temporary, path);
  file.reset();
  return Open(files, path, false);
}

std::unique_ptr<DatabaseFile> DatabaseFile::Open(FileSystem& files, const std::string& path, bool read_only) {
  auto file = files.Open(path, read_only ? OpenMode::kRead : OpenMode::kReadWrite);
  LockOrThrow(*file, read_only);
  FileHeader header = ReadHeader(*file);
  // The last block may be written in part; whoever reads it sees whether all of it is there.
  if (file->Size() <= (header.block_count - 1) * kFileBlockBytes) {
    ThrowDamaged(fmt::format(
        "database file \"{}\" is cut off: it has {} bytes, but by its header {} blocks of {} bytes", path,
        file->Size(), header.block_count, kFileBlockBytes));
  }
  return std::unique_ptr<DatabaseFile>(new DatabaseFile(std::move(file), std::move(header), read_only));
}

void DatabaseFile::ReadBlock(const BlockPointer& pointer, std::byte* target) {
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
  if (read_only_) {
    ThrowError(ErrorKind::kUsage, sqlstate::kReadOnlyTransaction,
               fmt::format("cannot write: database file \"{}\" is open read-only", path()));
  }
  EnsureHeader();
  std::shared_lock lock(size_mutex_);
  WrittenBlock block;
  block.hold = allocator_->Allocate();
  block.pointer.block_id = block.hold.block_id();
  block.pointer.size_bytes = static_cast<uint32_t>(bytes.size());
  block.pointer.checksum = Checksum(bytes);
  file_->Write(block.pointer.block_id * kFileBlockBytes, bytes.data(), bytes.size());
  return block;
}

void DatabaseFile::Sync() {
  try {
    file_->Sync();
  } catch (...) {
    failed_syncs_++;
    throw;
  }
}

void DatabaseFile::EnsureHeader() {
  std::lock_guard lock(header_mutex_);
  if (!header_is_in_doubt_) return;
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) WriteHeaderCopy(*file_, header_, copy);
  header_is_in_doubt_ = false;
}

void DatabaseFile::SwitchTo(const Extents& root, const std::vector<uint64_t>& block_ids) {
  FileHeader next = header_;
  next.checkpoint_number++;
  next.root = root;
  next.block_count = kHeaderCopies;
  for (const uint64_t block_id : block_ids) next.block_count = std::max(next.block_count, block_id + 1);
  try {
    std::lock_guard lock(header_mutex_);
    header_is_in_doubt_ = true;
    for (uint64_t copy = 0; copy < kHeaderCopies; copy++) WriteHeaderCopy(*file_, next, copy);
    header_is_in_doubt_ = false;
    header_ = std::move(next);
  } catch (...) {
    failed_syncs_++;
    try {
      EnsureHeader();
    } catch (const Error&) {
      // Stays in doubt; whoever writes next tries again.
    }
    throw;
  }
  allocator_->SetDurable(block_ids);
}

void DatabaseFile::Shrink() {
  std::unique_lock lock(size_mutex_);
  const uint64_t end_bytes = std::max(allocator_->TrimEnd(), header_.block_count) * kFileBlockBytes;
  if (file_->Size() > end_bytes) file_->Truncate(end_bytes);
}

}  // namespace scaup
