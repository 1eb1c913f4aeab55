// The parts of files and file systems that not every one needs to write.
#include "common/file/file_system.hpp"

namespace scaup {

void File::Expect(std::span<const FileRange>) {}

std::unique_ptr<FileMapping> FileSystem::MapTemporary(const std::string&, size_t) { return nullptr; }

std::optional<int64_t> FileSystem::ModifiedMicros(const std::string&) { return std::nullopt; }

void FileSystem::SyncFiles(const std::string& directory, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) Open(path, OpenMode::kReadWrite)->Sync();
  SyncDirectory(directory);
}

NewFileWay FileSystem::WayOf(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/") ? NewFileWay::kInPlace : NewFileWay::kRename;
}

}  // namespace scaup
