// The operating system's file system, through POSIX calls that are retried after signals.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "common/check.hpp"
#include "common/descriptor.hpp"
#include "common/file/file_system.hpp"
#include "common/file/io_error.hpp"
#include "common/file/path_pattern.hpp"
#include "common/file/pipe_file.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// Repeats the call while signals interrupt it.
template <typename Call>
auto Retry(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

// Rejects paths with a NUL: the system would take the text before it for the path.
const char* PathOf(const std::string& path) {
  if (path.find('\0') == std::string::npos) return path.c_str();
  ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
             "the path \"" + std::string(path.c_str()) + "\" has a NUL byte and more behind it");
}

// Makes the names in a directory durable. EINVAL is ignored: such file systems cannot sync directories and
// have nothing to lose.
void SyncNames(const std::string& directory) {
  const Descriptor descriptor = Descriptor::Open(PathOf(directory), O_RDONLY | O_DIRECTORY);
  if (!descriptor.is_open()) ThrowIoError("open directory of", directory, errno);
  if (Retry([&] { return fsync(descriptor.number()); }) == -1 && errno != EINVAL)
    ThrowIoError("sync directory of", directory, errno);
}

int SyncDescriptor(int descriptor) {
#if defined(F_FULLFSYNC)
  return fcntl(descriptor, F_FULLFSYNC);  // fsync leaves the data in the drive's cache on this system.
#else
  return fdatasync(descriptor);
#endif
}

// No byte of a file has this number or a higher one.
constexpr uint64_t kEndOfFiles = uint64_t{1} << 63;

// Locks of open file descriptions: unlike those of processes, two databases in one process exclude each
// other, and closing another descriptor of the same file does not release them. The system releases them when
// the process ends. A size of 0 means all bytes from `begin` on.
struct flock LockOf(const FileRange& range, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(range.begin);
  lock.l_len = static_cast<off_t>(range.size_bytes);
  return lock;
}

class PosixFile final : public File {
 public:
  PosixFile(Descriptor descriptor, std::string path, bool may_be_new)
      : descriptor_(std::move(descriptor)), path_(std::move(path)), name_is_durable_(!may_be_new) {}
  ~PosixFile() override {
    // Closing alone does not unlock: a child forked while the file was being opened shares the locks.
    if (!has_locks_.load() || descriptor_.origin().IsInherited()) return;
    struct flock lock = LockOf({0, 0}, F_UNLCK);
    fcntl(descriptor_.number(), F_OFD_SETLK, &lock);
  }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    size_t done = 0;
    while (done < size_bytes) {
      const ssize_t part = Retry([&] {
        return pread(Number(), static_cast<char*>(buffer) + done, size_bytes - done,
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
        return pwrite(Number(), static_cast<const char*>(buffer) + done, size_bytes - done,
                      static_cast<off_t>(offset + done));
      });
      if (part == -1) ThrowIoError("write", path_, errno);
      if (part == 0) ThrowIoError("write", path_, ENOSPC);
      done += static_cast<size_t>(part);
    }
  }

  uint64_t Size() override {
    struct stat status;
    if (fstat(Number(), &status) == -1) ThrowIoError("examine", path_, errno);
    return static_cast<uint64_t>(status.st_size);
  }

  void Truncate(uint64_t size_bytes) override {
    if (Retry([&] { return ftruncate(Number(), static_cast<off_t>(size_bytes)); }) == -1) {
      ThrowIoError("truncate", path_, errno);
    }
  }

  void Sync() override {
    if (Retry([&] { return SyncDescriptor(Number()); }) == -1) ThrowIoError("sync", path_, errno);
    // A new file whose name is not on disk would be lost with all its synced data.
    if (!name_is_durable_.load(std::memory_order_acquire)) {
      SyncNames(ParentDirectory(path_));
      name_is_durable_.store(true, std::memory_order_release);
    }
  }

  bool TryLock(const FileRange& range, bool exclusive) override {
    has_locks_.store(true);
    struct flock lock = LockOf(range, exclusive ? F_WRLCK : F_RDLCK);
    if (Retry([&] { return fcntl(Number(), F_OFD_SETLK, &lock); }) == 0) return true;
    if (errno == EAGAIN || errno == EACCES) return false;
    ThrowIoError("lock", path_, errno);
  }

