// Scaup as the database under test.
#pragma once

#include <memory>
#include <string>

#include "scaup/database.hpp"
#include "simulation/simulation_checks.hpp"

namespace scaup {
class DatabaseInstance;
}

namespace scaup::test {

/// Whether databases lie in files yet.
bool CanOpenFiles();

/// The instance behind a database on simulated files. REQUIRES: CanOpenFiles().
std::shared_ptr<DatabaseInstance> OpenSimulated(SimulatedFileSystem& files, const std::string& path,
                                                const Config& config);

/// A database on simulated files, with one thread, so that runs repeat.
std::unique_ptr<TestedDatabase> OpenScaup(SimulatedFileSystem& files);
/// A database in memory, which needs no files.
std::unique_ptr<TestedDatabase> OpenScaupInMemory(SimulatedFileSystem& files);

}  // namespace scaup::test
