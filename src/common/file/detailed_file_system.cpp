// Finds out what a file system is able to do.
#include "common/file/detailed_file_system.hpp"

namespace scaup {

std::optional<int64_t> ModifiedMicros(FileSystem& files, const std::string& path) {
  auto* const detailed = dynamic_cast<DetailedFileSystem*>(&files);
  return detailed == nullptr ? std::nullopt : std::optional(detailed->ModifiedMicros(path));
}

void SyncFiles(FileSystem& files, const std::string& directory, const std::vector<std::string>& paths) {
  if (auto* const detailed = dynamic_cast<DetailedFileSystem*>(&files)) return detailed->SyncTree(directory);
  for (const std::string& path : paths) files.Open(path, OpenMode::kReadWrite)->Sync();
  files.SyncDirectory(directory);
}

}  // namespace scaup
