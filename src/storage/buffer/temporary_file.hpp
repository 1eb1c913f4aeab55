// Temporary storage for operators that spill: an unnamed file that vanishes with the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "storage/buffer/temporary_mapping.hpp"

namespace scaup {

class TemporaryStorage;

/// A range of the temporary file with data. Owned by the operator that wrote it; the destructor returns the
/// space. Movable; used by one thread at a time. Must not outlive the storage.
class TemporarySlot {
 public:
  TemporarySlot() = default;
  TemporarySlot(TemporarySlot&& other) noexcept { *this = std::move(other); }
  TemporarySlot& operator=(TemporarySlot&& other) noexcept;
  ~TemporarySlot() { Reset(); }

  /// Returns the space to the storage.
  void Reset() noexcept;
  size_t size_bytes() const { return size_bytes_; }
  uint64_t offset() const { return offset_; }

 private:
  friend class TemporaryStorage;
  TemporaryStorage* storage_ = nullptr;
  uint64_t offset_ = 0;
  size_t size_bytes_ = 0;
  uint64_t checksum_ = 0;
};

/// The spilled data of one database. Thread-safe: reads and writes run concurrently, and only the list of
/// free ranges has a lock. Owned by the database. The first write makes the file, which has no name, so that
/// a crash leaves nothing behind.
class TemporaryStorage {
 public:
  /// Slots begin at multiples of this.
  static constexpr size_t kUnitBytes = 4096;

  /// Makes `directory` when it is first needed. `max_bytes` 0 means no limit.
  TemporaryStorage(FileSystem& files, std::string directory, uint64_t max_bytes);
  /// All slots have been destroyed before.
  ~TemporaryStorage();
  TemporaryStorage(const TemporaryStorage&) = delete;
  TemporaryStorage& operator=(const TemporaryStorage&) = delete;

  /// Writes `data`. Throws Error(kIo, 53400) beyond the limit, and what the file system throws; no space is
  /// taken then.
  TemporarySlot Write(std::span<const std::byte> data);
  /// Reads a slot; `target` has its size. Throws Error(kIo, XX001) if the bytes are not those that were
  /// written.
  void Read(const TemporarySlot& slot, std::span<std::byte> target);
  /// Reads a part of a slot. `checksum` is the HashBytes of the bytes that were written.
  void ReadPart(const TemporarySlot& slot, size_t offset, uint64_t checksum, std::span<std::byte> target);

  /// Maps `size_bytes` of a file of its own, whose bytes count as used. What is mapped may outlive the
  /// storage. Throws as Write does. REQUIRES: size_bytes > 0.
  std::unique_ptr<TemporaryMapping> Map(size_t size_bytes);

  /// Limits the length of the files for later writes; existing data stays.
  void SetMaxBytes(uint64_t max_bytes) { max_bytes_.store(max_bytes, std::memory_order_relaxed); }
  /// Returns the bytes of all live slots and mappings, each rounded up to units.
  uint64_t used_bytes() const;
  /// Returns the length of the file and of all mapped ones.
  uint64_t file_bytes() const;

 private:
  friend class TemporarySlot;

  /// Calls make(), and once more if the directory had to be made first.
  template <typename Make>
  auto InDirectory(const Make& make);
  File& RequireFile() SCAUP_REQUIRES_LOCK(mutex_);
  uint64_t mapped_bytes() const { return mapped_bytes_->load(std::memory_order_relaxed); }
  [[noreturn]] void ThrowFull(uint64_t wanted_bytes, uint64_t limit) const SCAUP_REQUIRES_LOCK(mutex_);
  /// Throws unless the files may become that much longer.
  void RequireRoom(uint64_t wanted_bytes) const SCAUP_REQUIRES_LOCK(mutex_);
  uint64_t Allocate(size_t size_bytes) SCAUP_REQUIRES_LOCK(mutex_);
  void Free(uint64_t offset, size_t size_bytes) noexcept;
  void AddFreePlace(uint64_t offset, uint64_t size_bytes) SCAUP_REQUIRES_LOCK(mutex_);
  void RemoveFreePlace(std::map<uint64_t, uint64_t>::iterator place) SCAUP_REQUIRES_LOCK(mutex_);
  void Shorten() noexcept SCAUP_REQUIRES_LOCK(mutex_);

  FileSystem& files_;
  const std::string directory_;
  std::atomic<uint64_t> max_bytes_;
  mutable Mutex mutex_;  // file I/O goes on without it
  std::unique_ptr<File> file_ SCAUP_GUARDED_BY(mutex_);
  // Offset to size; none adjoins another or the end.
  std::map<uint64_t, uint64_t> free_places_ SCAUP_GUARDED_BY(mutex_);
  // Size and offset of the same ranges: with small slots there are thousands of them.
  std::set<std::pair<uint64_t, uint64_t>> free_by_size_ SCAUP_GUARDED_BY(mutex_);
  uint64_t end_ SCAUP_GUARDED_BY(mutex_) = 0;         // end of the last slot
  uint64_t length_ SCAUP_GUARDED_BY(mutex_) = 0;      // the file may have been written up to here
  uint64_t used_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;  // of slots
  const std::shared_ptr<std::atomic<uint64_t>> mapped_bytes_ = std::make_shared<std::atomic<uint64_t>>(0);
};

/// Returns the directory of a database's temporary file: `setting` unless empty, else the directory of the
/// database file. For a database in memory, whose path is empty, it is /tmp.
std::string TemporaryDirectory(const std::string& setting, const std::string& database_path);

}  // namespace scaup