  void Unlock(const FileRange& range) override {
    struct flock lock = LockOf(range, F_UNLCK);
    if (Retry([&] { return fcntl(Number(), F_OFD_SETLK, &lock); }) == -1)
      ThrowIoError("unlock", path_, errno);
  }

  std::optional<FileRange> FindLock(const FileRange& range) override {
    // The question is which lock an exclusive one would have to wait for: that may be any.
    struct flock lock = LockOf(range, F_WRLCK);
    if (Retry([&] { return fcntl(Number(), F_OFD_GETLK, &lock); }) == -1)
      ThrowIoError("ask for locks of", path_, errno);
    if (lock.l_type == F_UNLCK) return std::nullopt;
    const auto begin = static_cast<uint64_t>(lock.l_start);
    // A length of 0 means all bytes from there on.
    return FileRange{begin, lock.l_len == 0 ? kEndOfFiles - begin : static_cast<uint64_t>(lock.l_len)};
  }

  const std::string& path() const override { return path_; }

 private:
  // Checks the origin: in a child made by fork the number may belong to another file.
  int Number() const {
    descriptor_.origin().RequireOwn();
    return descriptor_.number();
  }

  const Descriptor descriptor_;
  std::string path_;
  std::atomic<bool> has_locks_{false};
  std::atomic<bool> name_is_durable_;
};

class PosixMapping final : public FileMapping {
 public:
  explicit PosixMapping(std::span<std::byte> bytes) : FileMapping(bytes) {}
  ~PosixMapping() override { munmap(bytes().data(), bytes().size()); }
  // The file has the bytes of a shared mapping, whether they are in memory or on disk.
  void ReleasePages() noexcept override { madvise(bytes().data(), bytes().size(), MADV_DONTNEED); }
};

