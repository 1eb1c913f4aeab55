// Program tables: table functions whose body is code of the program.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/memory/memory_tracker.hpp"
#include "function/rows_function.hpp"
#include "scaup/table_function.hpp"

namespace scaup {

/// Makes the function that runs the definition's steps. `name` is the definition's, folded. Rows of its calls
/// are on the account `memory`. Throws Error(kUsage, 22023) if parts of the definition are missing.
RowsFunctionRef MakeProgramTable(std::string name, TableFunctionDefinition definition,
                                 std::shared_ptr<MemoryTracker> memory);

}  // namespace scaup
