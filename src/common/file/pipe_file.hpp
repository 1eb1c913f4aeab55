// Files whose bytes come once: pipes, terminals, sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/descriptor.hpp"
#include "common/file/file_system.hpp"
#include "common/lock/mutex.hpp"

namespace scaup {

/// The bytes of a pipe. Whoever only looks at their beginning leaves them for the next one: all are kept
/// until Start. Shared by the files that were opened for it. Thread-safe.
class PipeBytes {
 public:
  PipeBytes(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  /// Reads as File::Read does; waits for the writer, and calls `wait` ten times a second meanwhile. Throws
  /// Error(kIo, 58030) for bytes that are gone.
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes, const std::function<void()>& wait);
  /// From now on, bytes are dropped once they were read. Throws Error(kIo, 58030) if that was called before.
  void Start();
  bool is_started();

 private:
  bool ReadMore(size_t size_bytes, const std::function<void()>& wait) SCAUP_REQUIRES_LOCK(mutex_);
  [[noreturn]] void ThrowGone() const;

  const Descriptor descriptor_;
  const std::string path_;
  Mutex mutex_;
  std::string kept_ SCAUP_GUARDED_BY(mutex_);
  uint64_t kept_begin_ SCAUP_GUARDED_BY(mutex_) = 0;  ///< the offset of `kept_`
  bool is_started_ SCAUP_GUARDED_BY(mutex_) = false;
  bool at_end_ SCAUP_GUARDED_BY(mutex_) = false;
};

/// A pipe as a file that is read in order. Its size is unknown, and is 0.
class PipeFile final : public File {
 public:
  PipeFile(std::shared_ptr<PipeBytes> bytes, std::string path)
      : bytes_(std::move(bytes)), path_(std::move(path)) {}

  /// Called while the writer has nothing; it may throw. Replaces what was set before.
  void SetWait(std::function<void()> wait) { wait_ = std::move(wait); }
  /// Begins the one reading of all bytes. Throws Error(kIo, 58030) if there was one.
  void Start() { bytes_->Start(); }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    return bytes_->Read(offset, buffer, size_bytes, wait_);
  }
  uint64_t Size() override { return 0; }
  const std::string& path() const override { return path_; }

  // The following throw Error(kIo), as pipes are not able to do it.
  void Write(uint64_t offset, const void* buffer, size_t size_bytes) override;
  void Truncate(uint64_t size_bytes) override;
  void Sync() override;
  bool TryLock(const FileRange& range, bool exclusive) override;
  void Unlock(const FileRange& range) override;
  std::optional<FileRange> FindLock(const FileRange& range) override;

 private:
  std::shared_ptr<PipeBytes> bytes_;
  std::string path_;
  std::function<void()> wait_;
};

}  // namespace scaup
