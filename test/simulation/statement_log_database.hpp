// A small database that is known to be right, or wrong in one way: what the simulation itself is tested with.
#pragma once

#include <cstdint>
#include <memory>

#include "simulation/simulation_checks.hpp"

namespace scaup::test {

/// What a StatementLogDatabase does wrong.
enum class Flaw : uint8_t {
  kNone,
  kNeverSyncs,
  kTrustsLog,             ///< has no checksums
  kStopsAtDamage,         ///< takes damage in the middle for the end
  kForgetsToCut,          ///< leaves in the log what it said had failed
  kAcknowledgesFailures,  ///< says nothing when the log cannot be written
};

/// Keeps a log of statements, and executes it in memory when it is opened.
std::unique_ptr<TestedDatabase> OpenStatementLog(SimulatedFileSystem& files, Flaw flaw);

}  // namespace scaup::test
