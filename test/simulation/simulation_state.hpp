// What all handles of one SimulatedFileSystem share: the disk, locks, counts and faults.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "simulation/simulated_disk.hpp"
#include "simulation/simulated_file_system.hpp"

namespace scaup::test {

/// A fault that is armed.
struct ArmedFault {
  FaultKind kind = FaultKind::kError;
  uint64_t from_call = 0;
  std::optional<CallKind> call_kind;
  std::string path_part;
};

/// The locks that one open file has on bytes of a file.
class HeldLocks {
 public:
  uint64_t process = 0;  ///< of the open file

  /// Returns whether another open file could not lock the range.
  bool ConflictsWith(const FileRange& range, bool exclusive) const;
  /// Returns the bytes of a lock on some of the range.
  std::optional<FileRange> Find(const FileRange& range) const;
  void Set(const FileRange& range, bool exclusive);
  void Clear(const FileRange& range);

 private:
  struct Held {
    uint64_t end = 0;
    bool exclusive = false;
  };
  std::map<uint64_t, Held> ranges_;  // by the first byte; they do not overlap
};

/// Guarded by `mutex`, which every call holds from beginning to end.
struct SimulationState {
  std::mutex mutex;
  SimulatedDisk disk;
  uint64_t next_process = 1;   ///< the number of the next process
  uint64_t first_process = 1;  ///< processes with lower numbers have ended
  std::set<uint64_t> ended;    ///< those that have ended since, alone
  std::pair<FaultKind, uint64_t> struck = {FaultKind::kCrash, 0};  ///< the last fault, and its process
  bool is_down = false;
  bool is_full = false;
  uint64_t capacity = std::numeric_limits<uint64_t>::max();
  std::vector<IoCall> trace;
  std::vector<ArmedFault> faults;
  Random random{20090101};  ///< for how much a call that fails in the middle does
  /// The locks on a file, by the open file that has them.
  std::map<const DiskNode*, std::map<const void*, HeldLocks>> locks;
  /// Runs before each call of that thread, but not before calls that it makes itself.
  std::function<void(uint64_t call_number)> before_call;
  std::thread::id step_thread;
  bool runs_step = false;

  /// Counts a call, and strikes it if a fault is due: throws, or returns what the call must do wrong.
  std::optional<FaultKind> Enter(const char* action, IoCall call, uint64_t process);
  /// How many of `size_bytes` more bytes there is room for.
  uint64_t RoomFor(uint64_t size_bytes) const;
  [[noreturn]] void GoDown();
  /// Ends one process: its open files are dead, and its locks are released.
  void EndProcess(uint64_t process);
  /// Ends all processes.
  void EndProcesses();
};

/// Held during a call. Runs the step that is due before it.
class CallLock {
 public:
  explicit CallLock(SimulationState& state);

 private:
  std::unique_lock<std::mutex> lock_;
};

/// The file system as a new process sees it.
std::unique_ptr<FileSystem> MakeSimulatedProcess(std::shared_ptr<SimulationState> state);
/// Ends a process that MakeSimulatedProcess has made.
void KillSimulatedProcess(FileSystem& process);

}  // namespace scaup::test
