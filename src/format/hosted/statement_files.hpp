// The files that a statement can name: those of the system, and those of registered file systems.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"
#include "format/hosted/file_blocks.hpp"
#include "format/hosted/file_hosts.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Finds the file system of each path by its scheme. Paths without one, and those of file://, are the
/// system's. Files of hosts that a statement opens again must be the same, and share what was read. Owned by
/// a statement. Thread-safe.
class StatementFiles final : public FileSystem, private FileUse {
 public:
  /// Borrows all. `context` need not be made yet.
  StatementFiles(FileSystem& local, const FileHosts& hosts, const FunctionContext& context)
      : local_(local), hosts_(hosts), context_(context) {}

  /// Throws Error(kIo, 58P01) if no file system has the path's scheme, Error(kIo, 58030) if the file has
  /// changed since the statement has opened it.
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override;
  bool Exists(const std::string& path) override;
  void Remove(const std::string& path) override;
  void Rename(const std::string& from, const std::string& to) override;
  std::string ResolvePath(const std::string& path) override;
  void SyncDirectory(const std::string& directory) override;
  void SyncFiles(const std::string& directory, const std::vector<std::string>& paths) override;
  std::optional<int64_t> ModifiedMicros(const std::string& path) override;
  NewFileWay WayOf(const std::string& path) override;
  void CreateDirectory(const std::string& path) override;
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override;
  std::unique_ptr<FileMapping> MapTemporary(const std::string& directory, size_t size_bytes) override;
  /// As the operating system's, but for hosts without lists: there a path with a * is refused, and others are
  /// returned unchanged.
  std::vector<std::string> Glob(const std::string& pattern) override;

 private:
  /// A file of a host that was opened.
  struct Known {
    std::weak_ptr<FileBlocks> blocks;
    std::string version;
    uint64_t size_bytes = 0;
  };

  void CheckInterrupt() const override { context_.CheckInterrupt(); }
  std::string Setting(const std::string& name) const override;

  /// Returns the host of a path; null for a path of the system.
  std::shared_ptr<FileHost> HostOf(const std::string& path) const;
  /// Returns the system's path for one of file://, others unchanged. Throws Error(kNotSupported) for a path
  /// of a host, where `what` cannot be done.
  std::string LocalPath(const std::string& path, const char* what) const;
  std::shared_ptr<FileBlocks> BlocksOf(const std::shared_ptr<FileHost>& host, const std::string& path);
  std::shared_ptr<FileBlocks> FindBlocks(const std::string& path);
  std::shared_ptr<FileBlocks> Remember(std::shared_ptr<FileBlocks> blocks);

  FileSystem& local_;
  const FileHosts& hosts_;
  const FunctionContext& context_;
  Mutex mutex_;
  std::map<std::string, Known> known_ SCAUP_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<FileBlocks>> recent_ SCAUP_GUARDED_BY(mutex_);  // stay open
};

}  // namespace scaup
