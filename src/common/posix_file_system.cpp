// The operating system's files through POSIX calls: every one is retried when interrupted, and its error
// names the path.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/file_system.hpp"
#include "common/io_error.hpp"
#include "common/path_pattern.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// Calls until the call is not interrupted by a signal.
template <typename Call>
auto Retry(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

// Makes the names in a directory durable. File systems that cannot do so (EINVAL) have nothing to lose.
void SyncNames(const std::string& directory) {
  const int descriptor = Retry([&] { return open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor == -1) ThrowIoError("open directory of", directory, errno);
  const int result = Retry([&] { return fsync(descriptor); });
  const int error = errno;
  close(descriptor);
  if (result == -1 && error != EINVAL) ThrowIoError("sync directory of", directory, error);
}

int SyncDescriptor(int descriptor) {
#if defined(F_FULLFSYNC)
  return fcntl(descriptor, F_FULLFSYNC);  // fsync leaves the data in the drive's cache on this system.
#else
  return fdatasync(descriptor);
#endif
}

class PosixFile final : public File {
 public:
  PosixFile(int descriptor, std::string path, bool may_be_new)
      : descriptor_(descriptor), path_(std::move(path)), name_is_durable_(!may_be_new) {}
  ~PosixFile() override { close(descriptor_); }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    size_t done = 0;
    while (done < size_bytes) {
      const ssize_t part = Retry([&] {
        return pread(descriptor_, static_cast<char*>(buffer) + done, size_bytes - done,
                     static_cast<off_t>(offset + done));
      });
      if (part == -1) ThrowIoError("read", path_, errno);
      if (part == 0) break;
      done += static_cast<size_t>(part);
    }
    return done;
  }

  void Write(uint64_t offset, const void* buffer, size_t size_bytes) override {
    size_t done = 0;
    while (done < size_bytes) {
      const ssize_t part = Retry([&] {
        return pwrite(descriptor_, static_cast<const char*>(buffer) + done, size_bytes - done,
                      static_cast<off_t>(offset + done));
      });
      if (part == -1) ThrowIoError("write", path_, errno);
      if (part == 0) ThrowIoError("write", path_, ENOSPC);
      done += static_cast<size_t>(part);
    }
  }

  uint64_t Size() override {
    struct stat status;
    if (fstat(descriptor_, &status) == -1) ThrowIoError("examine", path_, errno);
    return static_cast<uint64_t>(status.st_size);
  }

  void Truncate(uint64_t size_bytes) override {
    if (Retry([&] { return ftruncate(descriptor_, static_cast<off_t>(size_bytes)); }) == -1) {
      ThrowIoError("truncate", path_, errno);
    }
  }

  void Sync() override {
    if (Retry([&] { return SyncDescriptor(descriptor_); }) == -1) ThrowIoError("sync", path_, errno);
    // A new file whose name is not on disk is lost with all its synced data.
    if (!name_is_durable_.load(std::memory_order_acquire)) {
      SyncNames(ParentDirectory(path_));
      name_is_durable_.store(true, std::memory_order_release);
    }
  }

  bool TryLock(bool exclusive) override {
    // flock belongs to the open file, so that two databases in one process exclude each other too.
    if (Retry([&] { return flock(descriptor_, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB); }) == 0)
      return true;
    if (errno == EWOULDBLOCK) return false;
    ThrowIoError("lock", path_, errno);
  }

  const std::string& path() const override { return path_; }

 private:
  int descriptor_;
  std::string path_;
  std::atomic<bool> name_is_durable_;
};

int OpenFlags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead: return O_RDONLY;
    case OpenMode::kReadWrite: return O_RDWR | O_CREAT;
    case OpenMode::kCreateNew: return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::kTruncate: return O_RDWR | O_CREAT | O_TRUNC;
  }
  ThrowInternal("open mode");
}

class PosixFileSystem final : public FileSystem {
 public:
  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override {
    const int descriptor = Retry([&] { return open(path.c_str(), OpenFlags(mode) | O_CLOEXEC, 0666); });
    if (descriptor == -1) ThrowIoError(mode == OpenMode::kCreateNew ? "create" : "open", path, errno);
    auto file = std::make_unique<PosixFile>(descriptor, path, mode != OpenMode::kRead);
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) ThrowIoError("open", path, EISDIR);
    return file;
  }

  bool Exists(const std::string& path) override {
    struct stat status;
    if (stat(path.c_str(), &status) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    ThrowIoError("examine", path, errno);
  }

  void Remove(const std::string& path) override {
    if (unlink(path.c_str()) == -1) ThrowIoError("remove", path, errno);
  }

  void Rename(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) == -1) ThrowIoError("rename", from, errno);
    SyncNames(ParentDirectory(to));
  }

  std::string ResolvePath(const std::string& path) override {
    char* resolved = realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return path;
    std::string result = resolved;
    free(resolved);
    return result;
  }

  void SyncDirectory(const std::string& directory) override { SyncNames(directory); }

  void CreateDirectory(const std::string& path) override {
    if (mkdir(path.c_str(), 0777) == -1 && errno != EEXIST) ThrowIoError("create directory", path, errno);
  }

  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    std::string path = directory + "/scaup-XXXXXX";
    const int descriptor = mkostemp(path.data(), O_CLOEXEC);
    if (descriptor == -1) ThrowIoError("create temporary file in", directory, errno);
    unlink(path.c_str());
    return std::make_unique<PosixFile>(descriptor, std::move(path), false);
  }

  std::vector<std::string> Glob(const std::string& pattern) override {
    if (!IsPathPattern(pattern)) return {pattern};
    return ExpandPathPattern(pattern, [](const std::string& directory) { return List(directory); });
  }

 private:
  // The names in a directory; none where it cannot be read, as a pattern matches only what can be seen.
  static std::vector<std::string> List(const std::string& directory) {
    std::vector<std::string> names;
    DIR* stream = opendir(directory.c_str());
    if (stream == nullptr) return names;
    while (const dirent* entry = readdir(stream)) {
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        names.emplace_back(entry->d_name);
    }
    closedir(stream);
    return names;
  }
};

}  // namespace

std::unique_ptr<FileSystem> MakePosixFileSystem() { return std::make_unique<PosixFileSystem>(); }

}  // namespace scaup
