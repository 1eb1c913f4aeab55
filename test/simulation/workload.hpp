// Random statements, and what the database must contain after each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/database_model.hpp"

namespace scaup::test {

struct WorkloadOptions {
  size_t statement_count = 12;
  int64_t largest_insert = 2000;  ///< rows of a big INSERT or CREATE TABLE AS
  bool has_maintenance = true;    ///< CHECKPOINT and VACUUM
};

/// `states[i]` is what the database contains when `statements[0 .. i)` have been executed.
struct Workload {
  std::vector<std::string> statements;
  std::vector<DatabaseModel> states;
};

/// The same seed and options give the same workload. None of its statements fails.
Workload MakeWorkload(uint64_t seed, const WorkloadOptions& options);

}  // namespace scaup::test
