// A file that appears whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "common/file/file_system.hpp"

namespace scaup {

/// The path of a new file.
struct NewFilePath {
  NewFilePath(std::string path_in, bool is_staged_in = false)  // NOLINT: a path is one as it is
      : path(std::move(path_in)), is_staged(is_staged_in) {}
  std::string path;
  /// Whether it is in a directory that is made durable and gets its name as a whole, so that this file need
  /// not.
  bool is_staged;
};

/// Writes a file under another name in the same folder, which Finish renames; a file that was there stays
/// until then. If destroyed before Finish, the incomplete file is removed. One thread at a time.
class NewFile {
 public:
  /// Throws Error(kIo). Devices are written in place, as they cannot be replaced, and files of hosts as these
  /// do it.
  NewFile(FileSystem& files, NewFilePath path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  File& file() { return *file_; }
  /// As the user wrote it.
  const std::string& path() const { return path_; }
  /// The end of what was appended.
  uint64_t size() const { return size_; }
  void Append(const void* bytes, size_t size_bytes);
  /// Makes the file durable and gives it its name.
  void Finish();

 private:
  FileSystem& files_;
  const std::string path_;
  std::string target_;  // with symbolic links resolved
  std::string name_;    // while it is written
  NewFileWay way_ = NewFileWay::kInPlace;
  std::unique_ptr<File> file_;
  uint64_t size_ = 0;
};

}  // namespace scaup
