// Runs workloads on simulated files, disturbs them, and says whether the database kept its promises.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "simulation/database_model.hpp"
#include "simulation/simulated_file_system.hpp"
#include "simulation/workload.hpp"

namespace scaup::test {

/// Where the database under test lies.
inline constexpr const char* kDatabasePath = "database.scaup";

/// Opens the database at kDatabasePath, or makes it. Its I/O must stop with the process: use Share().
using OpenDatabase = std::function<std::unique_ptr<TestedDatabase>(SimulatedFileSystem&)>;

/// How many seeds a test runs and with which it begins: `usual` and 1, or as SCAUP_SIMULATION_SEEDS and
/// SCAUP_SIMULATION_FIRST_SEED in the environment say.
struct SeedRange {
  uint64_t first = 1;
  uint64_t end = 1;
};
SeedRange SeedsFromEnvironment(uint64_t usual);

// All checks return "" or what is wrong, with what repeats it. They throw nothing.

/// Nothing goes wrong: all statements succeed, and the model agrees after each, and, if `reopens`, after
/// closing and opening again.
std::string CheckUndisturbed(const OpenDatabase& open, const Workload& workload, bool reopens);

/// I/O calls from opening an empty database, through the whole workload, to having closed. Throws if it
/// fails.
uint64_t CountCalls(const OpenDatabase& open, const Workload& workload);

/// The machine crashes at a call; `seed` decides what is left, and whether it is the machine or only the
/// process, and whether the recovery crashes too. Acknowledged statements must be there, the one in flight
/// wholly or not at all, and the database must work on.
std::string CheckCrash(const OpenDatabase& open, const Workload& workload, uint64_t seed, uint64_t call,
                       FaultKind fault);

/// A call fails. The statement fails with an I/O error and changes nothing; with space freed it succeeds, and
/// what is acknowledged survives a crash at the end.
std::string CheckFault(const OpenDatabase& open, const Workload& workload, uint64_t seed, uint64_t call,
                       FaultKind fault);

/// The disk is full at `capacity` bytes until the first statement fails.
std::string CheckFullDisk(const OpenDatabase& open, const Workload& workload, uint64_t seed,
                          uint64_t capacity);

/// Files of a database that was closed, or whose process was killed, and what may be read from them.
struct DamageSubject {
  Workload workload;
  SimulatedFileSystem::Image image;   ///< all files at the end
  SimulatedFileSystem::Image older;   ///< an earlier state of them
  std::string log_path;               ///< of the file beside the database; "" if there is none
  std::vector<uint64_t> log_lengths;  ///< of the log after each statement, from after the first
};
/// Throws if the workload fails.
DamageSubject MakeDamageSubject(const OpenDatabase& open, Workload workload, bool is_closed);

/// Damages a file as the seed says. The database must give the model's answer, or fail with XX001 naming the
/// file. Only where the log's end is damaged may its last statements be missing, as a torn tail is no damage.
std::string CheckDamage(const OpenDatabase& open, const DamageSubject& subject, uint64_t seed);

}  // namespace scaup::test
