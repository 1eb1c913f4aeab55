// Inner statements: those that functions of the program run within the statement that calls them.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lock/mutex.hpp"
#include "function/function_context.hpp"
#include "main/statement/statement_execution.hpp"

namespace scaup {

/// Runs statements within another one, one at a time. Owned by the outer statement's execution; any thread
/// that works for it may call.
class InnerStatements final : public InnerQueries {
 public:
  /// Shares what the outer statement uses of its session. `depth` counts the statements around it that run
  /// within others.
  InnerStatements(const SessionServices& session, size_t depth) : session_(session), depth_(depth) {}

  /// Begins a statement that functions can run others in. `outer` is the one that it runs within, with its
  /// inner statements; null if there is none.
  static std::unique_ptr<StatementExecution> Begin(const SessionServices& session,
                                                   const StatementExecution* outer = nullptr,
                                                   const InnerStatements* of_outer = nullptr);

  /// See CallingStatement::Query. `has_effects` is whether the function has effects.
  std::shared_ptr<const ResultData> Run(std::string_view sql, std::span<const Value> parameters,
                                        const std::string& function, bool has_effects);

 private:
  /// A text that came before, with its plan once it has come twice.
  struct Known {
    std::string sql;
    std::vector<LogicalType> types;  // of the parameters
    ast::StatementPtr statement;
    PreparedPlan prepared;
    bool was_run = false;
  };

  /// Finds a text, or parses it. Functions run the same few texts for one row after the other.
  Known& Find(std::string_view sql, std::span<const Value> parameters, const std::string& function)
      SCAUP_REQUIRES_LOCK(mutex_);
  std::shared_ptr<const ResultData> RunStatement(Known& known, std::span<const Value> parameters,
                                                 const std::string& function, bool has_effects)
      SCAUP_REQUIRES_LOCK(mutex_);

  const SessionServices session_;
  const StatementExecution* outer_ = nullptr;  // set when it has begun
  const size_t depth_;
  Mutex mutex_;  // held while a statement runs, which uses the transaction and the session's objects
  std::list<Known> known_ SCAUP_GUARDED_BY(mutex_);  // the one used last comes first
};

}  // namespace scaup
