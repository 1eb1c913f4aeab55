// Where operators put data that does not fit in memory: a file without a name, gone with the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "common/file/file_system.hpp"

namespace scaup {

class TemporaryStorage;

/// A place in the temporary file, with what was written there. Owned by who wrote it; its space is used again
/// when it dies. Movable; one thread at a time. Must not outlive the storage.
class TemporarySlot {
 public:
  TemporarySlot() = default;
  TemporarySlot(TemporarySlot&& other) noexcept { *this = std::move(other); }
  TemporarySlot& operator=(TemporarySlot&& other) noexcept;
  ~TemporarySlot() { Reset(); }

  /// Gives the space back.
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

/// The spilled data of one database. Thread-safe: reads and writes run at once, only the list of free places
/// has a lock. Owned by the database. The file is made by the first write and has no name, so that a crash
/// leaves nothing behind.
class TemporaryStorage {
 public:
  /// Places begin at multiples of this.
  static constexpr size_t kUnitBytes = 4096;

  /// `directory` is made if it is missing. With `max_bytes` 0 there is no limit.
  TemporaryStorage(FileSystem& files, std::string directory, uint64_t max_bytes);
  TemporaryStorage(const TemporaryStorage&) = delete;
  TemporaryStorage& operator=(const TemporaryStorage&) = delete;

  /// Throws Error(kIo, 53400) past the limit, and what the file system throws; nothing is kept then.
  TemporarySlot Write(std::span<const std::byte> data);
  /// `target` has the size of what was written. Throws Error(kIo, XX001) when other bytes come back.
  void Read(const TemporarySlot& slot, std::span<std::byte> target);

  /// Limits the file's length, for later writes; what is there stays.
  void SetMaxBytes(uint64_t max_bytes) { max_bytes_.store(max_bytes, std::memory_order_relaxed); }
  /// Bytes of all slots that live, rounded up to units.
  uint64_t used_bytes() const;
  /// Length of the file.
  uint64_t file_bytes() const;

 private:
  friend class TemporarySlot;

  File& RequireFile();
  [[noreturn]] void ThrowFull(uint64_t wanted_bytes, uint64_t limit) const;
  uint64_t Allocate(size_t size_bytes);
  void Free(uint64_t offset, size_t size_bytes) noexcept;
  void AddFreePlace(uint64_t offset, uint64_t size_bytes);
  void Shorten() noexcept;

  FileSystem& files_;
  const std::string directory_;
  std::atomic<uint64_t> max_bytes_;
  mutable std::mutex mutex_;  // Guards what follows; the file itself is used without it.
  std::unique_ptr<File> file_;
  std::map<uint64_t, uint64_t> free_places_;  // Offset to size; none touch each other or the end.
  uint64_t end_ = 0;                          // Behind the last slot.
  uint64_t length_ = 0;                       // What the file may have been written up to.
  uint64_t used_bytes_ = 0;
};

/// Where the temporary file of a database goes: `setting` if it is not empty, else the directory of its file,
/// else /tmp for a database in memory (whose path is empty).
std::string TemporaryDirectory(const std::string& setting, const std::string& database_path);

}  // namespace scaup
