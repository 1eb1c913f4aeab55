// The locks by which processes that have one database file open know of each other.
#pragma once

#include <cstdint>
#include <set>

#include "common/file/file_system.hpp"

namespace scaup {

// The locks are on bytes of the database file far behind its end, so that whoever may read the file may take
// part, and nothing is left behind by a process that dies. docs/file-format.md has the numbers of the bytes.
// One byte is the writer's; and for each checkpoint there is one, which processes that read it lock together.

/// Becomes the one process that may write. Returns false if there is another.
bool TryLockForWriting(File& file);
/// Tells readers that the writer is about to commit. From then on they believe of the log what it notes.
/// Before, while it may still be at recovery, they believe what recovery would find. Does nothing the second
/// time.
void AnnounceCommits(File& file);
/// Returns whether another process or open file has announced commits.
bool HasWriter(File& file);

/// Marks a checkpoint as read, until EndReading, the end of the open file or of the process. The writer looks
/// at the marks after it has made another checkpoint the newest. So whoever marks a checkpoint and then still
/// finds it to be the newest can be sure that its blocks stay as they are.
void BeginReading(File& file, uint64_t checkpoint_number);
void EndReading(File& file, uint64_t checkpoint_number);
/// Returns the checkpoints that other processes or open files read.
std::set<uint64_t> CheckpointsBeingRead(File& file);

}  // namespace scaup
