// All I/O of the engine goes through this interface, so that tests can replace and disturb it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace scaup {

/// How a file is opened.
enum class OpenMode : uint8_t {
  kRead,       ///< Must exist.
  kReadWrite,  ///< Created when missing.
  kCreateNew,  ///< Must not exist.
  kTruncate,   ///< Created, or emptied.
};

/// An open file. Reads and writes at explicit offsets may come from several threads at once.
/// Every function throws Error(kIo) naming the path when the system refuses; 53100 when the disk is full.
class File {
 public:
  virtual ~File() = default;
  /// Reads up to `size_bytes` bytes at `offset`; returns how many there were (fewer only at the end).
  virtual size_t Read(uint64_t offset, void* buffer, size_t size_bytes) = 0;
  virtual void Write(uint64_t offset, const void* buffer, size_t size_bytes) = 0;
  virtual uint64_t Size() = 0;
  virtual void Truncate(uint64_t size_bytes) = 0;
  /// Returns once everything written is on stable storage, the file's name included.
  virtual void Sync() = 0;
  /// Takes a lock on the file that ends with it, or with the process: shared by readers, or exclusive. False:
  /// another process, or another open file of this one, has it in a way that does not go together; a
  /// lock of another kind that this open file had is then lost. Never waits.
  virtual bool TryLock(bool exclusive) = 0;
  virtual const std::string& path() const = 0;
};

/// Opens, removes and lists files. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::unique_ptr<File> Open(const std::string& path, OpenMode mode) = 0;
  virtual bool Exists(const std::string& path) = 0;
  virtual void Remove(const std::string& path) = 0;
  /// Atomically gives `from` the name `to`, replacing what had it. Durable when it returns; when it throws,
  /// the name may have changed.
  virtual void Rename(const std::string& from, const std::string& to) = 0;
  /// The file that a path leads to through symbolic links, if there is one; else the path as it is.
  virtual std::string ResolvePath(const std::string& path) { return path; }
  /// Makes names that were created, renamed or removed in a directory durable.
  virtual void SyncDirectory(const std::string& directory) = 0;
  virtual void CreateDirectory(const std::string& path) = 0;
  /// A new file without a name that is gone when it is closed or the process dies.
  virtual std::unique_ptr<File> OpenTemporary(const std::string& directory) = 0;
  /// Paths that match a pattern of `*` and `?`, sorted; a path without either is returned as it is.
  virtual std::vector<std::string> Glob(const std::string& pattern) = 0;
};

/// The operating system's files.
std::unique_ptr<FileSystem> MakePosixFileSystem();

}  // namespace scaup
