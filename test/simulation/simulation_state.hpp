// What all handles of one SimulatedFileSystem share: the disk, locks, counts and faults.
#pragma once

#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
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

/// Guarded by `mutex`, which every call holds from beginning to end.
struct SimulationState {
  std::mutex mutex;
  SimulatedDisk disk;
  uint64_t generation = 0;  ///< of the process; files of an earlier one are dead
  bool is_down = false;
  bool is_full = false;
  uint64_t capacity = std::numeric_limits<uint64_t>::max();
  std::vector<IoCall> trace;
  std::vector<ArmedFault> faults;
  Random random{20090101};  ///< for how much a call that fails in the middle does
  /// Who has which lock on a file: the open file, and whether it is exclusive.
  std::map<const DiskNode*, std::map<const void*, bool>> locks;

  /// Counts a call, and strikes it if a fault is due: throws, or returns what the call must do wrong.
  std::optional<FaultKind> Enter(const char* action, IoCall call, uint64_t caller_generation);
  /// How many of `size_bytes` more bytes there is room for.
  uint64_t RoomFor(uint64_t size_bytes) const;
  [[noreturn]] void GoDown();
  /// Ends all processes.
  void EndProcesses();
};

/// The file system as the process of the present generation sees it.
std::unique_ptr<FileSystem> MakeSimulatedProcess(std::shared_ptr<SimulationState> state);

}  // namespace scaup::test