// Makes the file longer and takes its space. Where the file system cannot do that at once, the C library
// writes the blocks.
void TakeSpace(int descriptor, const std::string& path, size_t size_bytes) {
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(descriptor, 0, static_cast<off_t>(size_bytes));
  if (error != 0) ThrowIoError("extend", path, error);
}

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
    if (mode == OpenMode::kRead) {
      // Opening a named pipe anew would wait for another writer.
      if (auto begun = FindPipe(path)) return begun;
    }
    Descriptor descriptor = Descriptor::Open(PathOf(path), OpenFlags(mode), 0666);
    if (!descriptor.is_open()) ThrowIoError(mode == OpenMode::kCreateNew ? "create" : "open", path, errno);
    struct stat status;
    const bool is_known = fstat(descriptor.number(), &status) == 0;
    if (is_known && S_ISDIR(status.st_mode)) ThrowIoError("open", path, EISDIR);
    if (is_known && mode == OpenMode::kRead && ComesOnce(status))
      return OpenPipe(std::move(descriptor), path, {status.st_dev, status.st_ino});
    return std::make_unique<PosixFile>(std::move(descriptor), path, mode != OpenMode::kRead);
  }

  bool Exists(const std::string& path) override {
    struct stat status;
    if (stat(PathOf(path), &status) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    ThrowIoError("examine", path, errno);
  }

  void Remove(const std::string& path) override {
    if (unlink(PathOf(path)) == 0) return;
    // A directory is removed if it is empty.
    if ((errno == EISDIR || errno == EPERM) && rmdir(path.c_str()) == 0) return;
    ThrowIoError("remove", path, errno);
  }

  void Rename(const std::string& from, const std::string& to) override {
    if (rename(PathOf(from), PathOf(to)) == -1) ThrowIoError("rename", from, errno);
    SyncNames(ParentDirectory(to));
  }

  std::optional<int64_t> ModifiedMicros(const std::string& path) override {
    struct stat status;
    if (stat(PathOf(path), &status) == -1) ThrowIoError("examine", path, errno);
    return int64_t{status.st_mtim.tv_sec} * 1'000'000 + status.st_mtim.tv_nsec / 1000;
  }

  std::string ResolvePath(const std::string& path) override {
    char* resolved = realpath(PathOf(path), nullptr);
    if (resolved == nullptr) return path;
    std::string result = resolved;
    free(resolved);
    return result;
  }

  void SyncDirectory(const std::string& directory) override { SyncNames(directory); }

  void SyncFiles(const std::string& directory, const std::vector<std::string>& paths) override {
#if defined(__linux__)
    // Once for all files, which is much faster than one by one.
    static_cast<void>(paths);
    const Descriptor descriptor = Descriptor::Open(PathOf(directory), O_RDONLY | O_DIRECTORY);
    if (!descriptor.is_open()) ThrowIoError("open directory of", directory, errno);
    if (Retry([&] { return syncfs(descriptor.number()); }) == -1)
      ThrowIoError("sync directory of", directory, errno);
#else
    FileSystem::SyncFiles(directory, paths);
#endif
  }

  void CreateDirectory(const std::string& path) override {
    if (mkdir(PathOf(path), 0777) == -1 && errno != EEXIST) ThrowIoError("create directory", path, errno);
  }

  std::unique_ptr<File> OpenTemporary(const std::string& directory) override {
    std::string path = std::string(PathOf(directory)) + "/scaup-XXXXXX";
    Descriptor descriptor = Descriptor::OpenTemporary(path.data());
    if (!descriptor.is_open()) ThrowIoError("create temporary file in", directory, errno);
    unlink(path.c_str());
    return std::make_unique<PosixFile>(std::move(descriptor), std::move(path), false);
  }

  std::unique_ptr<FileMapping> MapTemporary(const std::string& directory, size_t size_bytes) override {
    SCAUP_CHECK(size_bytes != 0);
    std::string path = std::string(PathOf(directory)) + "/scaup-XXXXXX";
    const Descriptor descriptor = Descriptor::OpenTemporary(path.data());
    if (!descriptor.is_open()) ThrowIoError("create temporary file in", directory, errno);
    unlink(path.c_str());
    TakeSpace(descriptor.number(), path, size_bytes);
    void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number(), 0);
    if (data == MAP_FAILED) {
      ThrowError(
          ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
          "out of memory: the operating system refused to map " + std::to_string(size_bytes) + " bytes");
    }
    return std::make_unique<PosixMapping>(std::span(static_cast<std::byte*>(data), size_bytes));
  }

  std::vector<std::string> Glob(const std::string& pattern) override {
    PathOf(pattern);
    if (!IsPathPattern(pattern)) return {pattern};
    return ExpandPathPattern(pattern, [](const std::string& directory) { return List(directory); });
  }

 private:
  using PipeName = std::pair<dev_t, ino_t>;

  static bool ComesOnce(const struct stat& status) {
    return S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode);
  }

  // Statements are bound before they run, some several times: until one reads on, all see the same beginning.
  std::unique_ptr<File> FindPipe(const std::string& path) {
    struct stat status;
    if (stat(PathOf(path), &status) == -1 || !ComesOnce(status)) return nullptr;
    const MutexLock lock(mutex_);
    const auto found = pipes_.find({status.st_dev, status.st_ino});
    if (found == pipes_.end() || found->second->is_started()) return nullptr;
    return std::make_unique<PipeFile>(found->second, path);
  }

  std::unique_ptr<File> OpenPipe(Descriptor descriptor, const std::string& path, PipeName name) {
    const MutexLock lock(mutex_);
    std::shared_ptr<PipeBytes>& bytes = pipes_[name];
    if (bytes == nullptr || bytes->is_started())
      bytes = std::make_shared<PipeBytes>(std::move(descriptor), path);
    return std::make_unique<PipeFile>(bytes, path);
  }

  Mutex mutex_;
  std::map<PipeName, std::shared_ptr<PipeBytes>> pipes_ SCAUP_GUARDED_BY(mutex_);

  // The entries of a directory; none if it cannot be read, because a pattern matches only what is visible.
  static std::vector<DirectoryEntry> List(const std::string& directory) {
    std::vector<DirectoryEntry> entries;
    DIR* stream = Descriptor::OpenDirectory(directory.c_str());
    if (stream == nullptr) return entries;
    while (const dirent* entry = readdir(stream)) {
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      bool is_folder = entry->d_type == DT_DIR;
      struct stat status;
      // Some file systems do not say what an entry is.
      if (entry->d_type == DT_UNKNOWN &&
          fstatat(dirfd(stream), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        is_folder = S_ISDIR(status.st_mode);
      entries.push_back({entry->d_name, is_folder});
    }
    closedir(stream);
    return entries;
  }
};

}  // namespace

std::unique_ptr<FileSystem> MakePosixFileSystem() { return std::make_unique<PosixFileSystem>(); }

}  // namespace scaup
