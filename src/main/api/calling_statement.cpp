// Queries of functions of the program within the statement that calls them.
#include "scaup/calling_statement.hpp"

#include "common/at_edge.hpp"
#include "common/throw.hpp"
#include "main/session/inner_statements.hpp"
#include "main/session/program_call.hpp"

namespace scaup {

QueryResult CallingStatement::Query(std::string_view sql, std::span<const Value> parameters) {
  return AtEdge([&] {
    const RunningFunction* const function = RunningFunction::Innermost();
    if (function == nullptr || function->inner() == nullptr) {
      ThrowError(
          ErrorKind::kUsage, "55000",
          "this thread runs no function that a statement calls: a function can query while it is called, "
          "on the thread that calls it");
    }
    auto& statements = static_cast<InnerStatements&>(*function->inner());
    return ResultAccess::MakeResult(
        statements.Run(sql, parameters, function->name(), function->has_effects()));
  });
}

int64_t CallingStatement::DeadlineMicros() {
  const RunningFunction* const function = RunningFunction::Innermost();
  return function == nullptr ? 0 : function->deadline_micros();
}

}  // namespace scaup
