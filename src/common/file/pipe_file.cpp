// Reads pipes, and keeps what was only looked at.
#include "common/file/pipe_file.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/file/io_error.hpp"
#include "common/throw.hpp"

namespace scaup {

void PipeBytes::ThrowGone() const {
  ThrowError(ErrorKind::kIo, sqlstate::kIoError,
             "could not read \"" + path_ +
                 "\" a second time: the bytes of a pipe come once; put them into a table first");
}

void PipeBytes::Start() {
  const MutexLock lock(mutex_);
  if (is_started_) ThrowGone();
  is_started_ = true;
}

bool PipeBytes::is_started() {
  const MutexLock lock(mutex_);
  return is_started_;
}

/// Appends bytes to those that are kept. Returns false at the end.
bool PipeBytes::ReadMore(size_t size_bytes, const std::function<void()>& wait) {
  constexpr int kWaitMillis = 100;
  descriptor_.origin().RequireOwn();
  for (;;) {
    pollfd ready = {descriptor_.number(), POLLIN, 0};
    const int count = poll(&ready, 1, kWaitMillis);
    if (count == -1 && errno != EINTR) ThrowIoError("read", path_, errno);
    if (count > 0) break;
    if (wait) wait();
  }
  const size_t before = kept_.size();
  kept_.resize(before + size_bytes);
  ssize_t got = 0;
  do {
    got = read(descriptor_.number(), kept_.data() + before, size_bytes);
  } while (got == -1 && errno == EINTR);
  kept_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (got == -1) ThrowIoError("read", path_, errno);
  return got != 0;
}

size_t PipeBytes::Read(uint64_t offset, void* buffer, size_t size_bytes, const std::function<void()>& wait) {
  constexpr size_t kPieceBytes = size_t{256} << 10;
  const MutexLock lock(mutex_);
  if (offset < kept_begin_) ThrowGone();
  const uint64_t wanted_end = offset + size_bytes;
  while (!at_end_ && kept_begin_ + kept_.size() < wanted_end) {
    const size_t missing = static_cast<size_t>(wanted_end - kept_begin_ - kept_.size());
    at_end_ = !ReadMore(std::min(missing, kPieceBytes), wait);
  }
  const uint64_t kept_end = kept_begin_ + kept_.size();
  const size_t got = static_cast<size_t>(std::min(wanted_end, kept_end) - std::min(offset, kept_end));
  if (got != 0) std::memcpy(buffer, kept_.data() + (offset - kept_begin_), got);
  if (is_started_ && got != 0) {
    kept_.erase(0, static_cast<size_t>(offset - kept_begin_) + got);
    kept_begin_ = offset + got;
  }
  return got;
}

void PipeFile::Write(uint64_t, const void*, size_t) { ThrowIoError("write", path_, ESPIPE); }
void PipeFile::Truncate(uint64_t) { ThrowIoError("truncate", path_, ESPIPE); }
void PipeFile::Sync() { ThrowIoError("sync", path_, ESPIPE); }
bool PipeFile::TryLock(const FileRange&, bool) { ThrowIoError("lock", path_, ESPIPE); }
void PipeFile::Unlock(const FileRange&) { ThrowIoError("unlock", path_, ESPIPE); }
std::optional<FileRange> PipeFile::FindLock(const FileRange&) {
  ThrowIoError("ask for locks of", path_, ESPIPE);
}

}  // namespace scaup
