// ReadyStatement: a statement that is bound and can run, whatever way it came.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "main/session/literal_parameters.hpp"
#include "main/statement/statement_execution.hpp"

namespace scaup {

/// A statement that is begun and bound, with the values of its parameters. Texts, prepared statements and
/// EXECUTE all end here; from here on all of them run alike. Statements about transactions and names have run
/// already, and have no execution. Lives for one call of the session. Moved, not copied.
struct ReadyStatement {
  /// Returns the plan, or the bound statement. REQUIRES: execution is not null.
  PreparedPlan& prepared() {
    SCAUP_ASSERT(execution != nullptr);
    return kept != nullptr ? *kept : own;
  }
  /// Starts the statement. REQUIRES: it has a plan.
  void Start();
  /// Runs the statement to its end and commits. Returns its rows.
  std::shared_ptr<const ResultData> Finish();

  std::unique_ptr<StatementExecution> execution;  ///< null for a statement that has run already
  std::shared_ptr<const ResultData> result;       ///< of a statement that has run already
  PreparedPlan own;                               ///< the plan, unless it is kept
  PreparedPlan* kept = nullptr;                   ///< a plan that will run again; its owner outlives this
  std::span<const Value> parameters;              ///< borrowed from the caller, or from `arguments`
  std::vector<Value> arguments;                   ///< values of EXECUTE's arguments, or of literals
  /// From positions in the text that the plan was made of to those in the text that runs.
  MovedPositions positions = {};
  /// FETCH: the execution has no plan, but a scan that has started.
  bool is_started = false;
  /// FETCH: moves its cursor, which stays where it is if the rows cannot be returned.
  std::function<void()> when_done;
  ast::StatementPtr statement;  ///< the syntax tree, if nobody else owns it
};

}  // namespace scaup
