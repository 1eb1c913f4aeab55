// Inner statements: those that functions of the program run within the statement that calls them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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
  std::shared_ptr<const ResultData> RunStatement(ast::Statement& statement, std::span<const Value> parameters,
                                                 const std::string& function, bool has_effects);

  const SessionServices session_;
  const StatementExecution* outer_ = nullptr;  // set when it has begun
  const size_t depth_;
  Mutex mutex_;  // held while a statement runs, which uses the transaction and the session's objects
};

}  // namespace scaup
