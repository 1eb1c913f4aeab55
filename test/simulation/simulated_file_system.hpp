// The twin of the system's files for tests: files in memory that lose power, run full, tear, lie and rot on
// demand.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"

namespace scaup::test {

/// Thrown by every call of a process whose machine has crashed. Not an Error on purpose: nothing that handles
/// failing calls is to handle it. A std::exception, so that destructors that let nothing out stop it.
struct SimulatedCrash : std::exception {
  const char* what() const noexcept override { return "simulated crash"; }
};

/// The calls that are counted, and can fail.
enum class CallKind : uint8_t {
  kOpen,
  kRead,
  kWrite,
  kSize,
  kTruncate,
  kSync,
  kLock,
  kExists,
  kRemove,
  kRename,
  kSyncDirectory,
  kCreateDirectory,
  kOpenTemporary,
  kGlob,
};
const char* CallKindName(CallKind kind);

/// One call, for messages.
struct IoCall {
  CallKind kind = CallKind::kOpen;
  std::string path;
  uint64_t offset = 0;  ///< of reads and writes; the length for Truncate
  uint64_t size_bytes = 0;
};

/// What goes wrong. A fault waits for the first call from its number on that can fail so.
enum class FaultKind : uint8_t {
  kError,         ///< Any call: does nothing, and fails with an I/O error.
  kPartialError,  ///< Writes a part, renames without making it durable, or syncs the data of a new file but
                  ///< not its name; then an I/O error. Write, Rename and Sync.
  kDiskFull,      ///< From here on whatever needs room fails (a first Write leaves a part), until FreeSpace.
  kSyncLost,      ///< Sync fails, and what was pending never gets to disk, though reads still show it: what
                  ///< Linux does. A later Sync succeeds. Write it again, or DropCache shows the truth.
  kSyncLies,      ///< Sync or SyncDirectory does nothing, and succeeds.
  kCrash,         ///< Any call: the machine crashes before it does anything.
  kCrashInside,   ///< Any call: the machine crashes in the middle: written in part, renamed but not durably.
  kKill,          ///< Any call: the process that makes it ends, as by kill -9; others go on.
  kKillInside,    ///< Any call: the process that makes it ends in the middle of it.
};

/// A disk, and the process that uses it. Thread-safe. Open files may outlive it. What processes see differs
/// from what is durable until File::Sync (bytes, length, and a new file's name, as the POSIX twin does) or
/// SyncDirectory (names).
class SimulatedFileSystem final : public FileSystem {
 public:
  SimulatedFileSystem();
  ~SimulatedFileSystem() override;

  std::unique_ptr<File> Open(const std::string& path, OpenMode mode) override;
  bool Exists(const std::string& path) override;
  void Remove(const std::string& path) override;
  void Rename(const std::string& from, const std::string& to) override;
  void SyncDirectory(const std::string& directory) override;
  void CreateDirectory(const std::string& path) override;
  std::unique_ptr<File> OpenTemporary(const std::string& directory) override;
  std::vector<std::string> Glob(const std::string& pattern) override;
  /// The same files for a process that owns its FileSystem. After Crash, Kill or Load its calls, and those of
  /// files opened through it, throw SimulatedCrash for ever, so that a dying database does no harm.
  std::unique_ptr<FileSystem> Share();

  /// Ends one process that Share has made, as by kill -9: its open files are dead and its locks are released,
  /// but nothing that was written is lost, and others go on.
  static void Kill(FileSystem& process);
  /// Runs `step` before each call of any process on the present thread, with the call's number; not before
  /// calls that the step makes itself. An empty function ends that.
  void SetStep(std::function<void(uint64_t call_number)> step);

  /// Power fails, if a fault has not made it fail already, and comes back: open files are dead, locks are
  /// released, temporary files gone, and what was pending is there in part, as the seed says: lost, whole,
  /// torn, later writes without earlier ones, files longer without their data (zeros), names old or new.
  void Crash(uint64_t seed);
  /// The processes alone end: open files are dead, locks are released, but nothing that was written is lost.
  void Kill();
  /// A fault has crashed the machine; until Crash or Kill every call throws SimulatedCrash.
  bool is_down() const;

  /// Calls so far; the next one is number call_count() + 1.
  uint64_t call_count() const;
  /// The call with that number, or the first one after it that fits, goes wrong. Once, except for kDiskFull.
  void FailAt(uint64_t call_number, FaultKind fault);
  /// The next call of that kind on a path with `path_part` in it goes wrong.
  void FailNext(CallKind kind, FaultKind fault, const std::string& path_part = "");
  /// Takes back faults that have not struck.
  void ClearFaults();
  /// Bytes that all files together may have; a Write that passes it leaves the part that fits, and fails.
  void SetCapacity(uint64_t size_bytes);
  /// Ends kDiskFull and SetCapacity.
  void FreeSpace();
  /// Processes see what is on disk, with what is still pending: tells after kSyncLost.
  void DropCache();

  /// Calls number `from` (from 1) to the last.
  std::vector<IoCall> Trace(uint64_t from = 1) const;
  /// The last calls, a line each.
  std::string DescribeLastCalls(size_t count = 20) const;

  /// Paths of all files, sorted. This function and the following are no calls of a process: they neither
  /// count nor fail.
  std::vector<std::string> Files() const;
  bool Has(const std::string& path) const;
  /// What processes read, or "" where there is no such file.
  std::string Content(const std::string& path) const;
  /// What would be there if power failed now and everything pending were lost.
  std::string DurableContent(const std::string& path) const;
  /// Replaces a file's bytes, or makes the file and its directories; durable at once.
  void SetContent(const std::string& path, const std::string& bytes);
  /// All files with their bytes; Load makes them the disk's only ones, and open files dead as Kill does.
  using Image = std::map<std::string, std::string>;
  Image Save() const;
  void Load(const Image& image);

  /// Damage to bytes of a file; what is pending becomes durable before. Places beyond the end do nothing.
  void FlipBit(const std::string& path, uint64_t offset, unsigned bit);
  void ZeroRange(const std::string& path, uint64_t offset, uint64_t size_bytes);
  /// Exchanges `size_bytes` bytes at two places.
  void SwapRanges(const std::string& path, uint64_t first, uint64_t second, uint64_t size_bytes = 8);
  /// Copies a range over another one: what was there is gone, as when a write went to the wrong place.
  void CopyRange(const std::string& path, uint64_t from, uint64_t to, uint64_t size_bytes);
  /// Puts an older state of a range back, as when a write never arrived.
  void RestoreRange(const std::string& path, const std::string& older, uint64_t offset, uint64_t size_bytes);
  void CutTo(const std::string& path, uint64_t size_bytes);

 private:
  void Damage(const std::string& path, const std::function<void(std::string&)>& change);

  std::shared_ptr<struct SimulationState> state_;
};

}  // namespace scaup::test
