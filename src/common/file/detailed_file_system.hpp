// DetailedFileSystem: abilities that not every file system has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"

namespace scaup {

/// A file system that knows when files were changed, and makes many of them durable at once. That of the
/// operating system does.
class DetailedFileSystem : public FileSystem {
 public:
  /// When the file was changed, in microseconds since 1970.
  virtual int64_t ModifiedMicros(const std::string& path) = 0;
  /// Makes everything in a directory durable: files that are closed, folders, and what is in them.
  virtual void SyncTree(const std::string& directory) = 0;
};

/// Returns when the file was changed; nullopt if the file system does not know.
std::optional<int64_t> ModifiedMicros(FileSystem& files, const std::string& path);
/// Makes files durable, with their names, and the directory in which they are.
void SyncFiles(FileSystem& files, const std::string& directory, const std::vector<std::string>& paths);

}  // namespace scaup
