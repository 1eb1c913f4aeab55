// Files of hosts as the engine's files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "format/hosted/file_blocks.hpp"

namespace scaup {

/// A file of a host, as far as reading and writing have something in common: nothing that needs a disk.
/// Functions throw Error(kNotSupported, 0A000) unless they are overridden.
class HostFile : public File {
 public:
  explicit HostFile(std::string path) : path_(std::move(path)) {}
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override;
  void Write(uint64_t offset, const void* buffer, size_t size_bytes) override;
  uint64_t Size() override;
  void Truncate(uint64_t size_bytes) override;
  void Sync() override;
  bool TryLock(const FileRange& range, bool exclusive) override;
  void Unlock(const FileRange& range) override;
  std::optional<FileRange> FindLock(const FileRange& range) override;
  const std::string& path() const override { return path_; }

 private:
  [[noreturn]] void Refuse(const char* what) const;

  const std::string path_;
};

/// A reader of a file whose blocks several readers share. Thread-safe, but for Expect.
class HostFileReader final : public HostFile {
 public:
  explicit HostFileReader(std::shared_ptr<FileBlocks> blocks);
  ~HostFileReader() override;
  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override;
  uint64_t Size() override { return blocks_->size_bytes(); }
  void Expect(std::span<const FileRange> ranges) override { expected_.assign(ranges.begin(), ranges.end()); }

 private:
  const std::shared_ptr<FileBlocks> blocks_;
  std::vector<FileRange> expected_;
};

/// A file that is written in order. It appears when it is synced. One thread at a time.
class HostFileWriter final : public HostFile {
 public:
  HostFileWriter(std::shared_ptr<FileHost> host, std::unique_ptr<HostedFileWriter> writer, std::string path)
      : HostFile(std::move(path)), host_(std::move(host)), writer_(std::move(writer)) {}
  ~HostFileWriter() override;
  void Write(uint64_t offset, const void* buffer, size_t size_bytes) override;
  uint64_t Size() override { return size_bytes_; }
  void Sync() override;

 private:
  const std::shared_ptr<FileHost> host_;
  std::unique_ptr<HostedFileWriter> writer_;  // null once it was finished
  uint64_t size_bytes_ = 0;
};

}  // namespace scaup
