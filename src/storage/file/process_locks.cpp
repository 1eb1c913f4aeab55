// Locks bytes behind the end of the database file: one for the writer, and one for each checkpoint.
#include "storage/file/process_locks.hpp"

#include <algorithm>
#include <vector>

#include "common/check.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// No database grows to this size, 4 EiB.
constexpr uint64_t kWriterByte = uint64_t{1} << 62;
constexpr uint64_t kCommitsByte = kWriterByte + 1;
// The byte of checkpoint 0, which does not exist, is left free beside the writer's.
constexpr uint64_t kCheckpointBytes = kWriterByte + 1024;
constexpr uint64_t kEndOfBytes = uint64_t{1} << 63;
// More checkpoints than this are read at once only if the locks are not ours.
constexpr size_t kMostMarks = 100'000;

FileRange MarkOf(uint64_t checkpoint_number) {
  SCAUP_CHECK(checkpoint_number < kEndOfBytes - kCheckpointBytes);
  return {kCheckpointBytes + checkpoint_number, 1};
}

}  // namespace

bool TryLockForWriting(File& file) { return file.TryLock({kWriterByte, 1}, true); }

void AnnounceCommits(File& file) {
  // Only the writer does this, so nobody else can have the lock.
  SCAUP_CHECK(file.TryLock({kCommitsByte, 1}, true));
}

bool HasWriter(File& file) { return file.FindLock({kCommitsByte, 1}).has_value(); }

void BeginReading(File& file, uint64_t checkpoint_number) {
  if (file.TryLock(MarkOf(checkpoint_number), false)) return;
  ThrowError(
      ErrorKind::kIo, sqlstate::kObjectInUse,
      "database file \"" + file.path() + "\" is locked by another program, not by Scaup; close it there");
}

void EndReading(File& file, uint64_t checkpoint_number) { file.Unlock(MarkOf(checkpoint_number)); }

std::set<uint64_t> CheckpointsBeingRead(File& file) {
  // The system names one lock at a time, any of those in a range. So the ranges before and behind it are
  // asked for next. It joins a file's locks on neighbouring bytes.
  std::set<uint64_t> numbers;
  std::vector<FileRange> left = {{kCheckpointBytes, kEndOfBytes - kCheckpointBytes - 1}};
  while (!left.empty()) {
    const FileRange range = left.back();
    left.pop_back();
    const auto found = file.FindLock(range);
    if (!found) continue;
    const uint64_t begin = std::max(found->begin, range.begin), end = std::min(found->end(), range.end());
    if (end - begin > kMostMarks || numbers.size() > kMostMarks) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kObjectInUse,
          "database file \"" + file.path() + "\" is locked by another program, not by Scaup; close it there");
    }
    for (uint64_t byte = begin; byte < end; byte++) numbers.insert(byte - kCheckpointBytes);
    if (begin > range.begin) left.push_back({range.begin, begin - range.begin});
    if (end < range.end()) left.push_back({end, range.end() - end});
  }
  return numbers;
}

}  // namespace scaup
