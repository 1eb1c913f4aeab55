// Program aggregates: aggregate functions whose bodies are code of the program.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "function/aggregate_function.hpp"
#include "scaup/aggregate.hpp"

namespace scaup {

/// An aggregate whose bodies may be made only when it is called.
struct ProgramAggregateParts {
  std::string name;  ///< folded
  std::vector<LogicalType> arguments;
  LogicalType result;
  bool takes_nulls = false;
  size_t batch_rows = 0;
  /// Returns the bodies, the same ones always. They live as long as this function. Any thread may call it.
  std::function<const AggregateBodies&()> bodies;
};

/// Makes the overload that calls the bodies. Arguments of calls are on the account `memory`.
AggregateFunction MakeProgramAggregate(ProgramAggregateParts parts, std::shared_ptr<MemoryTracker> memory);

/// Makes the overload of a definition. `name` is the definition's, folded. Throws Error(kUsage, 22023) if
/// parts of it are missing.
AggregateFunction MakeProgramAggregate(std::string name, AggregateDefinition definition,
                                       std::shared_ptr<MemoryTracker> memory);

}  // namespace scaup
