// Passes reads to blocks, and writes to the host.
#include "format/hosted/hosted_files.hpp"

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/throw.hpp"

namespace scaup {

void HostFile::Refuse(const char* what) const {
  ThrowNotSupported(
      fmt::format("\"{}\" is a file of a registered file system, which cannot be {}", path_, what));
}

size_t HostFile::Read(uint64_t, void*, size_t) { Refuse("read while it is written"); }
void HostFile::Write(uint64_t, const void*, size_t) { Refuse("written while it is read"); }
uint64_t HostFile::Size() { Refuse("asked for its size"); }
void HostFile::Truncate(uint64_t) { Refuse("cut off"); }
void HostFile::Sync() { Refuse("synced while it is read"); }
bool HostFile::TryLock(const FileRange&, bool) { Refuse("locked"); }
void HostFile::Unlock(const FileRange&) { Refuse("locked"); }
std::optional<FileRange> HostFile::FindLock(const FileRange&) { Refuse("locked"); }

HostFileReader::HostFileReader(std::shared_ptr<FileBlocks> blocks)
    : HostFile(blocks->path()), blocks_(std::move(blocks)) {
  blocks_->AddReader();
}

HostFileReader::~HostFileReader() { blocks_->RemoveReader(); }

size_t HostFileReader::Read(uint64_t offset, void* buffer, size_t size_bytes) {
  return blocks_->Read(offset, buffer, size_bytes, expected_);
}

HostFileWriter::~HostFileWriter() {
  try {
    writer_.reset();
  } catch (...) {
    // The error that interrupted the writing is the one to report.
  }
}

void HostFileWriter::Write(uint64_t offset, const void* buffer, size_t size_bytes) {
  SCAUP_CHECK(offset == size_bytes_ && writer_ != nullptr);
  if (size_bytes == 0) return;
  CallHost(path(), [&] { writer_->Write(buffer, size_bytes); });
  size_bytes_ += size_bytes;
}

void HostFileWriter::Sync() {
  SCAUP_CHECK(writer_ != nullptr);
  CallHost(path(), [&] { writer_->Finish(); });
  writer_.reset();
}

}  // namespace scaup
