// Plan text: a physical plan as EXPLAIN shows it, as lines or as JSON.
#pragma once

#include "execution/run/physical_operator.hpp"

namespace scaup {

/// The cost of a plan's run.
struct RunSummary {
  uint64_t elapsed_nanoseconds = 0;
  size_t thread_count = 1;
};

/// Renders a plan as a tree of lines: each operator's name, estimated rows and, after a run, actual rows and
/// time, followed by its details. `shared` and `run` are null if the plan did not run.
std::vector<std::string> RenderPlan(const PhysicalOperator& root, const SharedState* shared,
                                    const RunSummary* run);

/// Renders a plan as a JSON document, with PostgreSQL's names: an array of one object with "Plan" and, after
/// a run, "Execution Time" in milliseconds. Each node has "Node Type", "Plan Rows", "Actual Rows", "Actual
/// Time" (its own, of all threads together), "Details" (lines of text) and "Plans".
std::string RenderPlanAsJson(const PhysicalOperator& root, const SharedState* shared, const RunSummary* run);

}  // namespace scaup
