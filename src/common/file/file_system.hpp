// The file system interface. All I/O goes through it, so that tests can replace it and inject faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/file/file_mapping.hpp"

namespace scaup {

/// How a file is opened.
enum class OpenMode : uint8_t {
  kRead,       ///< must exist
  kReadWrite,  ///< created if missing
  kCreateNew,  ///< must not exist
  kTruncate,   ///< created, or truncated
};

/// Bytes of a file that a lock covers. They need not exist: a lock on bytes far behind the end of a file is a
/// mark that all who open the file can see.
struct FileRange {
  uint64_t begin = 0;
  uint64_t size_bytes = 1;
  uint64_t end() const { return begin + size_bytes; }
  friend bool operator==(const FileRange&, const FileRange&) = default;
};

/// How a new file comes to appear whole.
enum class NewFileWay : uint8_t {
  kRename,   ///< it is written under another name, and then renamed
  kInPlace,  ///< it is a device, which cannot be replaced
  kBySync    ///< it appears when it is synced, and nothing does if it is closed before
};

/// An open file. Several threads may read and write at explicit offsets at the same time. Every function
/// throws Error(kIo) that names the path when the system call fails; SQLSTATE 53100 if the disk is full.
class File {
 public:
  virtual ~File() = default;
  /// Reads up to `size_bytes` bytes at `offset` and returns how many were read; fewer only at the end of the
  /// file.
  virtual size_t Read(uint64_t offset, void* buffer, size_t size_bytes) = 0;
  virtual void Write(uint64_t offset, const void* buffer, size_t size_bytes) = 0;
  virtual uint64_t Size() = 0;
  virtual void Truncate(uint64_t size_bytes) = 0;
  /// Returns once everything written, and the file's name, is on stable storage.
  virtual void Sync() = 0;
  /// Locks bytes of the file, shared or exclusive, until they are unlocked, the file is closed or the process
  /// ends, however it ends. Returns false, without waiting, if another process or another open file of this
  /// process has a conflicting lock on some of the bytes; a lock that this file had stays then. A shared lock
  /// needs no permission to write.
  virtual bool TryLock(const FileRange& range, bool exclusive) = 0;
  virtual void Unlock(const FileRange& range) = 0;
  /// Returns the bytes of a lock that another process or open file has on some of these bytes; nullopt if
  /// there is none. Of several locks it is any.
  virtual std::optional<FileRange> FindLock(const FileRange& range) = 0;
  virtual const std::string& path() const = 0;
  /// Tells which bytes will be read next, in place of what was told before. A file that is far away then gets
  /// them by few requests; others do nothing.
  virtual void Expect(std::span<const FileRange> ranges);
};

/// Opens, removes and lists files. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::unique_ptr<File> Open(const std::string& path, OpenMode mode) = 0;
  virtual bool Exists(const std::string& path) = 0;
  virtual void Remove(const std::string& path) = 0;
  /// Renames `from` to `to` atomically and replaces an existing file. Durable when it returns; when it
  /// throws, the file may have either name.
  virtual void Rename(const std::string& from, const std::string& to) = 0;
  /// Resolves symbolic links if the file exists; otherwise returns the path unchanged.
  virtual std::string ResolvePath(const std::string& path) { return path; }
  /// Makes creations, renames and removals within a directory durable.
  virtual void SyncDirectory(const std::string& directory) = 0;
  /// Makes files durable that are closed, with their names, and the directory in which they are.
  virtual void SyncFiles(const std::string& directory, const std::vector<std::string>& paths);
  /// Returns when a file was changed, in microseconds since 1970; nullopt if the file system does not know.
  virtual std::optional<int64_t> ModifiedMicros(const std::string& path);
  /// Returns how a new file of this path, whose links are resolved, appears whole.
  virtual NewFileWay WayOf(const std::string& path);
  virtual void CreateDirectory(const std::string& path) = 0;
  /// Creates a file without a name; it disappears when it is closed or the process dies.
  virtual std::unique_ptr<File> OpenTemporary(const std::string& directory) = 0;
  /// Maps such a file of `size_bytes` zeros into memory. Its space on disk is taken at once, so that a full
  /// disk is an error here and not when the bytes are written. Null where files cannot be mapped.
  virtual std::unique_ptr<FileMapping> MapTemporary(const std::string& directory, size_t size_bytes);
  /// The existing paths that match a pattern of `*` and `?`, sorted. A path without wildcards is returned
  /// unchanged.
  virtual std::vector<std::string> Glob(const std::string& pattern) = 0;
};

/// The file system of the operating system.
std::unique_ptr<FileSystem> MakePosixFileSystem();

}  // namespace scaup
