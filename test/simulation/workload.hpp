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
  bool has_maintenance = true;    ///< CHECKPOINT, VACUUM, MATERIALIZE
  int64_t many_documents = 1024;  ///< of a big INSERT; so many are kept attribute by attribute in a file
};

/// `states[i]` is what the database contains when `statements[0 .. i)` have been executed.
struct Workload {
  std::vector<std::string> statements;
  std::vector<bool> breaks_key;  ///< by statement: whether it must fail as it would break a unique key
  std::vector<DatabaseModel> states;
};

/// The same seed and options give the same workload.
Workload MakeWorkload(uint64_t seed, const WorkloadOptions& options);

/// Executes a statement of the workload. Throws what the database throws, but for what must be thrown, and
/// CheckFailure if that is not.
void ExecuteStatement(TestedDatabase& database, const Workload& workload, size_t statement);

}  // namespace scaup::test
