// What the checks of the simulation share: how they fail, and how they recognize a state.
#pragma once

#include <functional>
#include <string>

#include "simulation/database_model.hpp"
#include "simulation/simulated_file_system.hpp"
#include "simulation/workload.hpp"

namespace scaup::test {

/// What is wrong. Thrown within checks, which return the message.
struct CheckFailure {
  std::string message;
};

/// Runs a check, and makes a text of whatever it throws; "" if nothing.
std::string Checked(const SimulatedFileSystem& files, const std::string& what,
                    const std::function<void()>& check);

/// Which of the states from `first` to `last` was found in the database; throws CheckFailure if none was.
size_t RequireState(TestedDatabase& database, const DatabaseModel& found, const Workload& workload,
                    size_t first, size_t last);
void RequireState(TestedDatabase& database, const Workload& workload, size_t state);

}  // namespace scaup::test
