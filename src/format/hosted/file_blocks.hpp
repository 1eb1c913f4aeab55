// The blocks of a file of a host that a statement has read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "common/file/file_system.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "scaup/file_host.hpp"

namespace scaup {

/// A file that is far away, read in blocks of 1 MiB: each request costs time, so a request is for as many
/// blocks as will be needed, and several threads share what one has got. Blocks stay while there is room for
/// them. Borrows `use` and `memory`. Thread-safe.
class FileBlocks {
 public:
  /// Keeps `host` as long as its file.
  FileBlocks(std::shared_ptr<FileHost> host, std::unique_ptr<HostedFile> file, std::string path,
             const FileUse& use, MemoryTracker& memory);

  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return path_; }
  HostedFile& file() { return *file_; }
  /// Reads as File::Read does. `expected` are ranges that will be read, too. Throws Error(kIo, 58030) if the
  /// host gives fewer bytes than the file has.
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes, std::span<const FileRange> expected);
  /// Says that a reader begins, or has ended. Without readers few blocks stay.
  void AddReader();
  void RemoveReader();

 private:
  /// The bytes of one request.
  struct Run {
    explicit Run(MemoryTracker& memory) : reservation(memory) {}
    MemoryReservation reservation;
    std::unique_ptr<char[]> bytes;
    uint64_t begin = 0;  // in the file
    size_t size_bytes = 0;
  };
  struct Block {
    std::shared_ptr<const Run> run;  // null while it is being read
    uint64_t last_use = 0;
  };

  std::shared_ptr<const Run> RunAt(uint64_t block, std::span<const FileRange> expected);
  /// Returns the run that has the block; null if nobody has read it. Waits while another thread reads it.
  std::shared_ptr<const Run> FindRun(uint64_t block) SCAUP_REQUIRES_LOCK(mutex_);
  /// Returns the block behind those to be read together with this one.
  uint64_t EndOfRun(uint64_t block, std::span<const FileRange> expected) const SCAUP_REQUIRES_LOCK(mutex_);
  std::shared_ptr<Run> ReadRun(uint64_t begin, uint64_t end);
  std::shared_ptr<Run> MakeRun(uint64_t begin, size_t size_bytes);
  void ReadExactly(uint64_t offset, void* buffer, size_t size_bytes);
  /// Drops the blocks that have not been used for longest, so that `count` stay.
  void Trim(size_t count) SCAUP_REQUIRES_LOCK(mutex_);

  const std::shared_ptr<FileHost> host_;
  const std::unique_ptr<HostedFile> file_;
  const std::string path_;
  const FileUse& use_;
  MemoryTracker& memory_;
  const uint64_t size_bytes_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::map<uint64_t, Block> blocks_ SCAUP_GUARDED_BY(mutex_);
  uint64_t uses_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t readers_ SCAUP_GUARDED_BY(mutex_) = 0;
};

/// Throws the exception that is being handled: an Error as it is, others as Error(kIo, 38000).
[[noreturn]] void ThrowHostError(const std::string& path);

/// Calls what belongs to a host, whose exceptions become errors in this way.
template <typename Work>
auto CallHost(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (...) {
    ThrowHostError(path);
  }
}

}  // namespace scaup
